"""A state dict for the book's own ``GPTModel``, which loads it with ``strict=True``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from gptstudio import files
from gptstudio.data.encodings import Progress
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import message
from gptstudio.weights_io import tokenizer_files
from gptstudio.weights_io.exporting.export_format import ExportedModel, ExportFormat
from gptstudio.weights_io.writing import watched

if TYPE_CHECKING:
    from torch import Tensor


class Book(ExportFormat):
    """A file of ``torch.save``, and next to it the tokenizer, unless it is GPT-2's."""

    name = "book"
    title = message("The book's .pth")
    about = message(
        "A state dict. The book's own GPTModel loads it with load_state_dict if it has this configuration. A tokenizer "
        "other than GPT-2's is saved beside it, as NAME.tokenizer.json.")
    brief = "a state dict for the book's code"
    ending = ".pth"

    def write(self, model: ExportedModel, new: Path, progress: Progress) -> None:
        import torch

        from gptstudio.gpt import weights

        tensors = weights.to_book(model.weights, model.config)
        with watched(new, _bytes(tensors), progress) as file:
            torch.save(tensors, cast(IO[bytes], file))
        if model.tokenizer and model.tokenizer.file:
            self.companion(new).write_bytes(model.tokenizer.file)
            files.flush(self.companion(new))

    def companion(self, target: Path) -> Path:
        return tokenizer_files.tokenizer_path(target)

    def bytes_written(self, config: GPTConfig) -> int:
        return sizing.weight_bytes(config) + self.bytes_in_memory(config)

    def bytes_in_memory(self, config: GPTConfig) -> int:
        return sizing.FLOAT32 * config.context_length**2  # one causal mask for all blocks; the book has one for each

    def how_to_open(self, path: Path) -> str:
        return f"model.load_state_dict(torch.load({str(path)!r}, weights_only=True))"


def _bytes(tensors: Mapping[str, Tensor]) -> int:
    """Return the number of bytes of tensors in a file. Tensors that share memory are stored once."""
    return sum({tensor.data_ptr(): tensor.nbytes for tensor in tensors.values()}.values())
