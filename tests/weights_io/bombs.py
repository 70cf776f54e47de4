"""Files of torch.save's kind that are small, but cost a reader that trusts them large amounts of memory or time."""

import io
import struct
import zipfile
from functools import cache
from pathlib import Path

from weight_files import number, state_pickle, tensor_code, text, zipped

from gptstudio.units import MB


def deflated(path: Path) -> Path:
    """Create a file with a quarter of a gigabyte of zeros in a quarter of a megabyte."""
    path.write_bytes(_deflated())
    return path


@cache
def _deflated() -> bytes:
    file = io.BytesIO()
    pickled = state_pickle("tok_emb.weight", tensor_code(2**26, (2**13, 2**13), (2**13, 1)))
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", pickled)
        with archive.open("archive/data/0", "w") as entry:
            for _ in range(2**8):
                entry.write(bytes(MB))
    return file.getvalue()


def stored_by_name_only(path: Path) -> Path:
    """Create the same file, declared as uncompressed."""
    data = bytearray(_deflated())
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        begin = data.find(mark)
        while begin >= 0:
            data[begin + at : begin + at + 2] = b"\0\0"
            begin = data.find(mark, begin + 4)
    path.write_bytes(data)
    return path


def same_entry_often(path: Path) -> Path:
    """Create a thousand entries that all are the same megabyte (overlapping: Fifield, 2019, "A better zip bomb")."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a/data.pkl", state_pickle("x", tensor_code(MB // 4, (MB // 4,), (1,))))
        archive.writestr("a/data/0", bytes(MB))
        for key in range(1, 1000):
            info = archive.getinfo("a/data/0")
            copied = zipfile.ZipInfo(f"a/data/{key}")
            for slot in ("header_offset", "CRC", "file_size", "compress_size"):
                setattr(copied, slot, getattr(info, slot))
            archive.filelist.append(copied)
            archive.NameToInfo[copied.filename] = copied
    path.write_bytes(file.getvalue())
    return path


def endless_contents(path: Path) -> Path:
    """Create a table of contents of four gigabytes in a file that has no other bytes."""
    with path.open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(4 * 2**30)
        file.seek(0, 2)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9, 9, 2**32 - 2**20, 0, 0))
    return path


def billion_references(path: Path) -> Path:
    """Create lists of ten lists of ten lists ...: small, until a reader walks through all of them."""
    nested = b"\x80\x02]q\x00"
    for level in range(40):
        nested += b"](" + b"h" + bytes([level]) + (b"h" + bytes([level])) * 9 + b"eq" + bytes([level + 1])
    return zipped(path, nested + b".")


def dicts_in_each_other(path: Path) -> Path:
    """Create a dict with the same dict under 30,000 keys, which has the same dict under as many: searching each
    occurrence never ends."""
    keys = [b"M" + struct.pack("<H", key) for key in range(30_000)]
    levels = [b"}q\x00", *(
        b"}q" + bytes([level + 1]) + b"(" + b"".join(key + b"h" + bytes([level]) for key in keys) + b"u"
        for level in range(4))]
    return zipped(path, b"\x80\x02" + b"".join(levels) + b".")


def class_in_class(path: Path) -> Path:
    """Create a tensor of a class that is made by a tensor of a class, and so on, a hundred thousand times."""
    deep = b"(h\x00h\x00" * 50_000 + b")" + b"Nt" * 50_000
    return zipped(path, b"\x80\x02ctorch._tensor\n_rebuild_from_type_v2\nq\x00" + deep + b"R.")


def deep_key(path: Path) -> Path:
    """Create a dict whose key is a tuple in a tuple ... of a hundred thousand: hashing it overflows the C stack."""
    return zipped(path, b"\x80\x02})" + b"\x85" * 100_000 + b"K\x01s.")


def wide_tuple() -> bytes:
    """Return the instructions for a tuple of the same tuple twice, sixty times over: small, and endless to walk
    through."""
    levels = (b"h" + bytes([level]) + b"h" + bytes([level]) + b"\x86q" + bytes([level + 1]) for level in range(60))
    return b")q\x00" + b"".join(levels)


def wide_key(path: Path) -> Path:
    """Create a dict whose key is such a tuple: hashing it never ends."""
    return zipped(path, b"\x80\x02" + wide_tuple() + b"}h\x3cK\x01s.")


def wide_name(path: Path) -> Path:
    """Create a reference whose module name is such a tuple: printing it never ends."""
    return zipped(path, b"\x80\x04" + wide_tuple() + text("name") + b"\x93.")


def alike_keys(path: Path) -> Path:
    """Create a dict of numbers that all have the same hash."""
    pairs = b"".join(number((place + 1) * (2**61 - 1)) + b"N" for place in range(60_000))
    return zipped(path, b"\x80\x02}(" + pairs + b"u.")


def shared_storage(path: Path) -> Path:
    """Create a file with a megabyte that is a tensor under ten thousand names."""
    tensor = tensor_code(MB // 4, (MB // 4,), (1,))
    head = b"\x80\x02}(" + text("x") + tensor + b"q\x00"
    pairs = b"".join(text(f"h.{place}.ln_1.weight") + b"h\x00" for place in range(10_000))
    return zipped(path, head + pairs + b"u.", {"0": bytes(MB)})
