"""The data of ICU, which Qt compares text with, less the languages and tables that the program never asks for.

On Linux PySide6 brings all of it: 32 MB, of which the program's two languages take 4. It is a library with nothing but
one block of data, so one with a smaller block takes its place (ICU's documentation, "ICU Data": replacing the data).
"""

import re
import shutil
import tempfile
from pathlib import Path

from children import SetupError, checked, say

KEPT = re.compile(
    r"((coll|zone|lang|region|curr|unit)/)?"
    r"(root|res_index|pool|ucadata|supplementalData|(zh|en)(_\w+)?|timezoneTypes|metaZones|windowsZones|zoneinfo64|"
    r"likelySubtags|plurals|pluralRanges|numberingSystems|keyTypeData|currencyNumericCodes|icuver|icustd|metadata|"
    r"dayPeriods|genderList|grammaticalFeatures|units|langInfo|tzdbNames)\.(res|icu)|[a-z]+\.(icu|nrm|cfu)"
)
"""Tables without a language, and those of English and Chinese; without converters of old encodings
(Python has its own), rules for line breaks and transliteration (Qt has its own, and asks for none)."""
SOURCE = """\
.section .rodata
.balign 16
.globl {symbol}
.type {symbol}, @object
{symbol}: .incbin "{data}"
.size {symbol}, . - {symbol}
.section .note.GNU-stack,"",@progbits
"""


def trim(library: Path) -> None:
    """Replace the library libicudata.so.N by one with the data that is kept.

    Raises:
        SetupError: a tool failed.
    """
    if missing := [tool for tool in ("icupkg", "objcopy", "nm", "gcc") if not shutil.which(tool)]:
        say(f"ICU's data stay as they are, 28 MB more: there is no {' and no '.join(missing)} here.")
        return
    symbol = re.search(r"\b(icudt\d+_dat)\b", checked("nm", "--dynamic", "--defined-only", library))
    if symbol is None:
        raise SetupError(f"{library} does not hold ICU's data: its symbol icudtN_dat is missing.")
    with tempfile.TemporaryDirectory() as folder:
        # icupkg takes the kind of the data from the name: l is little-endian, as every machine that is supported
        data = Path(folder) / f"{symbol[1].removesuffix('_dat')}l.dat"
        checked("objcopy", "--output-target=binary", "--only-section=.rodata", library, data)
        names = checked("icupkg", "--list", data).split()
        unused, source = data.with_name("unused.txt"), data.with_name("data.s")
        unused.write_text("".join(f"{name}\n" for name in names if not KEPT.fullmatch(name)), encoding="utf-8")
        checked("icupkg", "--remove", unused, data)
        source.write_text(SOURCE.format(symbol=symbol[1], data=data), encoding="utf-8")
        checked("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{library.name},--build-id=none", "-o", library, source)
