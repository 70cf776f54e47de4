"""Folder of a checkpoint without its tensors: file names, state, and checksums. No torch.

The digests can also be checked by ``sha256sum --check SHA256SUMS``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from pydantic import BaseModel

from gptstudio import files
from gptstudio.errors import UserError, text_of
from gptstudio.gpt import sizing, tokenizer
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2, Tokenizer, TokenizerError
from gptstudio.i18n import joined, message
from gptstudio.training import file_format
from gptstudio.training.spec import TrainSpec
from gptstudio.units import bytes_text

WEIGHTS = "model.safetensors"
RESUME = "resume.safetensors"
STATE = "state.json"
SUMS = "SHA256SUMS"
RESERVE = 1.05
"""Required free space as a multiple of the size of a checkpoint."""


class CheckpointError(UserError):
    """Checkpoint that cannot be saved or loaded. ``instead``: another checkpoint from which the run can continue."""

    instead: Path | None = None


class State(BaseModel, frozen=True, ser_json_inf_nan="strings"):
    """State of a checkpoint without its tensors.

    Attributes:
        step: the last step done, counted from 0.
        taken: number of steps done in the epoch.
        lost_steps: number of consecutive last steps with a loss far above random guessing.
        evaluation_due: True if a stop interrupted the evaluation of the last step; ``sample_due``: its sample.
        probe_ids: tokens recorded for each probe prompt.
        best_alone: True if only the model was saved, because it had the lowest validation loss, and the run continued.
        journal_bytes: length of the journal.
        threads, device: number of torch's threads, and its device; with others, sums are computed in another order.
    """

    format: int = file_format.FORMAT
    config: GPTConfig
    step: int
    epoch: int
    tokens_seen: int
    val_loss: float | None
    taken: int = 0
    learning_rate: float | None = None
    lost_steps: int = 0
    evaluation_due: bool = False
    sample_due: bool = False
    probe_ids: list[tuple[int, ...]] = []
    best_alone: bool = False
    elapsed_s: float = 0.0
    journal_bytes: int = 0
    threads: int = 0
    device: str = ""

    @property
    def unfinished(self) -> bool:
        """True if the last step lacks its evaluation or its sample."""
        return self.evaluation_due or self.sample_due

    def encoded(self) -> bytes:
        """Return the content of its file."""
        return self.model_dump_json(indent=1).encode()


def read_state(folder: Path) -> State:
    """Return the state of a checkpoint, without its tensors.

    Raises:
        CheckpointError: the state is missing, was changed, or is from a newer version.
    """
    file = folder / STATE
    if not os.path.isfile(file):
        raise CheckpointError(message(
            "There is no checkpoint in {folder}: {state} is missing. Choose another checkpoint, or a preset.",
            folder=folder, state=STATE,
        ))
    content = _content(file)
    try:
        return State.model_validate(file_format.upgrade(json.loads(content), str(file)))
    except UserError as error:  # from a newer version
        raise CheckpointError(text_of(error)) from error
    except (ValueError, RecursionError) as error:  # not JSON, or not these fields
        raise CheckpointError(message("{file} is not a valid checkpoint state.", file=file)) from error


def _content(file: Path) -> bytes:
    """Return the content of a small file, after a check of its digest."""
    with errors_as_messages(file):
        content = file.read_bytes()
    check_digest(file, hashlib.sha256(content).hexdigest())
    return content


def read_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a checkpoint's model.

    Raises:
        CheckpointError: its file is missing, was changed, or is not a tokenizer.
    """
    file = folder / tokenizer.FILE
    try:
        times = file.stat()
    except OSError:
        times = None
    return _tokenizer(folder, times and (times.st_mtime_ns, times.st_size, times.st_ino))


@lru_cache(64)
def _tokenizer(folder: Path, _changed: tuple[int, ...] | None) -> Tokenizer:
    kind = read_state(folder).config.vocabulary
    if kind == "gpt2":
        return GPT2
    try:
        return tokenizer.read(kind, _content(folder / tokenizer.FILE))
    except (CheckpointError, TokenizerError) as error:
        raise CheckpointError(joined(" ", text_of(error), message(
            "Without {name} this model can neither read nor write text. A run and each of its checkpoints have the "
            "same one: copy it from there. Import an imported model again.", name=tokenizer.FILE))) from error


def replace_state(folder: Path, state: State) -> None:
    """Replace the state of a checkpoint.

    Raises:
        CheckpointError: its files cannot be read.
        OSError: its files cannot be written.
    """
    content, line = _encoded(state)
    with _changing(folder, [line]):
        files.write_whole(folder / STATE, content)


def add_files(source: Path, folder: Path) -> None:
    """Move all files of an incomplete checkpoint into another one of the same step, and replace those that it has.

    Raises:
        CheckpointError: the digests of one of them cannot be read.
        OSError: a file cannot be moved.
    """
    new = _sums(source)
    with _changing(folder, new):
        for line in new:
            name = line[66:].decode().strip()
            os.replace(source / name, folder / name)
        files.flush(folder)


@contextmanager
def _changing(folder: Path, new: Sequence[bytes]) -> Iterator[None]:
    """Context manager in which files of a checkpoint are replaced. ``new``: lines of their digests. Meanwhile those of
    the old files are listed, too, so that the checkpoint is valid even if the program is killed at any point."""
    lines, names = _sums(folder), {line[66:] for line in new}
    files.write_whole(folder / SUMS, b"".join([*lines, *new]))
    yield
    files.write_whole(folder / SUMS, b"".join([*(line for line in lines if line[66:] not in names), *new]))


def _sums(folder: Path) -> list[bytes]:
    with errors_as_messages(folder / SUMS):
        return (folder / SUMS).read_bytes().splitlines(keepends=True)


def keep_learning_rate(folder: Path, rate: float | None, journal_bytes: int) -> None:
    """Record a learning rate that was set after the step of a checkpoint, with the length of the journal that reports
    it.

    Raises:
        CheckpointError: its files cannot be read.
        OSError: its files cannot be written.
    """
    state = read_state(folder)
    if state.learning_rate != rate:
        replace_state(folder, state.model_copy(update={"learning_rate": rate, "journal_bytes": journal_bytes}))


def is_best_alone(folder: Path) -> bool:
    """Return whether a checkpoint is only a model, saved because it was the best; no run can continue from it."""
    try:
        return not os.path.isfile(folder / RESUME) and read_state(folder).best_alone
    except CheckpointError:
        return False


def weights_alone(folder: Path) -> dict[str, bytes]:
    """Return the files, by name, that turn a checkpoint without its ``RESUME`` into a valid one with only the model; no
    run can continue from it.

    Raises:
        CheckpointError: its files cannot be read.
    """
    content, line = _encoded(read_state(folder).model_copy(update={"best_alone": True}))
    kept = [line for line in _sums(folder) if line.split()[1:] not in ([STATE.encode()], [RESUME.encode()])]
    return {STATE: content, SUMS: b"".join([*kept, line])}


def _encoded(state: State) -> tuple[bytes, bytes]:
    """Return the content of the file of a state, and the line of its digest."""
    content = state.encoded()
    return content, line_of(hashlib.sha256(content).hexdigest(), Path(STATE)).encode()


def size(folder: Path) -> int:
    """Return the size of a checkpoint on disk, in bytes."""
    return sum(file.stat().st_size for file in folder.iterdir())


def needed_bytes(spec: TrainSpec) -> int:
    """Return the size of a checkpoint on disk, in bytes: the weights and the optimizer state."""
    held = spec.chosen_optimizer.memory(spec.config, spec.freeze, spec.freeze_blocks)
    return sizing.weight_bytes(spec.config) + held.state


def space_warning(needed: int, free: int, folder: Path) -> str:
    """Return a warning if a checkpoint of ``needed`` bytes does not fit into ``free`` bytes; empty if it does."""
    if free >= needed * RESERVE:
        return ""
    return message(
        "A checkpoint needs {needed} and 5 % in reserve, but only {free} are free at {path}. Free "
        "some space before the first checkpoint is due, or the trained model cannot be saved.",
        needed=bytes_text(needed), free=bytes_text(free), path=folder,
    )


def line_of(sha256: str, file: Path) -> str:
    """Return the line of a file in ``SHA256SUMS``."""
    return f"{sha256}  {file.name}\n"


def check_sum(file: Path) -> None:
    """Check the digest of a file, which is read completely.

    Raises:
        CheckpointError: the file cannot be read, or was changed.
    """
    with errors_as_messages(file):
        check_digest(file, files.sha256(file))


def check_digest(file: Path, sha256: str) -> None:
    """Check that the digest ``sha256`` of a file is the recorded one.

    Raises:
        CheckpointError: the file was changed, or the recorded digests cannot be read.
    """
    if line_of(sha256, file).encode() not in _sums(file.parent):
        raise CheckpointError(message(
            "{file} is damaged: wrong checksum (SHA-256). Choose an earlier checkpoint.",
            file=file,
        ))


@contextmanager
def errors_as_messages(file: Path) -> Iterator[None]:
    """Context manager that raises an OSError as a :class:`CheckpointError` that names the file."""
    try:
        yield
    except OSError as error:
        raise CheckpointError(message(
            "Could not read {path}: {why}.",
            path=error.filename or file, why=error.strerror or error,
        )) from error


def is_whole(folder: Path) -> bool:
    """Return whether a run can continue from a checkpoint: all files are complete and unchanged. Reads all of them."""
    try:
        read_state(folder)
        for name in (WEIGHTS, RESUME):
            check_sum(folder / name)
    except CheckpointError:
        return False
    return True


def known_sum(file: Path) -> str:
    """Return the SHA-256 of a file listed in ``SHA256SUMS``; empty if it is not listed."""
    try:
        lines = (file.parent / SUMS).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    return next((line[:64] for line in lines if line[66:] == file.name), "")
