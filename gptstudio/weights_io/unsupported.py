"""What a file or folder is that is not opened here, and where the same weights are to be had. No torch."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path

from gptstudio.errors import UserError
from gptstudio.weights_io.stored_tensors import opened

OPENED = (
    "GPT Studio opens the book's .pth, and published GPT-2 as a folder with config.json and model.safetensors (or "
    "pytorch_model.bin), or one of these files."
)
TENSORFLOW = re.compile(r"checkpoint|.*\.ckpt(\..*)?|.*\.(index|meta|data-\d{5}-of-\d{5})|saved_model\.pb")
PUBLISHED = {768: "gpt2", 1024: "gpt2-medium", 1280: "gpt2-large", 1600: "gpt2-xl"}
"""By width: the repositories of GPT-2 below openai-community on Hugging Face."""

BEGINNINGS = {  # how a file begins -> what it is
    b"GGUF": "a GGUF of llama.cpp, whose numbers are mostly rounded to a few bits. {other}",
    b"ggjt": "a GGML file of llama.cpp, whose numbers are mostly rounded to a few bits. {other}",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file, as Keras and TensorFlow keep weights. {other}",
    b"\x93NUMPY": "a single array of NumPy, and a model has many. {other}",
    b"\x1f\x8b": "compressed (gzip). Unpack it and choose what is in it.",
    b"7z\xbc\xaf": "compressed (7z). Unpack it and choose what is in it.",
    b"\xfd7zXZ": "compressed (xz). Unpack it and choose what is in it.",
    b"\x28\xb5\x2f\xfd": "compressed (Zstandard). Unpack it and choose what is in it.",
    b"%PDF": "a PDF. {opened}",
    b"version https://git-lfs": "a note of Git LFS in place of the weights, which were not fetched. Run 'git lfs pull' "
    "in its folder, or use Model > Download.",
    b"\x80": "a Python pickle and not a file of torch.save. To load it could run a program, so nothing of it was read. "
    "If you trust who made it, load it in Python and save the weights: torch.save(model.state_dict(), 'weights.pth').",
}
ENDINGS = {
    ".onnx": "an ONNX file: a program over weights. {other}",
    ".msgpack": "a file of Flax, the weights as JAX keeps them. {other}",
    ".pb": "a graph of TensorFlow. {other}",
    ".mlmodel": "a model of Core ML. {other}",
    ".tar": "a folder packed with tar. Unpack it and choose what is in it.",
}
OTHER = "Look for model.safetensors where you found it, or save it from the program that made it. " + OPENED
TAR = (257, b"ustar")
"""Where a tar says so, behind its first entry's name."""


def what(path: Path) -> str:
    """What a file is that is neither safetensors nor of torch.save; goes on after its name.

    Raises:
        OSError: it cannot be read.
    """
    if TENSORFLOW.fullmatch(path.name):
        return tensorflow(path.parent)
    with opened(path) as file:
        begin = file.read(512)
    if not begin:
        return "it is empty. It was cut off on its way; get it once more."
    ending = ".tar" if begin[TAR[0] :].startswith(TAR[1]) else path.suffix.lower()
    known = next((message for mark, message in BEGINNINGS.items() if begin.startswith(mark)), ENDINGS.get(ending))
    if known:
        return "it is " + known.format(other=OTHER, opened=OPENED)
    if _is_text(begin):
        return f"it is a text and holds no weights. {OPENED} Texts to train on are chosen in the Train tab."
    return f"it is no file of weights that is known here, or its beginning was damaged. {OPENED}"


def what_folder(path: Path) -> str:
    """What a folder is in which no weights were found; goes on after its name.

    Raises:
        OSError: it cannot be read.
    """
    names = sorted(entry.name for entry in path.iterdir())
    if not names:
        return f"the folder is empty. {OPENED}"
    if any(name != "checkpoint" and TENSORFLOW.fullmatch(name) for name in names) or "hparams.json" in names:
        return tensorflow(path)
    if "adapter_config.json" in names:
        return (
            "it is an adapter (LoRA): small changes to a model that is not in it. Merge it into its model with peft's "
            "merge_and_unload(), save that with save_pretrained(), and choose the folder."
        )
    inside = [name for name in names if Path(name).suffix in (".safetensors", ".pth", ".pt", ".bin")]
    if inside:
        return f"it holds no model.safetensors. Choose the file that is meant: {', '.join(inside[:5])}."
    for name in names:
        if Path(name).suffix in (".gguf", ".onnx", ".h5", ".msgpack"):
            return f"it holds {name}. {OTHER}"
    return f"there are no weights in it. {OPENED}"


def tensorflow(folder: Path) -> str:
    """That this is what OpenAI published in 2019, and where the same is to be had."""
    name = PUBLISHED.get(_width(folder))
    where = f"openai-community/{name}" if name else "openai-community (gpt2, gpt2-medium, gpt2-large, gpt2-xl)"
    return (
        "it is a TensorFlow checkpoint, as OpenAI published GPT-2 in 2019, and is read by TensorFlow alone. The same "
        f"weights are there as safetensors: Model > Download fetches them{f' ({name})' if name else ''}, or take "
        f"config.json and model.safetensors of {where} on Hugging Face into a folder and open that."
    )


def _width(folder: Path) -> int:
    """``n_embd`` of OpenAI's hparams.json; 0 where it does not say."""
    try:
        with opened(folder / "hparams.json") as file:
            values = json.loads(file.read(10_000))
        width = values["n_embd"]
    except (UserError, OSError, ValueError, LookupError, TypeError, RecursionError):  # somebody's own file of this name
        return 0
    return width if isinstance(width, int) else 0


def _is_text(begin: bytes) -> bool:
    """Whether these bytes can begin a text; the last character may be cut."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begin)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in begin
