"""Mach-O files, as in Apple's loader.h: detection of programs and libraries, and the macOS version that they
require."""

import struct
from collections.abc import Iterator
from pathlib import Path

THIN = 0xFEEDFACF  # 64 bits, little-endian, the only kind on Apple's processors
FAT = 0xCAFEBABE  # several processors in one file; big-endian. Java classes also begin like this, with a large version
MOST_PROCESSORS = 20
BUILD_VERSION, VERSION_MIN_MACOSX = 0x32, 0x24
ARM64 = 0x0100000C


def files(folder: Path) -> Iterator[Path]:
    """Yield the Mach-O files in a folder, each once even if links lead to it."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink() and is_mach_o(file):
            yield file


def is_mach_o(file: Path) -> bool:
    """Return whether a file is a program or a library of macOS."""
    with file.open("rb") as data:
        begin = data.read(8)
    if len(begin) < 8:
        return False
    return struct.unpack("<I", begin[:4])[0] == THIN or _processors(begin) > 0


def floor(file: Path) -> tuple[int, int]:
    """Return the oldest macOS on which a file runs on Apple's processors; (0, 0) if it does not say."""
    with file.open("rb") as data:
        begin = data.read(8)
        start = 0
        for _ in range(_processors(begin)):
            kind, _, offset, _, _ = struct.unpack(">IIIII", data.read(20))
            start = offset if kind == ARM64 else start
        data.seek(start)
        header = struct.unpack("<8I", data.read(32))
        return _floor(data.read(header[5]), header[4])


def _processors(begin: bytes) -> int:
    magic, count = struct.unpack(">II", begin)
    return count if magic == FAT and count <= MOST_PROCESSORS else 0


def _floor(commands: bytes, count: int) -> tuple[int, int]:
    place = 0
    for _ in range(count):
        command, size = struct.unpack_from("<II", commands, place)
        if command in (BUILD_VERSION, VERSION_MIN_MACOSX):
            packed = struct.unpack_from("<I", commands, place + (12 if command == BUILD_VERSION else 8))[0]
            return packed >> 16, packed >> 8 & 0xFF
        place += size
    return 0, 0
