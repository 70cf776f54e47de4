"""Reader of a file of ``torch.save`` by its own description, which is checked against its size. No torch: nothing is
unpickled.

Since torch 1.6 such a file is a zip: entries stored uncompressed, one of them a pickle that describes the saved object,
and one for each storage. Zip: PKWARE's APPNOTE; its contents: torch/serialization.py, ``_load``.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from gptstudio.errors import shown
from gptstudio.gpt import weight_shapes
from gptstudio.gpt.safetensors_header import ITEM_BYTES
from gptstudio.i18n import message
from gptstudio.units import MB
from gptstudio.weights_io import pickle_reader
from gptstudio.weights_io.pickle_reader import Tensor
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import Place, Stored, opened, part, rows

ZIP_MARK = b"PK\x03\x04"
LOCAL = struct.Struct("<4s22xHH")
"""Header of each entry of a zip: its signature, and the lengths of its name and of its extra field (APPNOTE 4.3.7)."""
LITTLE = b"little"


def zip_contents(file: IO[bytes], path: Path) -> tuple[Any, dict[str, Place]]:
    """Return the content of the pickle, and the position of each storage by its key.

    Raises:
        ExchangeError: the file is not a zip of torch.save, is damaged, or contains more than weights.
    """
    entries, end = _entries(file, path)
    root = _root(path, [entry.filename for entry in entries])
    places = dict(_places(file, path, entries, end))
    if len(places) < len(entries):
        raise refused(path, message("two of its entries have the same name. {damaged}", damaged=CUT_OFF))
    order = places.get(f"{root}byteorder")
    if order and (order.nbytes > len(LITTLE) or part(file, order) != LITTLE):
        raise refused(path, message(
            "its numbers use the byte order of another kind of computer. Save it again on this computer."))
    said = pickle_reader.Machine(path).interpret(_pickle(file, path, places[f"{root}data.pkl"]))
    prefix = f"{root}data/"
    return said, {name.removeprefix(prefix): place for name, place in places.items() if name.startswith(prefix)}


def _pickle(file: IO[bytes], path: Path, place: Place) -> bytes:
    if place.nbytes > pickle_reader.LONGEST:
        raise refused(path, message(
            "its list of tensors takes {size} MB; that of a GPT-2 takes 1 MB.", size=f"{place.nbytes / MB:,.0f}"))
    pickle = part(file, place)
    if place.crc32 is not None and zlib.crc32(pickle) != place.crc32:
        raise refused(path, message("its list of tensors has the wrong checksum. {damaged}", damaged=CUT_OFF))
    return pickle


class _Wary:
    """File that refuses to give ``zipfile`` a table of contents longer than any model needs."""

    def __init__(self, file: IO[bytes], path: Path):
        self._path = path
        self.seek, self.tell, self.seekable, self._file = file.seek, file.tell, file.seekable, file

    def read(self, size: int = -1) -> bytes:
        if size > pickle_reader.LONGEST:
            raise refused(self._path, message(
                "its table of contents would take {size} MB; that of a GPT-2 takes less than 1 MB.",
                size=f"{size / MB:,.0f}",
            ))
        return self._file.read(size)


def _entries(file: IO[bytes], path: Path) -> tuple[list[zipfile.ZipInfo], int]:
    """Return the table of contents of a zip, and its position."""
    try:
        with zipfile.ZipFile(_Wary(file, path)) as archive:
            return archive.infolist(), archive.start_dir
    except (zipfile.BadZipFile, ValueError, LookupError, RuntimeError, struct.error) as error:
        raise refused(path, message(
            "it should be a zip archive, but cannot be read as one. {damaged}", damaged=CUT_OFF)) from error


def _root(path: Path, names: list[str]) -> str:
    """Return the only folder in a zip of torch.save, which contains a pickle of the saved object."""
    if any(name.count("/") == 1 and name.endswith("/run.json") for name in names):
        raise refused(path, message(
            "it is a packed run of GPT Studio. Open it in the Runs tab with “Import a zip…”."))
    if any(name.endswith("/constants.pkl") for name in names):
        raise refused(path, message(
            "it is a TorchScript program, which contains code besides the weights. Save only the weights: "
            "torch.save(model.state_dict(), 'weights.pth')."
        ))
    roots = [name.removesuffix("data.pkl") for name in names if name.count("/") == 1 and name.endswith("/data.pkl")]
    if len(roots) != 1:
        raise refused(path, message(
            "it is a zip archive, but not one saved with torch.save. If it contains weights, unpack it and choose the "
            ".pth or .safetensors file."
        ))
    return roots[0]


def _places(file: IO[bytes], path: Path, entries: list[zipfile.ZipInfo], end: int) -> Iterator[tuple[str, Place]]:
    """Yield the position of each entry's bytes; entries must not overlap, and must precede the table of contents."""
    before = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        name = shown(entry.filename)
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size or entry.flag_bits & 1:
            raise refused(path, message(
                "{name} in it is compressed or password-protected, which torch never does; unpacked, it would take "
                "{size} MB. Save it again with torch.save.", name=name, size=f"{entry.file_size / MB:,.1f}",
            ))
        mark, *lengths = LOCAL.unpack(part(file, Place(entry.header_offset, LOCAL.size)).ljust(LOCAL.size))
        place = Place(entry.header_offset + LOCAL.size + sum(lengths), entry.file_size, entry.CRC or None)
        if mark != ZIP_MARK or entry.header_offset < before or place.offset + place.nbytes > end:
            raise refused(path, message(
                "{name} is not where its table of contents says. {damaged}", name=name, damaged=CUT_OFF))
        before = place.offset + place.nbytes
        yield entry.filename, place


LEGACY_MARK = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
"""First bytes of a file of torch.save before torch 1.6: pickles of its magic number and of its version."""
STATE_DICTS = ("model_state_dict", "state_dict", "model")
"""Keys of the weights in a file that also contains other things; the first is the book's."""
LEVELS = 4
"""Number of levels of dicts that are searched for weights."""
EMBEDDINGS = weight_shapes.BOOK.embedding, weight_shapes.HUGGINGFACE.embedding
"""Endings of the name of the token embedding, which distinguish weights from other tensors."""


def inspect(path: Path) -> dict[str, Stored]:
    """Return the tensors of the state dict in a file, by name. Only their description is read; an optimizer next to
    them is ignored.

    Raises:
        ExchangeError: the file is not of this format, is truncated or inconsistent, or contains more than weights.
        OSError: the file cannot be read.
    """
    said, places, size = _contents(path)
    tensors = {name: _stored(path, name, tensor, places) for name, tensor in _state_dict(path, said).items()}
    if sum(stored.nbytes for stored in tensors.values()) > 2 * size:  # a tied output layer is listed twice
        raise refused(path, message(
            "its tensors would take more than twice the size of the file, which has {size} bytes.",
            size=f"{size:,}",
        ))
    return tensors


def number_in(path: Path, group: str, name: str) -> int | None:
    """Return an integer that a file stores in a dict next to its weights; None if it is missing.

    Raises:
        ExchangeError, OSError: as for :func:`inspect`.
    """
    said = _contents(path)[0]
    values = said.get(group) if isinstance(said, dict) else None
    value = values.get(name) if isinstance(values, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _contents(path: Path) -> tuple[Any, dict[str, Place], int]:
    """Return the content of a file, the positions of its storages, and its size."""
    with opened(path) as file:
        begin, size = file.read(len(LEGACY_MARK)), os.fstat(file.fileno()).st_size
        if begin.startswith(ZIP_MARK):
            return *zip_contents(file, path), size
        if begin == LEGACY_MARK:
            raise refused(path, message(
                "it has the format that PyTorch wrote before version 1.6 (2020), which GPT Studio does not read. Open "
                "it with torch.load and save it again with torch.save, and choose the new file.",
            ))
    raise refused(path, message(
        "it was not saved with torch.save. Choose a .pth, pytorch_model.bin or .safetensors file.",
    ))


def _state_dict(path: Path, said: Any) -> dict[str, Tensor]:
    found = [tensors for candidate in _dicts(said) if (tensors := _tensors(candidate))]
    weights = (tensors for tensors in found if any(name.endswith(EMBEDDINGS) for name in tensors))
    if found:
        return next(weights, found[0])
    raise refused(path, message(
        "it contains no state dict: a dict from names to tensors, either alone or as 'model_state_dict' beside an "
        "optimizer. Save one with torch.save(model.state_dict(), 'weights.pth')."))


def _dicts(said: Any) -> list[dict[Any, Any]]:
    """Return the dicts that may contain weights, down to some level, with those under known keys before their
    neighbours. Each is listed once: a pickle can put one dict into another as often as it likes."""
    found, level = dict[int, dict[Any, Any]](), [said]
    for _ in range(LEVELS):
        level = [each for each in {id(each): each for each in level}.values()
                 if isinstance(each, dict) and id(each) not in found]
        found |= {id(each): each for each in level}
        level = [values[key] for values in level for key in sorted(values, key=_rank)]
    return list(found.values())


def _rank(key: object) -> int:
    return STATE_DICTS.index(key) if key in STATE_DICTS else len(STATE_DICTS)


def _tensors(values: dict[Any, Any]) -> dict[str, Tensor]:
    return {str(name): value for name, value in values.items() if isinstance(value, Tensor)}


def _stored(path: Path, name: str, tensor: Tensor, places: dict[str, Place]) -> Stored:
    """Return the position of a tensor in the file, after checking that its storage is complete."""
    storage = tensor.storage
    if storage.dtype not in ITEM_BYTES:  # cannot be a weight: refused later if one has this type
        return Stored(path, storage.dtype, tensor.shape, 0)
    item = storage.item
    place, needed = places.get(storage.key), storage.elements * item
    if place is None or place.nbytes != needed:
        there = message("has {n}", n=f"{place.nbytes:,}") if place else message("is missing")
        raise refused(path, message(
            "the storage of {name} should have {needed} bytes, but {there}. {damaged}",
            name=shown(name), needed=f"{needed:,}", there=there, damaged=CUT_OFF,
        ))
    stride = () if tensor.stride == rows(tensor.shape) else tensor.stride
    stored = Stored(path, storage.dtype, tensor.shape, place.offset + tensor.offset * item, stride)
    if max(stored.elements, tensor.offset + stored.extent) > storage.elements:
        raise refused(path, message(
            "{name} has the shape {shape}, which needs {elements} numbers, but its storage in the file has "
            "{there}. It was not saved in the way model weights are.",
            name=shown(name), shape=tensor.shape, elements=f"{stored.elements:,}", there=f"{storage.elements:,}"))
    whole = not stride and stored.elements == storage.elements
    return replace(stored, crc32=place.crc32) if whole else stored
