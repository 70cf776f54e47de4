"""Decoding of text files: one pass over the file, and a guess of the encoding if it is not UTF-8. No torch."""

from __future__ import annotations

import codecs
import hashlib
import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from gptstudio.errors import UserError, os_errors
from gptstudio.i18n import Message, message

Progress = Callable[[int, int], None]
"""Callback with (bytes so far, total bytes or 0 if unknown); it can raise to cancel."""

BLOCK = 2**18
"""Number of bytes read at once."""
SAMPLE = 2**16
"""Number of bytes from which the encoding is guessed."""
BEFORE = 2**12
"""Maximum number of bytes of the sample before the first byte that is not UTF-8."""
WHOLE = re.compile(rb"[\x01-\x2f]")
"""Bytes that are complete characters in every encoding of :data:`NARROW`."""

MARKS = {  # the longer ones first, because UTF-32's begins with UTF-16's
    codecs.BOM_UTF32_LE: "utf_32", codecs.BOM_UTF32_BE: "utf_32", codecs.BOM_UTF8: "utf_8_sig",
    codecs.BOM_UTF16_LE: "utf_16", codecs.BOM_UTF16_BE: "utf_16",
}
WIDE = {"utf_16_le": "UTF-16LE", "utf_16_be": "UTF-16BE"}
NARROW = {  # the first of several that decode to the same characters is used
    "cp1252": "Windows-1252", "cp1251": "Windows-1251", "cp932": "Shift_JIS", "gb18030": "GB18030",
    "euc_jis_2004": "EUC-JP", "cp949": "EUC-KR", "euc_kr": "EUC-KR", "big5hkscs": "Big5", "cp1250": "Windows-1250",
    "iso8859_2": "ISO-8859-2", "iso8859_7": "ISO-8859-7", "iso8859_9": "ISO-8859-9", "cp1253": "Windows-1253",
    "cp1254": "Windows-1254", "cp1255": "Windows-1255", "cp1256": "Windows-1256", "cp1257": "Windows-1257",
    "cp1258": "Windows-1258", "koi8_r": "KOI8-R", "koi8_u": "KOI8-U", "cp874": "Windows-874",
    "mac_roman": "Mac Roman", "mac_cyrillic": "Mac Cyrillic", "cp850": "CP850 (DOS)", "cp437": "CP437 (DOS)",
    "cp852": "CP852 (DOS)", "cp861": "CP861 (DOS)", "cp866": "CP866 (DOS)",
}
ESCAPED = {"iso2022_jp_2": "ISO-2022-JP", "iso2022_kr": "ISO-2022-KR"}
"""7-bit encodings, in which escape sequences switch the character set."""
ESCAPE = re.compile(rb"\x1b\$[@AB()]")
NAMES = {
    "utf_8": "UTF-8", "utf_8_sig": message("UTF-8 with a mark"), "utf_16": "UTF-16", "utf_32": "UTF-32",
    **WIDE, **NARROW, **ESCAPED,
}
FEW = 3
"""Number of different non-ASCII bytes below which they do not indicate the language."""
QUOTES = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026"
MOST_TRIED = 3
"""Maximum number of guessed encodings to try."""
LINE_ENDS = {"\n": "LF", "\r\n": "CRLF", "\r": "CR"}


def unwatched(done: int, total: int) -> None:
    """Ignore progress."""


class TextError(UserError):
    """Text that cannot be obtained or read."""


class NotText(UserError):
    """The bytes of a file are not text. The message has the value ``file``, its path."""

    def __init__(self, words: Message):
        super().__init__(words)
        self.words = words


class Undecodable(NotText):
    """A byte is not valid in this encoding."""

    def __init__(self, file: Path, codec: str, position: int, byte: int):
        self.position = position
        super().__init__(message(
            "{file} is not valid {encoding}: byte {position} is 0x{byte}.",
            file=file, encoding=NAMES[codec], position=f"{position:,}", byte=f"{byte:02X}",
        ))


class Escaped(NotText):
    """The file has escape sequences of a 7-bit encoding."""

    def __init__(self, file: Path, position: int):
        self.position = position
        super().__init__(message("{file} has the escape sequences of an encoding of seven bits.", file=file))


@dataclass(frozen=True)
class EncodingPass:
    """Result of one pass over a file. ``guess``: message if the encoding was guessed, else empty."""

    sha256: str
    codec: str
    characters: int
    line_ends: str
    blank: bool
    guess: str = ""


def detect(path: Path, translate: bool, tick: Callable[[], None]) -> EncodingPass:
    """Read a file completely and return its properties; read it again if its encoding must be guessed.

    Args:
        translate: True to translate line ends as in Python's text mode.
        tick: called for each block; can raise to cancel.

    Raises:
        NotText: the file is not text, or its encoding could not be guessed.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(4)
    codec = next((codec for mark, codec in MARKS.items() if head.startswith(mark)), "utf_8")
    try:
        return _detect(path, codec, translate, tick)
    except NotText as error:
        what, candidates = error, _candidates(path, error) if codec == "utf_8" else []
    for guessed in candidates:
        with suppress(Undecodable):
            return _detect(path, guessed, translate, tick, message(
                "{what} Reading it as {encoding}, which is a guess. Check that all characters look right.",
                what=message(what.words.source, **what.words.values | {"file": path.name}), encoding=NAMES[guessed]))
    raise what


def errors_as_messages(path: Path) -> AbstractContextManager[None]:
    """Return a context manager that raises an OSError about a file or folder as a :class:`TextError`."""
    return os_errors(lambda why: message("Could not read {path}: {why}.", path=path, why=why), TextError)


def decoder_of(codec: str, translate: bool) -> io.IncrementalNewlineDecoder:
    return io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(codec)(), translate)


def blocks(path: Path, codec: str, decoder: io.IncrementalNewlineDecoder) -> Iterator[tuple[bytes, str]]:
    """Yield the blocks of a file, each with the decoded characters that it completes.

    Raises:
        NotText: there is a zero byte, which no text contains, or an invalid byte.
    """
    done = 0
    try:
        with path.open("rb") as file:
            while block := file.read(BLOCK):
                if b"\x00" in block and not codec.startswith(("utf_16", "utf_32")):
                    raise NotText(message(
                        "{file} is not a text file: it has a zero byte at position {position}.",
                        file=path, position=f"{done + block.index(0):,}",
                    ))
                done += len(block)
                yield block, decoder.decode(block)
        yield b"", decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        at = done - len(error.object) + error.start
        raise Undecodable(path, codec, at, error.object[error.start]) from None


def _detect(path: Path, codec: str, translate: bool, tick: Callable[[], None], guess: str = "") -> EncodingPass:
    decoder, digest, characters, blank = decoder_of(codec, translate), hashlib.sha256(), 0, True
    for block, text in blocks(path, codec, decoder):
        tick()
        if codec == "utf_8" and (escape := ESCAPE.search(block)) and block[: escape.start()].isascii():
            raise Escaped(path, escape.start())
        digest.update(block)
        characters += len(text)
        blank = blank and not text.strip()
    seen = [decoder.newlines] if isinstance(decoder.newlines, str) else decoder.newlines or ()
    names = [name for end, name in LINE_ENDS.items() if end in seen]
    line_ends = reduce(lambda some, one: message("{some} and {one}", some=some, one=one), names or [message("none")])
    return EncodingPass(digest.hexdigest(), codec, characters, line_ends, blank, guess)


def _candidates(path: Path, error: NotText) -> list[str]:
    """Return possible encodings, best first; none if the file is UTF-8 with a few invalid bytes.

    chardet 7 was right for 41 of 42 texts in 30 encodings, and for all texts in the encodings above; faust-cchardet for
    29, charset-normalizer for 27, chardet 5 for 25.
    """
    import chardet

    sample = _sample(path, getattr(error, "position", 0))
    if isinstance(error, Escaped):
        names = tuple(ESCAPED)
    elif b"\x00" in sample:
        return list(_wide(sample))
    else:
        names = () if _mostly_utf8(sample) else tuple(NARROW)
    found = chardet.detect_all(
        sample, ignore_threshold=True, include_encodings=names, no_match_encoding=names[0],
        compat_names=False) if names else []
    likely = [name for each in found if (name := str(each["encoding"]).replace("-", "_")) in names][:MOST_TRIED]
    same = [name for name in names if likely and _decoded(sample, name) == _decoded(sample, likely[0])]
    western = ["cp1252"] if "cp1252" in names and _is_rarely_western(sample) else []
    return list(dict.fromkeys([*western, *same[:1], *likely]))  # same[:1]: the preferred one with the same result


def _is_rarely_western(sample: bytes) -> bool:
    """Return whether the only non-ASCII bytes are one or two Western European letters or quotes, like the é of café in
    an English text: too few to detect a language."""
    foreign = bytes({byte for byte in sample if byte > 127})
    return len(foreign) < FEW and all(char.isalpha() or char in QUOTES for char in _decoded(foreign, "cp1252"))


def _decoded(sample: bytes, codec: str) -> str:
    return sample.decode(codec, errors="replace")


def _sample(path: Path, position: int) -> bytes:
    """Return the bytes around the first byte that is not UTF-8, without incomplete characters at the ends."""
    start = max(0, position - BEFORE)
    with path.open("rb") as file:
        file.seek(start)
        sample = file.read(SAMPLE)
    if b"\x00" in sample:
        return sample
    first = WHOLE.search(sample, 0, position - start) if start else None
    last = WHOLE.search(sample[::-1], 0, BEFORE) if len(sample) == SAMPLE else None
    return sample[first.start() if first else 0 : len(sample) - (last.start() if last else 0)]


def _wide(sample: bytes) -> tuple[str, ...]:
    """Return the byte order of UTF-16 that the positions of zero bytes indicate; these are the upper bytes of spaces
    and Latin letters. Chinese has few of them, but far fewer different upper bytes than lower ones."""
    upper = {"utf_16_le": sample[1::2], "utf_16_be": sample[::2]}
    least, most = sorted(upper, key=lambda codec: upper[codec].count(0))
    if upper[most].count(0) > max(2, 4 * upper[least].count(0)):
        return (most,)
    few, many = sorted(upper, key=lambda codec: len({*upper[codec]}))
    return (few,) if 2 * len({*upper[few]}) < len({*upper[many]}) and _is_text(sample, few) else ()


def _is_text(sample: bytes, codec: str) -> bool:
    """Return whether bytes are text in an encoding: characters of Unicode, and no control characters but white
    space."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return False
    return all(char.isspace() or unicodedata.category(char) not in ("Cc", "Cn", "Co") for char in text)


def _mostly_utf8(sample: bytes) -> bool:
    """Return whether most of the non-ASCII part is valid UTF-8."""
    text = sample.decode("utf-8", errors="replace")
    return text.count("\ufffd") < sum(not char.isascii() for char in text) / 2
