"""The data of ICU, with which Qt compares text, without the languages and tables that the program does not use.

On Linux, PySide6 includes all of it: 32 MB, of which the program's two languages need 4. It is a library that contains
only one block of data, so it can be replaced by a library with a smaller block (ICU's documentation, "ICU Data":
replacing the data).
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
"""Names of the tables to keep: tables without a language, and the tables of English and Chinese. Converters of old
encodings are left out (Python has its own), as are rules for line breaks and transliteration (Qt has its own, and needs
none)."""
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
    """Replace the library libicudata.so.N by one with only the data that is kept.

    Raises:
        SetupError: a tool failed.
    """
    if missing := [tool for tool in ("icupkg", "objcopy", "nm", "gcc") if not shutil.which(tool)]:
        say(f"ICU's data was not reduced, which takes 28 MB more. Not found: {', '.join(missing)}.")
        return
    symbol = re.search(r"\b(icudt\d+_dat)\b", checked("nm", "--dynamic", "--defined-only", library))
    if symbol is None:
        raise SetupError(f"{library} does not contain ICU's data: the symbol icudtN_dat is missing.")
    with tempfile.TemporaryDirectory() as folder:
        # icupkg determines the format from the name: l is little-endian, as on every supported machine.
        data = Path(folder) / f"{symbol[1].removesuffix('_dat')}l.dat"
        checked("objcopy", "--output-target=binary", "--only-section=.rodata", library, data)
        names = checked("icupkg", "--list", data).split()
        unused, source = data.with_name("unused.txt"), data.with_name("data.s")
        unused.write_text("".join(f"{name}\n" for name in names if not KEPT.fullmatch(name)), encoding="utf-8")
        checked("icupkg", "--remove", unused, data)
        source.write_text(SOURCE.format(symbol=symbol[1], data=data), encoding="utf-8")
        checked("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{library.name},--build-id=none", "-o", library, source)
