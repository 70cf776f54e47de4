"""Identification of files or folders that cannot be opened here, and other sources of the same weights. No torch."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.weights_io.stored_tensors import opened

OPENED = message(
    "GPT Studio opens the book's .pth files, checkpoints of nanoGPT and published GPT-2 models: a folder with "
    "config.json and model.safetensors (or pytorch_model.bin), or one of these files."
)
TENSORFLOW = re.compile(r"checkpoint|.*\.ckpt(\..*)?|.*\.(index|meta|data-\d{5}-of-\d{5})|saved_model\.pb")
PUBLISHED = {768: "gpt2", 1024: "gpt2-medium", 1280: "gpt2-large", 1600: "gpt2-xl"}
"""By width: the repositories of GPT-2 below openai-community on Hugging Face."""

BEGINNINGS = {  # how a file begins -> what it is
    b"GGUF": "a GGUF file (llama.cpp), whose weights are usually quantised to a few bits. {other}",
    b"ggjt": "a GGML file (llama.cpp), whose weights are usually quantised to a few bits. {other}",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file, in which Keras and TensorFlow store weights. {other}",
    b"\x93NUMPY": "a single NumPy array, but a model has many. {other}",
    b"\x1f\x8b": "compressed (gzip). Unpack it, then choose the file inside.",
    b"7z\xbc\xaf": "compressed (7z). Unpack it, then choose the file inside.",
    b"\xfd7zXZ": "compressed (xz). Unpack it, then choose the file inside.",
    b"\x28\xb5\x2f\xfd": "compressed (Zstandard). Unpack it, then choose the file inside.",
    b"%PDF": "a PDF. {opened}",
    (20240326).to_bytes(4, "little"):
    "a weights file of llm.c, for its C program. For OpenAI's GPT-2, use Model > Download. Convert a model that llm.c "
    "trained with its dev/eval/export_hf.py, and open the folder that it writes.",
    b"version https://git-lfs":
    "a Git LFS pointer: the weights themselves were not downloaded. Run 'git lfs pull' in its folder, or use Model > "
    "Download.",
    b"\x80":
    "a Python pickle that was not saved with torch.save. Loading it could run a program, so none of it was read. If "
    "you trust its author, load it in Python and save only the weights: torch.save(model.state_dict(), 'weights.pth').",
}
ENDINGS = {
    ".onnx": "an ONNX file, which contains a computation graph besides the weights. {other}",
    ".msgpack": "a Flax file, in which JAX stores weights. {other}",
    ".pb": "a TensorFlow graph. {other}",
    ".mlmodel": "a Core ML model. {other}",
    ".tar": "a tar archive. Unpack it, then choose what is inside.",
}
OTHER = (
    "Look for model.safetensors in the place you got it from, or save it from the program that created it. "
) + OPENED
TAR = (257, b"ustar")
"""Position and signature of a tar file, after its first entry's name."""


def what(path: Path) -> str:
    """Describe a file that is neither safetensors nor of torch.save; the text follows its name.

    Raises:
        OSError: it cannot be read.
    """
    if TENSORFLOW.fullmatch(path.name):
        return tensorflow(path.parent)
    with opened(path) as file:
        begin = file.read(512)
    if not begin:
        return "it is empty. The download or copy was incomplete; download or copy it again."
    ending = ".tar" if begin[TAR[0] :].startswith(TAR[1]) else path.suffix.lower()
    known = next((message for mark, message in BEGINNINGS.items() if begin.startswith(mark)), ENDINGS.get(ending))
    if known:
        return "it is " + known.format(other=OTHER, opened=OPENED)
    if _is_text(begin):
        return f"it is a text file and contains no weights. {OPENED} To train on a text, choose it in the Train tab."
    return f"it is not a known weights file, or its beginning is damaged. {OPENED}"


def what_folder(path: Path) -> str:
    """Describe a folder in which no weights were found; the text follows its name.

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
            "it is a LoRA adapter: small changes to a model, without the model itself. Merge it into its model with "
            "peft's merge_and_unload(), save the result with save_pretrained(), and choose that folder."
        )
    inside = [name for name in names if Path(name).suffix in (".safetensors", ".pth", ".pt", ".bin")]
    if inside:
        return f"it contains no model.safetensors. Choose the file you want to open: {', '.join(inside[:5])}."
    for name in names:
        if Path(name).suffix in (".gguf", ".onnx", ".h5", ".msgpack"):
            return f"it contains {name}. {OTHER}"
    return f"it contains no weights. {OPENED}"


def tensorflow(folder: Path) -> str:
    """Describe OpenAI's TensorFlow release of 2019, and where to get the same weights."""
    name = PUBLISHED.get(_width(folder))
    where = f"openai-community/{name}" if name else "openai-community (gpt2, gpt2-medium, gpt2-large, gpt2-xl)"
    return (
        "it is a TensorFlow checkpoint, the format in which OpenAI published GPT-2 in 2019, and only TensorFlow can "
        "read it. The same weights are available as safetensors: Model > Download gets "
        f"them{f' ({name})' if name else ''}, or download config.json and model.safetensors of {where} from Hugging "
        "Face into a folder and open that folder."
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
    """Return whether these bytes can begin a text; the last character may be incomplete."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(begin)
    except UnicodeDecodeError:
        return False
    return b"\x00" not in begin
