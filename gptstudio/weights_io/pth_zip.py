"""The zip that torch.save has written since torch 1.6: entries stored as they are, one of them a pickle that says what
was saved, and one for each storage. No torch.

Zip: PKWARE's APPNOTE. What is in it: torch/serialization.py, ``_load``.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from gptstudio.errors import shown
from gptstudio.gpt.sizing import MB
from gptstudio.i18n import message
from gptstudio.weights_io import pickle_reader
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import Place, part

MARK = b"PK\x03\x04"
LOCAL = struct.Struct("<4s22xHH")
"""Before each entry of a zip: its mark, and how long its name and what else is said of it are (APPNOTE 4.3.7)."""
LITTLE = b"little"


def contents(file: IO[bytes], path: Path) -> tuple[Any, dict[str, Place]]:
    """Return the content of the pickle, and the position of each storage, by its key.

    Raises:
        ExchangeError: it is not a zip of torch.save, is damaged, or contains more than weights.
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
    said = pickle_reader.Machine(path).follow(io.BytesIO(_pickle(file, path, places[f"{root}data.pkl"])))
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
    """A file that gives ``zipfile`` no table of contents longer than any model's."""

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
    """The table of contents of a zip, and where it begins."""
    try:
        with zipfile.ZipFile(_Wary(file, path)) as archive:
            return archive.infolist(), archive.start_dir
    except (zipfile.BadZipFile, ValueError, LookupError, RuntimeError, struct.error) as error:
        raise refused(path, message(
            "it should be a zip archive, but cannot be read as one. {damaged}", damaged=CUT_OFF)) from error


def _root(path: Path, names: list[str]) -> str:
    """The one folder in a zip of torch.save, which holds a pickle of what was saved."""
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
    """Yield the position of each entry's bytes; they are contiguous, and all precede the table of contents."""
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
        if mark != MARK or entry.header_offset < before or place.offset + place.nbytes > end:
            raise refused(path, message(
                "{name} is not where its table of contents says. {damaged}", name=name, damaged=CUT_OFF))
        before = place.offset + place.nbytes
        yield entry.filename, place
