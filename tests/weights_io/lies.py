"""Headers of safetensors files with false sizes, which are compared with the file before anything is read."""

import json
from pathlib import Path

from weight_files import safetensors


def entry(shape=(2, 2), offsets=(0, 16), dtype="F32"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def double_name(path: Path) -> Path:
    one = json.dumps(entry())
    return safetensors(path, f'{{"a": {one}, "a": {one}}}'.encode(), bytes(16))


SAFETENSORS = {
    "header of 2**63 bytes": (
        lambda p: safetensors(p, {}, length=2**63), "its header would be 9,223,372,036,854,775,808"
    ),
    "header longer than the file": (lambda p: safetensors(p, {"a": entry()}, length=999), "its header would be 999"),
    "header of 5 MB": (lambda p: safetensors(p, b"{" + b" " * 5_000_000 + b"}"), "its header takes 5 MB"),
    "many tensors": (
        lambda p: safetensors(p, b"{" + b",".join(b'"%d":0' % n for n in range(200_000)) + b"}"),
        "lists 200,000 tensors",
    ),
    "no JSON": (lambda p: safetensors(p, b"{nothing"), "its header cannot be read"),
    "not UTF-8": (lambda p: safetensors(p, b'{"\xff": 1}'), "its header cannot be read"),
    "deep JSON": (lambda p: safetensors(p, b'{"a":' * 100_000), "its header cannot be read"),
    "endless number": (lambda p: safetensors(p, b'{"a":' + b"9" * 100_000 + b"}"), "its header cannot be read"),
    "name twice": (double_name, "a name occurs twice"),
    "no tensors": (lambda p: safetensors(p, {}), "not those of a GPT-2"),
    "no entry": (lambda p: safetensors(p, {"a": 3}), "is not a valid type, shape and position."),
    "shape as words": (
        lambda p: safetensors(p, {"a": {**entry(), "shape": ""}}), "is not a valid type, shape and position."
    ),
    "shape of floats": (lambda p: safetensors(p, {"a": entry((2.0, 2.0))}), "is not a valid type, shape and position."),
    "shape of truths": (
        lambda p: safetensors(p, {"a": entry((True, 4))}, bytes(16)), "is not a valid type, shape and position."
    ),
    "negative shape": (
        lambda p: safetensors(p, {"a": entry((-2, -2))}, bytes(16)), "is not a valid type, shape and position."
    ),
    "many dimensions": (
        lambda p: safetensors(p, {"a": entry([1] * 9, (0, 4))}, bytes(4)), "is not a valid type, shape and position."
    ),
    "negative place": (
        lambda p: safetensors(p, {"a": entry((2, 2), (-16, 0))}, bytes(16)), "is not a valid type, shape and position."
    ),
    "place turned round": (lambda p: safetensors(p, {"a": entry((2, 2), (16, 0))}, bytes(16)), "but its place has -16"),
    "shape too large": (
        lambda p: safetensors(p, {"a": entry((2**40, 2**40))}, bytes(16)), "has the shape (1099511627776,"
    ),
    "shape too small": (
        lambda p: safetensors(p, {"a": entry((2, 1))}, bytes(16)), "takes 8 bytes, but its place has 16"
    ),
    "beyond the end": (
        lambda p: safetensors(p, {"a": entry((2, 2), (16, 32))}, bytes(16)),
        "its tensors overlap, or there are gaps between them.",
    ),
    "far beyond the end": (lambda p: safetensors(p, {"a": entry((2**30,), (0, 2**32))}, bytes(16)), "take 4,294,967,"),
    "overlap": (
        lambda p: safetensors(p, {"a": entry(), "b": entry((2, 2), (8, 24))}, bytes(24)),
        "its tensors overlap, or there are gaps between them.",
    ),
    "hole": (
        lambda p: safetensors(p, {"a": entry(), "b": entry((2, 2), (20, 36))}, bytes(36)),
        "its tensors overlap, or there are gaps between them.",
    ),
    "more behind": (lambda p: safetensors(p, {"a": entry()}, bytes(17)), "but the file has"),
    "unknown type": (lambda p: safetensors(p, {"a": entry(dtype="F4")}, bytes(16)), "is stored as F4"),
    "type as a list": (
        lambda p: safetensors(p, {"a": {**entry(), "dtype": ["F32"]}}), "is not a valid type, shape and position."
    ),
    "long name": (lambda p: safetensors(p, {"a\n" * 10**6: entry()}, bytes(16)), "not those of a GPT-2"),
}
