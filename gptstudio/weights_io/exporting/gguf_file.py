"""A GGUF file for llama.cpp and the programs built on it; written by ggml's own package ``gguf``.

Layout: llama.cpp, ``docs/gguf.md``. Matrices are stored as in ``torch.nn.Linear``, (out, in).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gptstudio import __version__, paths
from gptstudio.data.encodings import Progress
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import END_OF_TEXT, GPT2, Tokenizer
from gptstudio.gpt.weight_shapes import BLOCK, BOOK, FUSED, HUGGINGFACE, OUTER, our_shapes
from gptstudio.i18n import message
from gptstudio.training.model_source import LoadableModel
from gptstudio.weights_io import tokenizer_files
from gptstudio.weights_io.exporting.export_format import ExportedModel, ExportFormat, known_tokenizer
from gptstudio.weights_io.writing import Watched, watched

if TYPE_CHECKING:
    import numpy as np
    from gguf import GGMLQuantizationType, GGUFWriter

FILE_TYPES = {"F32": "ALL_F32", "F16": "MOSTLY_F16", "BF16": "MOSTLY_BF16", "Q8_0": "MOSTLY_Q8_0"}
"""Type of the matrices -> type of the file, both with their names in ``gguf``."""
NOTICE = "gptstudio.tokenizer_notice"
"""Key of the notice that the licence of GPT-2's vocabulary requires."""
OTHER_RULES = ("byte_fallback", "continuing_subword_prefix", "dropout", "end_of_word_suffix", "fuse_unk", "unk_token")
"""Keys of ``tokenizer.json`` for rules that GPT-2's encoding does not have."""


@dataclass(frozen=True)
class TensorRows:
    """A tensor in the file: the stacked rows of our tensors. Tensors that the model lacks are zeros."""

    name: str
    shape: tuple[int, ...]
    kept: GGMLQuantizationType
    ours: Sequence[str]

    @property
    def bytes(self) -> int:
        import gguf

        return math.prod(gguf.quant_shape_to_byte_shape(self.shape, self.kept))

    def array(self, model: ExportedModel) -> np.ndarray[Any, Any]:
        import gguf
        import numpy as np

        rows = [model.weights[name].numpy() for name in self.ours if name in model.weights]
        whole = rows[0] if len(rows) == 1 else np.concatenate(rows) if rows else np.zeros(self.shape, np.float32)
        return gguf.quants.quantize(whole, self.kept)


class Gguf(ExportFormat):
    """Configuration, vocabulary and weights in one file, for the architecture ``gpt2`` of llama.cpp.

    Attributes:
        numbers: type of the matrices, one of ``FILE_TYPES``.
    """

    name = "gguf"
    title = message("GGUF (llama.cpp)")
    about = message(
        "One file with the weights in float32, configuration and tokenizer. llama.cpp opens it, and programs that are "
        "built on it.")
    brief = "a file for llama.cpp and programs that are built on it"
    ending = ".gguf"

    def __init__(self, numbers: str = "F32") -> None:
        self.numbers = numbers

    def write(self, model: ExportedModel, new: Path, progress: Progress) -> None:
        import gguf
        import numpy as np

        writer = gguf.GGUFWriter(None, "gpt2")
        _describe(writer, model)
        writer.add_file_type(gguf.LlamaFileType[FILE_TYPES[self.numbers]])
        _add_vocabulary(writer, model)
        parts = list(parts_of(model.config, gguf.GGMLQuantizationType[self.numbers]))
        for part in parts:
            writer.add_tensor_info(part.name, part.shape, np.dtype(np.float32), part.bytes, part.kept)
        with watched(new, sum(part.bytes for part in parts), progress) as file:
            writer.fout, writer.state = cast(Any, [file]), gguf.gguf_writer.WriterState.EMPTY  # as if it had opened it
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.write_ti_data_to_file()
            for part in parts:
                writer.write_tensor_data(cast(Any, _Data(part.array(model))))

    def bytes_written(self, config: GPTConfig) -> int:
        """Return the number of bytes in float32, the most that any type needs."""
        return sizing.weight_bytes(config.but(qkv_bias=True))  # biases that the model lacks are zeros

    def bytes_in_memory(self, config: GPTConfig) -> int:
        return sizing.FLOAT32 * config.emb_dim * max(4 * config.emb_dim, config.vocab_size)  # one more tensor

    def lacks(self, origin: LoadableModel) -> str:
        tokenizer = known_tokenizer(origin)
        if tokenizer is None or _byte_pairs(tokenizer):
            return ""
        return message(
            "The file does not contain the tokenizer of this model, since llama.cpp would read texts in another way. "
            "Programs that open it can only use token IDs.")

    def how_to_open(self, path: Path) -> str:
        return f"llama_cpp.Llama({str(path)!r})"


class _Data:
    """Array that the writer passes to a watched file in pieces; numpy itself needs a file of the operating system."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array, self.nbytes = array, array.nbytes

    def tofile(self, file: Watched) -> None:
        file.write(self.array)


def parts_of(config: GPTConfig, matrices: GGMLQuantizationType) -> Iterator[TensorRows]:
    """Yield the tensors of a file. Positions, biases, norms, and matrices with rows that are not whole blocks of the
    type ``matrices`` stay in float32; llama.cpp's own converter does the same for the first three."""
    import gguf

    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.GPT2, config.n_layers)  # keys: names by Hugging Face
    ours, block = our_shapes(config), gguf.GGML_QUANT_SIZES[matrices][0]
    for theirs, held in _sources(config):
        rows = sum(ours[name][0] for name in held if name in ours) or 3 * config.emb_dim
        shape = (rows, *ours.get(held[0], ())[1:])
        packed = len(shape) == 2 and theirs != HUGGINGFACE.positions and shape[1] % block == 0
        name = names.get_name(theirs, (".weight", ".bias"))
        yield TensorRows(name or theirs, shape, matrices if packed else gguf.GGMLQuantizationType.F32, held)


def _sources(config: GPTConfig) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield Hugging Face's name of each tensor, and our names of its rows."""
    outer = ((theirs, [name]) for name, theirs in OUTER.items() if name != BOOK.head or not config.tie_weights)
    yield from outer
    for number in range(config.n_layers):
        here, there = f"{BOOK.blocks}.{number}.", f"{HUGGINGFACE.blocks}.{number}."
        yield from ((there + theirs, [here + name]) for name, theirs in BLOCK.items())
        for kind in ("weight", "bias"):
            yield f"{there}attn.c_attn.{kind}", [f"{here}{name}.{kind}" for name in FUSED]


def _describe(writer: GGUFWriter, model: ExportedModel) -> None:
    config = model.config
    writer.add_name(model.source)
    writer.add_description(f"Exported by GPT Studio {__version__}")
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(config.context_length)
    writer.add_embedding_length(config.emb_dim)
    writer.add_feed_forward_length(4 * config.emb_dim)
    writer.add_block_count(config.n_layers)
    writer.add_head_count(config.n_heads)
    writer.add_layer_norm_eps(1e-5)


def _add_vocabulary(writer: GGUFWriter, model: ExportedModel) -> None:
    """Add tokens and merges, and unused tokens for further rows of the embedding. If the tokens are unknown, or
    llama.cpp would split texts differently, the file has no tokenizer: llama.cpp then accepts only token IDs."""
    from gguf import TokenType

    found = _byte_pairs(model.tokenizer) if model.tokenizer else None
    if model.tokenizer is None or found is None:
        writer.add_tokenizer_model("none")
        return
    names, types = dict[int, str](), dict[int, TokenType]()
    for name, number in found.numbers.items():
        names[number] = name
        special = found.special.get(name)
        types[number] = (TokenType.NORMAL if special is None else
                         TokenType.CONTROL if special else TokenType.USER_DEFINED)
    rows = range(model.config.vocab_size)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([names.get(row, f"[PAD{row}]") for row in rows])
    writer.add_token_types([types.get(row, TokenType.UNUSED) for row in rows])
    writer.add_token_merges(found.merges)
    if model.tokenizer.end is not None:
        writer.add_bos_token_id(model.tokenizer.end)
        writer.add_eos_token_id(model.tokenizer.end)
    writer.add_add_bos_token(False)
    if model.tokenizer == GPT2:
        writer.add_string(NOTICE, (paths.resources() / "gpt2" / "NOTICE").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class _BytePairs:
    """Byte-level encoding that splits texts into words as GPT-2's does.

    Attributes:
        numbers: ID of each token.
        special: tokens found in texts before these are split -> True for control tokens, False for text.
        merges: pairs, separated by a space, in the order of merging.
    """

    numbers: Mapping[str, int]
    special: Mapping[str, bool]
    merges: Sequence[str]


def _byte_pairs(tokenizer: Tokenizer) -> _BytePairs | None:
    """Return a tokenizer in the form that llama.cpp can compute; None if it cannot."""
    if tokenizer == GPT2:
        return _BytePairs(tokenizer_files.gpt2()[0], {END_OF_TEXT: True}, tokenizer_files.gpt2()[1])
    values = json.loads(tokenizer.file)
    model = values["model"]
    if model.get("type") != "BPE" or any(map(model.get, OTHER_RULES)) or not tokenizer_files.splits_as_gpt2(values):
        return None
    added = {each["content"]: each for each in values.get("added_tokens") or ()}
    pairs = (pair if isinstance(pair, str) else " ".join(pair) for pair in model["merges"])
    return _BytePairs(
        model["vocab"] | {name: each["id"] for name, each in added.items()},
        {name: bool(each.get("special")) for name, each in added.items()}, list(pairs))
