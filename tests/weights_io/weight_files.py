"""Files of weights to open: real ones, and handmade ones that no program would write."""

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import torch
from torch import Tensor

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.model import GPTModel

os.environ["HF_HUB_OFFLINE"] = "1"

TINY = GPTConfig(vocab_size=97, context_length=16, emb_dim=64, n_heads=2, n_layers=2, drop_rate=0.0)
IDS = torch.arange(16)[None]


def book_model(config: GPTConfig = TINY, seed: int = 1) -> GPTModel:
    """Return a model of random weights, as the book's code would make it."""
    torch.manual_seed(seed)
    return GPTModel(config).eval()


def book_state(config: GPTConfig = TINY) -> dict[str, Tensor]:
    """Return the tensors that the book's code saves, with a causal mask in each block."""
    state, context = book_model(config).state_dict(), config.context_length
    for block in range(config.n_layers):
        state[f"trf_blocks.{block}.att.mask"] = torch.triu(torch.ones(context, context), diagonal=1)
    return state


def huggingface_model(tie: bool = True, layers: int = 2):
    """Return a model of random weights, as transformers makes it."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(2)
    config = GPT2Config(
        vocab_size=97, n_positions=16, n_embd=64, n_head=2, n_layer=layers, tie_word_embeddings=tie, bos_token_id=0,
        eos_token_id=0,
    )
    return GPT2LMHeadModel(config).eval()


def zipped(path: Path, pickle: bytes, storages: dict[str, bytes] | None = None, **options: int) -> Path:
    """Write a zip as torch.save would have written it for this pickle."""
    with zipfile.ZipFile(path, "w", **options) as archive:
        archive.writestr("archive/data.pkl", pickle)
        archive.writestr("archive/byteorder", b"little")
        for key, data in (storages or {}).items():
            archive.writestr(f"archive/data/{key}", data)
    return path


def tensor_code(elements: int, shape: tuple[int, ...], stride: tuple[int, ...], offset: int = 0) -> bytes:
    """Return the instructions that put a tensor of floats, which lie in storage '0', on the stack."""
    def numbers(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(number(value) for value in values) + b"t"

    storage = b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu") + number(elements) + b"tQ"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + numbers(shape) + numbers(stride) + (
        b"\x89}tR"
    )


def state_pickle(name: str, value: bytes) -> bytes:
    """Return a pickle of a dict with one entry."""
    return b"\x80\x02}" + text(name) + value + b"s."


def text(words: str) -> bytes:
    encoded = words.encode()
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def number(value: int) -> bytes:
    encoded = value.to_bytes(10, "little", signed=True)
    return b"\x8a" + bytes([len(encoded)]) + encoded


def safetensors(path: Path, header: object, data: bytes = b"", length: int | None = None) -> Path:
    """Write a file with this header, valid or not."""
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(encoded) if length is None else length) + encoded + data)
    return path


def saved(value: object, **options: object) -> bytes:
    """Return the bytes of torch.save."""
    file = io.BytesIO()
    torch.save(value, file, **options)
    return file.getvalue()

