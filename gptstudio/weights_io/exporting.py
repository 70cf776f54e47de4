"""Export of a model for other programs: as a Hugging Face folder, or as a file of the book's code. No torch at import.

Nothing is replaced that the user did not name, and a file with the final name is complete.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from gptstudio import devices, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.gpt import sizing
from gptstudio.gpt.config import VOCAB_SIZE, GPTConfig
from gptstudio.gpt.tokenizer import END_OF_TEXT
from gptstudio.i18n import message
from gptstudio.training import checkpoint_files, model_source
from gptstudio.weights_io.refusals import ExchangeError
from gptstudio.weights_io.writing import Watched, aside, check_free_space, put, watched

if TYPE_CHECKING:
    from torch import Tensor

WEIGHTS = "model.safetensors"
VOCABULARY = {"vocab.json": "encoder.json", "merges.txt": "vocab.bpe", "NOTICE": "NOTICE"}
"""GPT-2's vocabulary: as transformers looks for it, and as OpenAI published it, whose licence asks for its notice."""

FOLDER = frozenset({WEIGHTS, "config.json", "generation_config.json", "tokenizer_config.json", *VOCABULARY})
"""All that an exported folder can hold."""

TO_EXPORT = message("to export this model")


def export_huggingface(
    origin: model_source.LoadableModel, folder: Path, progress: Progress = unwatched, replace: bool = False
) -> Path:
    """Write a folder that ``transformers`` opens without a network: the model as GPT2LMHeadModel, and its tokenizer if
    its vocabulary is GPT-2's. Return the folder.

    Args:
        replace: whether an earlier export may be replaced; a folder that holds anything else never is.

    Raises:
        ExchangeError: the folder exists already, not enough space, or the disk failed; everything is unchanged.
        UserError: the model cannot be read.
    """
    from gptstudio.gpt import weight_shapes, weights

    folder, config = _place(folder), model_source.config_of(origin)
    _check_folder(folder, replace)
    size = sizing.FLOAT32 * sum(map(math.prod, weight_shapes.huggingface_shapes(config).values()))
    check_free_space(folder, size)
    tensors = weights.to_huggingface(_weights_of(origin, beside=size), config)
    with aside(folder) as place:
        new = place / "new"
        new.mkdir()
        _write_descriptions(new, config)
        with watched(new / WEIGHTS, _bytes(tensors), progress) as file:
            _write_safetensors(tensors, file)
        put(new, folder)
    return folder


def export_book(
    origin: model_source.LoadableModel, file: Path, progress: Progress = unwatched, replace: bool = False
) -> Path:
    """Write a state dict that the book's own ``GPTModel`` loads strictly, and return the file.

    Args:
        replace: whether an existing file may be replaced.

    Raises:
        ExchangeError: the file exists already, not enough space, or the disk failed; everything is unchanged.
        UserError: the model cannot be read.
    """
    import torch

    from gptstudio.gpt import weights

    file, config = _place(file), model_source.config_of(origin)
    _check_file(file, replace)
    mask = sizing.FLOAT32 * config.context_length**2  # the book's code keeps one in every block: here it is one for all
    check_free_space(file, sizing.weight_bytes(config) + mask)
    tensors = weights.to_book(_weights_of(origin, beside=mask), config)
    with aside(file) as place:
        with watched(place / file.name, _bytes(tensors), progress) as new:
            torch.save(tensors, cast(IO[bytes], new))
        put(place / file.name, file)
    return file


def _place(path: Path) -> Path:
    """Return the absolute ``path``; it must not be inside a saved model, which would no longer be what was saved."""
    place = Path(os.path.abspath(os.path.expanduser(path)))
    if (place.parent / checkpoint_files.STATE).exists():
        raise ExchangeError(message(
            "{path} is a model saved by GPT Studio, so nothing else can be written there. Choose another location.",
            path=place.parent,
        ))
    return place


def _check_folder(folder: Path, replace: bool) -> None:
    if not os.path.lexists(folder):
        return
    if not folder.is_dir():
        raise ExchangeError(message("{path} is a file. Choose a folder for the model.", path=folder))
    held = {entry.name for entry in folder.iterdir()}
    others = sorted(held - FOLDER)
    if others:
        raise ExchangeError(message(
            "{path} contains {name}, which is not part of an exported model. Nothing was changed. Choose a folder that "
            "does not exist yet.", path=folder, name=others[0],
        ))
    if held and not replace:
        raise ExchangeError(message(
            "{path} already contains a model. Choose another folder, or allow the model to be replaced.", path=folder
        ))


def _check_file(file: Path, replace: bool) -> None:
    if os.path.isdir(file):  # False, and no error, for what cannot even be a name
        raise ExchangeError(message(
            "{path} is a folder. Choose a file for the model, for example {file}.", path=file, file=file / "model.pth"
        ))
    if os.path.lexists(file) and not replace:
        raise ExchangeError(message(
            "{path} already exists. Choose another file, or allow it to be replaced.", path=file
        ))


def _weights_of(origin: model_source.LoadableModel, beside: int) -> dict[str, Tensor]:
    """The weights, where there is memory for them and what is made ``beside``."""
    from gptstudio.training import checkpoint

    devices.check_memory(sizing.weight_bytes(model_source.config_of(origin)) + beside, devices.cpu(), TO_EXPORT)
    if isinstance(origin, model_source.UntrainedModel):
        return checkpoint.weights_of(model_source.load(origin, devices.cpu()))
    return checkpoint.read_weights(origin.path)


def _write_descriptions(folder: Path, config: GPTConfig) -> None:
    """All but the weights: the model's shape, and how text becomes tokens."""
    from gptstudio.gpt import published

    described = published.huggingface_config(config)
    ends = {key: described[key] for key in ("bos_token_id", "eos_token_id") if described[key] is not None}
    _write_json(folder / "config.json", described)
    _write_json(folder / "generation_config.json", ends)
    if config.vocab_size < VOCAB_SIZE:
        return  # another vocabulary, which nobody here knows
    for name, ours in VOCABULARY.items():
        shutil.copyfile(paths.resources() / "gpt2" / ours, folder / name)
    special = dict.fromkeys(("bos_token", "eos_token", "unk_token"), END_OF_TEXT)
    _write_json(folder / "tokenizer_config.json", special | {
        "add_prefix_space": False, "model_max_length": config.context_length, "tokenizer_class": "GPT2Tokenizer",
    })


def _write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def _write_safetensors(tensors: Mapping[str, Tensor], file: Watched) -> None:
    """Write exactly the bytes of ``safetensors.torch.save_file``, but in pieces, since that cannot be cancelled."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name in sorted(tensors):
        begin, end = end, end + tensors[name].nbytes
        header[name] = {"dtype": "F32", "shape": list(tensors[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # so that the numbers lie where a processor likes to read them
    file.write(struct.pack("<Q", len(text)) + text)
    for name in sorted(tensors):
        file.write(tensors[name].numpy())


def _bytes(tensors: Mapping[str, Tensor]) -> int:
    """Return the bytes of these tensors in a file. Tensors that share their memory are stored once."""
    return sum({tensor.data_ptr(): tensor.nbytes for tensor in tensors.values()}.values())
