"""Units in which numbers of bytes are shown; the user can choose them."""

from __future__ import annotations

MB = 2**20
"""Bytes in a megabyte as in the book, for limits in the code."""

def bytes_text(count: float) -> str:
    """Return bytes as text: '52.3 MB', '6.1 GB', and '5.2 KB' below a tenth of a MB. By default MB and GB are 2**20 and
    2**30 bytes, as in the book."""
    base, least, small, large = UNITS[_units]
    in_small = count / base**2
    if 0 < in_small < 0.1:
        return f"{count / base:,.1f} {least}"
    return f"{in_small:,.1f} {small}" if in_small < base else f"{in_small / base:,.1f} {large}"


def use_units(name: str) -> None:
    """Set the units of :func:`bytes_text`; ``name``: a key of UNITS."""
    global _units
    _units = name


UNITS = {
    "book": (1024, "KB", "MB", "GB"), "iec": (1024, "KiB", "MiB", "GiB"), "decimal": (1000, "kB", "MB", "GB")}
"""Name -> base of the units, and the symbols of its first, second and third power."""
_units = "book"
