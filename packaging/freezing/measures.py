"""Sizes and SHA-256 of build products: limits, checksums and a table. 1 MB is 10**6 bytes."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MB = 10**6
UNPACKED, PACKED = 560 * MB, 150 * MB
"""Maximum bytes of the program's folder and of each installer: thirty laptops copy it from one stick."""


@dataclass(frozen=True)
class Made:
    """Build product: its file or folder, and the seconds that it took."""

    path: Path
    seconds: float

    @property
    def size(self) -> int:
        return size_of(self.path)


def size_of(path: Path) -> int:
    """Return the bytes of a file, or of all files in a folder; links count as zero."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())


def too_large(made: Iterable[Made], limit: int) -> list[str]:
    """Return a sentence for each product that is larger than the limit."""
    return [
        f"{each.path.name} has {each.size / MB:.1f} MB, and may have {limit / MB:.0f}."
        for each in made if each.size > limit
    ]


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sums(files: Iterable[Path]) -> str:
    """Return the checksums in the format of ``sha256sum --check``, run in the folder of the files."""
    return "".join(f"{sha256(file)}  {file.name}\n" for file in sorted(files))


def table(rows: Iterable[Made]) -> str:
    """Return a table of the products: size, time and, for files, the SHA-256."""
    lines = [("made", "MB", "s", "SHA-256")]
    for row in rows:
        digest = sha256(row.path) if row.path.is_file() else ""
        lines.append((row.path.name, f"{row.size / MB:.1f}", f"{row.seconds:.0f}", digest))
    wide = max(len(name) for name, *_ in lines)
    return "\n".join(f"{name:<{wide}}  {size:>7}  {took:>5}  {digest}".rstrip() for name, size, took, digest in lines)
