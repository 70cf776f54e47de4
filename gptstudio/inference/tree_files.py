"""JSON files of trees of branching texts, in the folder of the run whose model wrote them. No torch.

The description of a tree is at the beginning of its file, so that listing many large files reads only their beginnings.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError
from pydantic_core import from_json

import gptstudio
from gptstudio import files, formats, paths
from gptstudio.errors import UserError, os_errors, shown
from gptstudio.files import encodable, portable
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import Message, message
from gptstudio.inference.interventions import LONGEST_NAME as LONGEST_SET_NAME
from gptstudio.inference.interventions import Interventions
from gptstudio.inference.text_tree import ROOT, BeamMark, Reading, Tree
from gptstudio.training import run_folder
from gptstudio.training.events import TokenDrawn
from gptstudio.training.model_source import LiveModel, ModelSource, SavedModel
from gptstudio.training.run_folder import RunFolder
from gptstudio.units import MB

KIND, FORMAT = "gptstudio tree", formats.TREE
LONGEST_TITLE = 100
LONGEST_NAME = 48
"""Maximum number of characters of a file name: valid on every system with four bytes each and a suffix."""
LARGEST_MB = 500
HEAD_BYTES = 4096


class _Head(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="strings")  # as in the events in the file

    kind: str
    format: int
    title: str
    model: str
    saved: datetime
    tokenizer: str = ""
    """Digest of the tokenizer of its model; empty for GPT-2's, and in older files."""


class _Entry(BaseModel):
    key: NonNegativeInt
    parent: Annotated[int, Field(ge=ROOT)]
    name: str = ""
    beam: BeamMark | None = None
    reading: Annotated[Reading, Field(discriminator="event")]


class _File(_Head):
    version: str = gptstudio.__version__
    nodes: list[_Entry]
    interventions: dict[Annotated[str, Field(max_length=LONGEST_SET_NAME)], Interventions] = {}


@dataclass(frozen=True)
class SavedTree:
    """File with a tree, for lists."""

    path: Path
    title: str
    saved: datetime


def folder_of(source: ModelSource) -> Path:
    """Return the folder of a model's trees: in the folder of its run, or the user's folder of trees without a run."""
    run = _run_of(source)
    return run.path / "trees" if run else paths.trees()


def saved_trees(source: ModelSource) -> list[SavedTree]:
    """Return the saved trees of a model, newest first; files that are no trees or cannot be read are left out."""
    found = [_read_head(path) for path in files.found(folder_of(source), "*.json")]
    return sorted((each for each in found if each), key=lambda each: each.saved, reverse=True)


def save(tree: Tree, title: str, source: ModelSource) -> Path:
    """Save a tree in the folder of its model, replacing one with the same title. This is possible during training,
    which does not use the trees.

    Raises:
        UserError: the file cannot be written.
    """
    title, folder = cleaned(title), folder_of(source)
    with _saving(folder):
        place = _place(folder, title)
    return write(tree, title, place)


def _saving(path: Path) -> AbstractContextManager[None]:
    return os_errors(lambda why: message(
        "Could not save the tree to {path}: {why}. Export it as JSON to another location.", path=path, why=why))


def write(tree: Tree, title: str, path: Path) -> Path:
    """Write a tree to any file, atomically.

    Raises:
        UserError: the file cannot be written.
    """
    nodes = [
        _Entry(key=node.key, parent=node.parent, name=encodable(node.name), beam=node.beam, reading=node.reading)
        for node in sorted(tree.nodes.values(), key=lambda node: node.key)
    ]
    made = _File(
        kind=KIND, format=FORMAT, title=cleaned(title), model=encodable(tree.model),
        saved=datetime.now().astimezone(), tokenizer=tree.tokenizer.digest, nodes=nodes,
        interventions={encodable(name): each for name, each in tree.interventions.items()},
    )
    with _saving(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_whole(path, made.model_dump_json().encode())
    return path


def load(path: Path, tokenizer: Tokenizer = GPT2) -> Tree:
    """Return the tree in a file, with renumbered nodes.

    Args:
        tokenizer: tokenizer of the model that continues its texts.

    Raises:
        UserError: the file cannot be read, is damaged, is not a tree, is from a newer version, or has the tokens of
            another tokenizer.
    """
    try:
        size = path.stat().st_size / MB
        if size > LARGEST_MB:
            raise UserError(message(
                "{path} was not opened: it has {size} MB, which is too large for a tree.",
                path=path, size=f"{size:,.0f}",
            ))
        values = from_json(path.read_bytes())
    except OSError as error:
        raise UserError(message("Could not read {path}: {why}.", path=path, why=error.strerror or error)) from error
    except ValueError as error:
        raise UserError(message("Could not open {path}: it is not JSON, or it is damaged.", path=path)) from error
    file = _checked(values, path)
    if file.tokenizer != tokenizer.digest:
        raise UserError(message(
            "Could not open {path}: its texts were written with another vocabulary than that of the selected model, so "
            "the token IDs stand for other words. Select the model that wrote them, {model}, and open it again.",
            path=path, model=shown(file.model)))
    return _tree(file, tokenizer, path)


def cleaned(title: str) -> str:
    """Return a title in the form in which it is saved: one line of limited length."""
    return encodable(" ".join(title.split()))[:LONGEST_TITLE].rstrip() or "Tree"


def _run_of(source: ModelSource) -> RunFolder | None:
    if isinstance(source, LiveModel):
        return run_folder.find(source.run) if source.run else None
    if isinstance(source, SavedModel):
        checkpoint = source.path.resolve()
        if checkpoint.parent.name == "checkpoints":
            return run_folder.find(str(checkpoint.parent.parent))
    return None


def _place(where: Path, title: str) -> Path:
    """Return the file for a title: the existing one if it was saved before, otherwise a new one."""
    name = portable(title, LONGEST_NAME)
    for number in count(1):
        path = where / (f"{name}.json" if number == 1 else f"{name} ({number}).json")
        there = _read_head(path)
        if not path.exists() or (there and there.title == title):
            return path
    raise AssertionError


def _read_head(path: Path) -> SavedTree | None:
    """Return the description at the beginning of a file; None if it is not a tree."""
    with suppress(OSError, ValueError):
        with path.open("rb") as file:
            head = _Head.model_validate(from_json(file.read(HEAD_BYTES), allow_partial=True))
        if head.kind == KIND:
            return SavedTree(path, head.title, head.saved.astimezone())
    return None


def _checked(values: Any, path: Path) -> _File:
    if not isinstance(values, dict) or values.get("kind") != KIND:
        raise UserError(message("{path} contains no tree of GPT Studio.", path=path))
    formats.refuse_newer(values, FORMAT, path)
    try:
        return _File.model_validate(values)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise _damaged(path, message("{name} has no valid value", name=shown(where))) from error


def _tree(file: _File, tokenizer: Tokenizer, path: Path) -> Tree:
    tree, keys = Tree(file.model, interventions=dict(file.interventions), tokenizer=tokenizer), {ROOT: ROOT}
    for entry in file.nodes:
        if entry.key in keys:
            raise _damaged(path, message("token {key} occurs twice", key=entry.key))
        if entry.parent not in keys:  # this also excludes cycles
            raise _damaged(path, message(
                "token {key} comes after {parent}, which is not before it in the file",
                key=entry.key, parent=entry.parent,
            ))
        _check_reading(entry, path)
        try:
            keys[entry.key] = tree.add(keys[entry.parent], entry.reading, entry.beam)
        except ValueError as error:
            raise _damaged(path, message(
                "token {key} is in the wrong place: {why}", key=entry.key, why=error)) from error
        tree.rename(keys[entry.key], entry.name)
    return tree


def _check_reading(entry: _Entry, path: Path) -> None:
    reading = entry.reading
    shares = [reading.plain_probability]
    if isinstance(reading, TokenDrawn):
        shares += [reading.probability, *(p for each in reading.alternatives for p in (each.probability, each.after))]
    if reading.id < 0 or not all(share is None or 0 <= share <= 1 for share in shares):
        raise _damaged(path, message("token {key} has an ID below 0, or an invalid probability", key=entry.key))


def _damaged(path: Path, what: Message) -> UserError:
    return UserError(message("Could not open {path}: it is damaged ({what}).", path=path, what=what))
