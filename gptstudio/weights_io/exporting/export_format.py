"""Base class of the export formats, with safe replacement of files, and tokenizer files for transformers.

Only files that the user has named are replaced, and a file or folder with the final name is complete.
"""

from __future__ import annotations

import json
import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gptstudio import devices, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import END_OF_TEXT, ENDS, FILE, Tokenizer
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, model_source
from gptstudio.weights_io.refusals import ExchangeError
from gptstudio.weights_io.writing import aside, check_free_space, put

if TYPE_CHECKING:
    from torch import Tensor

VOCABULARY = {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe", "NOTICE": "NOTICE"}
"""Name in an export -> name under which OpenAI published the file; its licence requires the notice."""

VOCABULARY_FILES = frozenset({"tokenizer_config.json", FILE, *VOCABULARY})


def write_vocabulary(folder: Path, tokenizer: Tokenizer | None, longest: int) -> None:
    """Write the files of a tokenizer, if it is known.

    Args:
        longest: context length of the model.
    """
    if tokenizer is None:
        return
    if tokenizer.kind == "gpt2":
        for name, ours in VOCABULARY.items():
            shutil.copyfile(paths.resources() / "gpt2" / ours, folder / name)
        special = dict.fromkeys(("bos_token", "eos_token", "unk_token"), END_OF_TEXT)
        described: dict[str, Any] = {"add_prefix_space": False, "tokenizer_class": "GPT2Tokenizer"}
    else:
        (folder / FILE).write_bytes(tokenizer.file)
        special = _special(json.loads(tokenizer.file))
        described = {"clean_up_tokenization_spaces": False, "tokenizer_class": "PreTrainedTokenizerFast"}
    write_json(folder / "tokenizer_config.json", special | described | {"model_max_length": longest})


def _special(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the tokens between texts and for unknown characters. Only tokens that the file itself
    declares special are named, because ``transformers`` makes every named token special, and then finds it in texts."""
    declared = {each["content"] for each in values.get("added_tokens") or () if each.get("special")}
    end = next((name for name in ENDS if name in declared), None)
    unknown = values["model"].get("unk_token")
    named = {"bos_token": end, "eos_token": end, "unk_token": unknown}
    return {key: name for key, name in named.items() if name in declared}


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


TO_EXPORT = message("to export this model")


@dataclass(frozen=True)
class ExportedModel:
    """Model to export.

    Attributes:
        weights: tensors with our names; see ``gpt/weights.py``.
        source: name of the run, checkpoint or imported model.
        tokenizer: its tokenizer; None if it is not known.
    """

    weights: Mapping[str, Tensor]
    config: GPTConfig
    source: str
    tokenizer: Tokenizer | None


class ExportFormat(ABC):
    """An export format: a file, or a folder with nothing but ``files``.

    Attributes:
        name: name in the options of the command line.
        title: name in the window.
        about: description of the files, and of the programs that open them.
        brief: short description, for the help of the command line.
        ending: suffix of the proposed name.
        files: all files that an exported folder can contain; empty if the format is a single file.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    brief: ClassVar[str]
    ending: ClassVar[str] = ""
    files: ClassVar[frozenset[str]] = frozenset()

    def export(
        self, origin: model_source.LoadableModel, path: Path, progress: Progress = unwatched, replace: bool = False
    ) -> Path:
        """Write the model to ``path``, completely or not at all, and return the absolute path.

        Args:
            replace: whether an earlier export may be replaced; a folder with other content never is.

        Raises:
            ExchangeError: the path is taken, a package is missing, there is not enough space, or the disk failed;
                nothing was changed.
            UserError: the model cannot be read, or there is not enough memory.
        """
        if why_not := self.why_not():
            raise ExchangeError(why_not)
        target, config, tokenizer = _place(path), model_source.config_of(origin), known_tokenizer(origin)
        self._check_target(target, replace)
        check_free_space(target, self.bytes_written(config) + (len(tokenizer.file) if tokenizer else 0))
        model = ExportedModel(_weights_of(origin, self.bytes_in_memory(config)), config, origin.name, tokenizer)
        beside = self.companion(target)
        with aside(target) as folder:
            new = folder / "new"
            self.write(model, new, progress)
            fresh = self.companion(new)
            put(new, target, {beside: fresh} if beside and fresh else {})
        return target

    @abstractmethod
    def write(self, model: ExportedModel, new: Path, progress: Progress) -> None:
        """Write the file or the folder ``new``, which does not exist yet."""

    @abstractmethod
    def bytes_written(self, config: GPTConfig) -> int:
        """Return the number of bytes of the exported weights."""

    @abstractmethod
    def bytes_in_memory(self, config: GPTConfig) -> int:
        """Return the largest number of bytes needed in memory, in addition to the weights."""

    @abstractmethod
    def how_to_open(self, path: Path) -> str:
        """Return a line of Python that opens the export."""

    def companion(self, target: Path) -> Path | None:  # noqa: ARG002 - used by overrides
        """Return the path of a second file, which is replaced or removed together with ``target``; None without one."""
        return None

    def lacks(self, origin: model_source.LoadableModel) -> str:  # noqa: ARG002 - used by overrides
        """Describe the parts of a model that its export lacks; empty if it lacks none.

        Raises:
            UserError: the model cannot be read.
        """
        return ""

    def why_not(self) -> str:
        """Return the reason why this installation cannot write the format; empty if it can."""
        return ""

    def _check_target(self, target: Path, replace: bool) -> None:
        if self.files:
            _check_folder(target, self.files, replace)
        else:
            _check_file(target, self.ending, replace)
            if companion := self.companion(target):
                _check_file(companion, self.ending, replace)


def known_tokenizer(origin: model_source.LoadableModel) -> Tokenizer | None:
    """Return the tokenizer of a model; None if the model has fewer tokens, so that their meaning is unknown.

    Raises:
        UserError: it cannot be read.
    """
    tokenizer = model_source.tokenizer_of(origin)
    return tokenizer if tokenizer.size <= model_source.config_of(origin).vocab_size else None


def _place(path: Path) -> Path:
    """Return the absolute path. Raise ExchangeError inside a saved model: the export would change it."""
    place = Path(os.path.abspath(os.path.expanduser(path)))
    if (place.parent / checkpoint_files.STATE).exists():
        raise ExchangeError(message(
            "{path} is a model saved by GPT Studio, so nothing else can be written there. Choose another location.",
            path=place.parent,
        ))
    return place


def _check_folder(folder: Path, files: frozenset[str], replace: bool) -> None:
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise ExchangeError(message("{path} is a file. Choose a folder for the model.", path=folder))
    held = {entry.name for entry in folder.iterdir()}
    others = sorted(held - files)
    if others:
        raise ExchangeError(message(
            "{path} contains {name}, which is not part of an exported model. Nothing was changed. Choose a folder that "
            "does not exist yet.", path=folder, name=others[0],
        ))
    if held and not replace:
        raise ExchangeError(message(
            "{path} already contains a model. Choose another folder, or allow the model to be replaced.", path=folder
        ))


def _check_file(file: Path, ending: str, replace: bool) -> None:
    if os.path.isdir(file):  # False, without an error, for invalid names
        raise ExchangeError(message(
            "{path} is a folder. Choose a file for the model, for example {file}.", path=file,
            file=file / f"model{ending}",
        ))
    if os.path.lexists(file) and not replace:
        raise ExchangeError(message(
            "{path} already exists. Choose another file, or allow it to be replaced.", path=file
        ))


def _weights_of(origin: model_source.LoadableModel, beside: int) -> dict[str, Tensor]:
    """Return the weights, after checking that there is memory for them and for ``beside`` more bytes."""
    from gptstudio.training import checkpoint

    devices.check_memory(sizing.weight_bytes(model_source.config_of(origin)) + beside, devices.cpu(), TO_EXPORT)
    if isinstance(origin, model_source.UntrainedModel):
        return checkpoint.weights_of(model_source.load(origin, devices.cpu()))
    return checkpoint.read_weights(origin.path)
