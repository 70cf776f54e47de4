"""Inspection of a file or folder of weights by its headers: its format, the configuration of the model, and the
position of each tensor. No torch.

Invalid content is rejected here, before any memory is allocated. For a file or folder that cannot be opened, the
message says what it is, and where the same weights are available.
"""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from gptstudio.errors import UserError, shown
from gptstudio.gpt import published, weight_shapes
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import FILE, GPT2, Tokenizer
from gptstudio.i18n import Message, message
from gptstudio.training import checkpoint_files
from gptstudio.training.run_folder import RunFolder
from gptstudio.weights_io import huggingface_folder, nanogpt, pth_file, tokenizer_files
from gptstudio.weights_io.refusals import CHANGED, errors_as_messages, refused
from gptstudio.weights_io.stored_tensors import READABLE, Place, Stored, opened, part

OPENED = message(
    "GPT Studio opens the book's .pth files, checkpoints of nanoGPT and published GPT-2 models: a folder with "
    "config.json and model.safetensors (or pytorch_model.bin), or one of these files."
)
TENSORFLOW = re.compile(r"checkpoint|.*\.ckpt(\..*)?|.*\.(index|meta|data-\d{5}-of-\d{5})|saved_model\.pb")
PUBLISHED = {768: "gpt2", 1024: "gpt2-medium", 1280: "gpt2-large", 1600: "gpt2-xl"}
"""Repositories of GPT-2 in openai-community on Hugging Face, by the width of the model."""

OTHER = message(
    "Look for model.safetensors in the place you got it from, or save it from the program that created it. {opened}",
    opened=OPENED,
)


def _llama(kind: str) -> Message:
    return message(
        "it is a {kind} file (llama.cpp), whose weights are usually quantised to a few bits. {other}",
        kind=kind, other=OTHER,
    )


def _packed(kind: str) -> Message:
    return message("it is compressed ({kind}). Unpack it, then choose the file inside.", kind=kind)


BEGINNINGS = {  # first bytes of a file -> description
    b"GGUF": _llama("GGUF"),
    b"ggjt": _llama("GGML"),
    b"\x89HDF\r\n\x1a\n":
    message("it is an HDF5 file, in which Keras and TensorFlow store weights. {other}", other=OTHER),
    b"\x93NUMPY": message("it is a single NumPy array, but a model has many. {other}", other=OTHER),
    b"\x1f\x8b": _packed("gzip"),
    b"7z\xbc\xaf": _packed("7z"),
    b"\xfd7zXZ": _packed("xz"),
    b"\x28\xb5\x2f\xfd": _packed("Zstandard"),
    b"%PDF": message("it is a PDF. {opened}", opened=OPENED),
    (20240326).to_bytes(4, "little"): message(
        "it is a weights file of llm.c, for its C program. For OpenAI's GPT-2, use Model > Download. Convert a model "
        "that llm.c trained with its dev/eval/export_hf.py, and open the folder that it writes."
    ),
    b"version https://git-lfs": message(
        "it is a Git LFS pointer: the weights themselves were not downloaded. Run 'git lfs pull' in its folder, or use "
        "Model > Download."
    ),
    b"\x80": message(
        "it is a Python pickle that was not saved with torch.save. Loading it could run a program, so none of it was "
        "read. If you trust its author, load it in Python and save only the weights: torch.save(model.state_dict(), "
        "'weights.pth')."
    ),
}
ENDINGS = {
    ".onnx": message(
        "it is an ONNX file, which contains a computation graph besides the weights. {other}", other=OTHER),
    ".msgpack": message("it is a Flax file, in which JAX stores weights. {other}", other=OTHER),
    ".pb": message("it is a TensorFlow graph. {other}", other=OTHER),
    ".mlmodel": message("it is a Core ML model. {other}", other=OTHER),
    ".tar": message("it is a tar archive. Unpack it, then choose what is inside."),
}
TAR = (257, b"ustar")
"""Position and signature of a tar file; the name of its first entry comes before."""


def unsupported_file(path: Path) -> Message:
    """Describe a file that is neither safetensors nor from torch.save; the text is shown after its name.

    Raises:
        OSError: the file cannot be read.
    """
    if TENSORFLOW.fullmatch(path.name):
        return tensorflow_checkpoint(path.parent)
    with opened(path) as file:
        begin = file.read(512)
    if not begin:
        return message("it is empty. The download or copy was incomplete; download or copy it again.")
    ending = ".tar" if begin[TAR[0] :].startswith(TAR[1]) else path.suffix.lower()
    known = next((what for mark, what in BEGINNINGS.items() if begin.startswith(mark)), ENDINGS.get(ending))
    if known:
        return known
    if _is_text(begin):
        return message(
            "it is a text file and contains no weights. {opened} To train on a text, choose it in the Train tab.",
            opened=OPENED,
        )
    return message("it is not a known weights file, or its beginning is damaged. {opened}", opened=OPENED)


def unsupported_folder(path: Path) -> Message:
    """Describe a folder in which no weights were found; the text is shown after its name.

    Raises:
        OSError: the folder cannot be read.
    """
    names = sorted(entry.name for entry in path.iterdir())
    if not names:
        return message("the folder is empty. {opened}", opened=OPENED)
    if any(name != "checkpoint" and TENSORFLOW.fullmatch(name) for name in names) or "hparams.json" in names:
        return tensorflow_checkpoint(path)
    if "adapter_config.json" in names:
        return message(
            "it is a LoRA adapter: small changes to a model, without the model itself. Merge it into its model with "
            "peft's merge_and_unload(), save the result with save_pretrained(), and choose that folder."
        )
    inside = [name for name in names if Path(name).suffix in (".safetensors", ".pth", ".pt", ".bin")]
    if broken := [name for name in huggingface_folder.WEIGHTS if name in names]:  # as in a cache that was cleaned up
        return message(
            "{file} in it is a link to a file that does not exist. Download the model again.", file=broken[0])
    if inside:
        return message(
            "it contains no model.safetensors. Choose the file you want to open: {names}.",
            names=", ".join(shown(name) for name in inside[:5]),
        )
    for name in names:
        if Path(name).suffix in (".gguf", ".onnx", ".h5", ".msgpack"):
            return message("it contains {name}. {other}", name=shown(name), other=OTHER)
    return message("it contains no weights. {opened}", opened=OPENED)


def tensorflow_checkpoint(folder: Path) -> Message:
    """Describe OpenAI's TensorFlow release of 2019, and where to get the same weights."""
    name = PUBLISHED.get(_width(folder))
    return message(
        "it is a TensorFlow checkpoint, the format in which OpenAI published GPT-2 in 2019, and only TensorFlow can "
        "read it. The same weights are available as safetensors: Model > Download gets them ({name}), or download "
        "config.json and model.safetensors of openai-community/{name} from Hugging Face into a folder and open that "
        "folder.", name=name,
    ) if name else message(
        "it is a TensorFlow checkpoint, the format in which OpenAI published GPT-2 in 2019, and only TensorFlow can "
        "read it. The same weights are available as safetensors: Model > Download gets them, or download config.json "
        "and model.safetensors of openai-community ({names}) from Hugging Face into a folder and open that folder.",
        names=", ".join(PUBLISHED.values()),
    )


def _width(folder: Path) -> int:
    """Return ``n_embd`` of OpenAI's hparams.json; 0 if it is missing."""
    try:
        with opened(folder / "hparams.json") as file:
            values = json.loads(file.read(10_000))
        width = values["n_embd"]
    except (UserError, OSError, ValueError, LookupError, TypeError, RecursionError):  # another file of this name
        return 0
    return width if isinstance(width, int) else 0


def _is_text(begin: bytes) -> bool:
    """Return whether a text can begin with these bytes; the last character may be incomplete."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begin)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in begin


Kind = Literal["book", "huggingface", "nanogpt", "gptstudio"]
Tensors = Mapping[str, Stored]

DESCRIPTIONS = (huggingface_folder.CONFIG, "generation_config.json", checkpoint_files.STATE, checkpoint_files.SUMS)
"""Files in a model's folder that a user may choose in order to open the model."""


@dataclass(frozen=True)
class FoundModel:
    """A model that can be imported.

    Attributes:
        kind: naming of its tensors: the book's, Hugging Face's, nanoGPT's, or a complete checkpoint of GPT Studio.
        name: proposed name.
        files: files with the weights.
        stored: types of its numbers, such as ``fp32`` or ``bf16, fp32``.
        heads_read: whether the file gives the number of heads; otherwise ``config`` has the requested number, or the
            most likely one.
        bytes: total size of ``files``.
        versions: size and modification time of each of ``files`` when it was inspected.
        left_out: names of tensors for other tasks, next to a complete language model, that are not read.
        tokenizer: its tokenizer; GPT-2's if no file has one, which is wrong if the model has fewer tokens.
    """

    path: Path
    kind: Kind
    name: str
    config: GPTConfig
    files: tuple[Path, ...]
    stored: str
    heads_read: bool
    possible_heads: tuple[int, ...]
    bytes: int
    versions: tuple[tuple[int, int], ...]
    tensors: Tensors = field(repr=False)
    left_out: tuple[str, ...] = ()
    tokenizer: Tokenizer = GPT2

    def check_unchanged(self) -> None:
        """Raise an ExchangeError if a file has changed since it was inspected."""
        if _versions(self.files) != self.versions:
            raise refused(self.path, CHANGED)


def _versions(files: Sequence[Path]) -> tuple[tuple[int, int], ...]:
    return tuple((stat.st_size, stat.st_mtime_ns) for stat in (file.stat() for file in files))


def inspect(path: Path, n_heads: int | None = None) -> FoundModel:
    """Return the model in a file or folder. Reads only headers.

    Args:
        n_heads: number of heads for files that do not give it; None: the most likely number.

    Raises:
        ExchangeError: the path is something else, was truncated or damaged, has invalid metadata, or must not be read;
            the message says what to do.
    """
    path = Path(os.path.abspath(path))  # keeps links: in Hugging Face's cache they have the names
    with errors_as_messages(path):
        meant = _meant(path)
        if meant.is_dir() and (meant / checkpoint_files.STATE).exists():
            return _ours(path, meant, n_heads)
        meant = huggingface_folder.model_in(meant) if meant.is_dir() else meant
        file = huggingface_folder.weights_in(meant) if meant.is_dir() else meant
        if file is None:
            raise refused(path, unsupported_folder(path))
        if not file.name.endswith(huggingface_folder.INDEX) and not _is_weights(file):
            raise refused(file, unsupported_file(file))
        tensors, files = huggingface_folder.tensors(file)
        found = _theirs(path, file, tensors, files, n_heads)
        return _with_tokenizer(found, file.parent, tokenizer_files.find(
            file, found.config.vocab_size, found.kind == "nanogpt"))


def _meant(path: Path) -> Path:
    """Return the file or folder of the model if the user chose a part of it: config.json, a shard, a run's folder."""
    path.stat()
    if path.is_dir():
        return RunFolder(path).newest_checkpoint() if (path / "run.json").exists() else path
    part_of = path.name in DESCRIPTIONS or huggingface_folder.SHARD.fullmatch(path.name)
    beside = path.name == checkpoint_files.WEIGHTS and (path.parent / checkpoint_files.STATE).exists()
    return path.parent if part_of or beside or path.name.endswith(huggingface_folder.INDEX) else path


def _is_weights(file: Path) -> bool:
    """Return whether a file begins like safetensors or like a file of torch.save."""
    with opened(file) as start:
        begin = part(start, Place(0, len(pth_file.LEGACY_MARK)))
    return begin.startswith(pth_file.ZIP_MARK) or begin == pth_file.LEGACY_MARK or begin[8:9] == b"{"


def _ours(path: Path, folder: Path, n_heads: int | None) -> FoundModel:
    for name in (checkpoint_files.STATE, checkpoint_files.SUMS):
        huggingface_folder.read_small(folder / name)  # checks that it is a small regular file
    config = checkpoint_files.read_state(folder).config
    tensors, files = huggingface_folder.tensors(folder / checkpoint_files.WEIGHTS)
    weight_shapes.check_shapes(_shapes(tensors), config, weight_shapes.BOOK)
    name = folder.parent.parent.name if folder.parent.name == "checkpoints" else folder.name
    found = _found(path, "gptstudio", name, config, files, tensors, _heads(path, config, n_heads))
    if config.vocabulary == "gpt2":
        return found
    tokenizer_files.read(folder / FILE)  # checks that it is a regular file, and not too large
    return _with_tokenizer(found, folder, checkpoint_files.read_tokenizer(folder))


def _with_tokenizer(found: FoundModel, folder: Path, tokenizer: Tokenizer) -> FoundModel:
    """Return the model with its tokenizer. The embedding may have rows without a token: GPT-2's is often padded."""
    if tokenizer == GPT2:
        return found
    if tokenizer.size > found.config.vocab_size:
        raise refused(folder, message(
            "its tokenizer has {tokens} tokens, but its weights have rows for only {rows}, so the tokenizer is that of "
            "another model. Put the model's own tokenizer files there, and open it again.",
            tokens=f"{tokenizer.size:,}", rows=f"{found.config.vocab_size:,}"))
    config = found.config.but(vocabulary=tokenizer.kind, vocab_size=found.config.vocab_size)
    return replace(found, tokenizer=tokenizer, config=config)


def _theirs(path: Path, file: Path, tensors: Tensors, files: tuple[Path, ...], n_heads: int | None) -> FoundModel:
    book = any(name.endswith(weight_shapes.BOOK.embedding) for name in tensors)
    layout = weight_shapes.BOOK if book else weight_shapes.HUGGINGFACE
    if not any(name.endswith((layout.embedding, layout.head)) for name in tensors):
        first = ", ".join(shown(name) for name in list(tensors)[:3]) or "none"
        raise refused(file, message(
            "its tensors are not those of a GPT-2. The first tensors are: {first}. {opened}", first=first,
            opened=OPENED))
    description = file.with_name(huggingface_folder.CONFIG)
    described = description.exists()
    says = huggingface_folder.read_json(description) if described and not book else {}
    tensors, left_out = (tensors, ()) if book else _of_language(tensors, says)
    kind: Kind = "book" if book else "nanogpt" if nanogpt.is_nanogpt(tensors) else "huggingface"
    if kind == "nanogpt":
        tensors = nanogpt.as_huggingface(tensors)
    if not described:
        tensors = _without_copy(tensors, layout)
    shapes = _shapes(tensors)
    if kind == "nanogpt":
        shapes |= nanogpt.absent_biases(shapes)
    heads: tuple[int, ...] = ()
    if described:
        config = published.config_from_huggingface(says)
        weight_shapes.check_shapes(shapes, config, layout)
        heads = _heads(path, config, n_heads)
    else:
        has_arguments = kind == "nanogpt" and file.suffix != ".safetensors"  # in addition to the weights
        said = pth_file.number_in(file, nanogpt.ARGUMENTS, nanogpt.HEADS) if has_arguments else None
        config = weight_shapes.config_from_shapes(shapes, layout, said or n_heads)
        if said:
            heads = _heads(path, config, n_heads)
    return replace(_found(path, kind, _name(path, file), config, files, tensors, heads), left_out=left_out)


def _of_language(tensors: Tensors, says: Mapping[str, Any]) -> tuple[Tensors, tuple[str, ...]]:
    """Return the tensors of the language model, and the names of those for another task. A model for only another task
    has no output layer of its own, and its configuration does not name a language model."""
    plain = {name: weight_shapes.plain_name(name) for name in tensors}
    others = {name for name in tensors if plain[name].partition(".")[0] in weight_shapes.OTHER_HEADS}
    heads = [name for name in tensors if plain[name] == weight_shapes.HUGGINGFACE.head]
    if len(heads) > 1:  # transformers uses the first one, and has no layer for the other
        others |= {name for name in heads if name.endswith(weight_shapes.SECOND_HEAD)}
    writes = bool(heads) or any(
        kind in str(says.get("architectures")) for kind in ("LMHead", "DoubleHeads"))
    if not (others and writes):
        return tensors, ()
    return {name: stored for name, stored in tensors.items() if name not in others}, tuple(sorted(others))


def _found(
    path: Path, kind: Kind, name: str, config: GPTConfig, files: tuple[Path, ...], tensors: Tensors,
    heads: tuple[int, ...] = (),
) -> FoundModel:
    """Return the model, after a check of its types. ``heads``: number of heads in the file; empty if it has none."""
    layout = weight_shapes.HUGGINGFACE if kind in ("huggingface", "nanogpt") else weight_shapes.BOOK
    needed = {name: stored for name, stored in tensors.items() if not layout.buffers.search(name)}
    for tensor, stored in needed.items():
        if stored.dtype not in READABLE:
            raise refused(stored.file, message(
                "{tensor} is stored as {dtype}, but only {kinds} can be read. The model was quantised or packed; "
                "choose the model as it was originally published.",
                tensor=shown(tensor), dtype=stored.dtype, kinds=", ".join(READABLE.values())))
    kinds, versions = sorted({READABLE[stored.dtype] for stored in needed.values()}), _versions(files)
    return FoundModel(
        path, kind, name, config, files, ", ".join(kinds), bool(heads),
        heads or tuple(weight_shapes.possible_heads(config.emb_dim)), sum(size for size, _ in versions), versions,
        needed,
    )


def _heads(path: Path, config: GPTConfig, asked: int | None) -> tuple[int]:
    if asked not in (None, config.n_heads):
        raise refused(path, message(
            "the file says that it has {n_heads} heads, not {asked}. Leave the number of heads unchanged.",
            n_heads=config.n_heads, asked=asked))
    return (config.n_heads,)


def _shapes(tensors: Tensors) -> dict[str, tuple[int, ...]]:
    return {name: stored.shape for name, stored in tensors.items()}


def _without_copy(tensors: Tensors, layout: weight_shapes.Layout) -> Tensors:
    """Return the tensors without a tied output layer, which has the token embedding's position in the file."""
    embeddings = [stored for name, stored in tensors.items() if name.endswith(layout.embedding)]
    tied = {name for name, stored in tensors.items() if name.endswith(layout.head) and stored in embeddings}
    return {name: stored for name, stored in tensors.items() if name not in tied}


def _name(path: Path, file: Path) -> str:
    """Return the name of a file, or of its folder for a standard name; in Hugging Face's cache, of the repository."""
    if file.name not in huggingface_folder.WEIGHTS:
        return path.stem
    folder = file.parent
    in_cache = folder.parent.name == "snapshots"
    return folder.parent.parent.name.rpartition("--")[2] if in_cache else folder.name
