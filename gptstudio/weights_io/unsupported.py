"""Identification of files or folders that cannot be opened here, and other sources of the same weights. No torch."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path

from gptstudio.errors import UserError, shown
from gptstudio.i18n import Message, message
from gptstudio.weights_io.stored_tensors import opened

OPENED = message(
    "GPT Studio opens the book's .pth files, checkpoints of nanoGPT and published GPT-2 models: a folder with "
    "config.json and model.safetensors (or pytorch_model.bin), or one of these files."
)
TENSORFLOW = re.compile(r"checkpoint|.*\.ckpt(\..*)?|.*\.(index|meta|data-\d{5}-of-\d{5})|saved_model\.pb")
PUBLISHED = {768: "gpt2", 1024: "gpt2-medium", 1280: "gpt2-large", 1600: "gpt2-xl"}
"""By width: the repositories of GPT-2 below openai-community on Hugging Face."""

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


BEGINNINGS = {  # how a file begins -> what it is
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
"""Position and signature of a tar file, after its first entry's name."""


def what(path: Path) -> Message:
    """Describe a file that is neither safetensors nor of torch.save; the text follows its name.

    Raises:
        OSError: it cannot be read.
    """
    if TENSORFLOW.fullmatch(path.name):
        return tensorflow(path.parent)
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


def what_folder(path: Path) -> Message:
    """Describe a folder in which no weights were found; the text follows its name.

    Raises:
        OSError: it cannot be read.
    """
    names = sorted(entry.name for entry in path.iterdir())
    if not names:
        return message("the folder is empty. {opened}", opened=OPENED)
    if any(name != "checkpoint" and TENSORFLOW.fullmatch(name) for name in names) or "hparams.json" in names:
        return tensorflow(path)
    if "adapter_config.json" in names:
        return message(
            "it is a LoRA adapter: small changes to a model, without the model itself. Merge it into its model with "
            "peft's merge_and_unload(), save the result with save_pretrained(), and choose that folder."
        )
    inside = [name for name in names if Path(name).suffix in (".safetensors", ".pth", ".pt", ".bin")]
    if inside:
        return message(
            "it contains no model.safetensors. Choose the file you want to open: {names}.",
            names=", ".join(shown(name) for name in inside[:5]),
        )
    for name in names:
        if Path(name).suffix in (".gguf", ".onnx", ".h5", ".msgpack"):
            return message("it contains {name}. {other}", name=shown(name), other=OTHER)
    return message("it contains no weights. {opened}", opened=OPENED)


def tensorflow(folder: Path) -> Message:
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
