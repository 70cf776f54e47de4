"""Token ids of texts: computed once, cached by content in the user's folder, and read when needed. No torch.

The ids are read from their file, not memory-mapped: if a mapped file is truncated, the program is killed by SIGBUS,
while a read returns an error. A deleted file can still be read as long as it is open.
"""

from __future__ import annotations

import hashlib
import os
import re
import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from io import FileIO
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import IO

import numpy as np

from gptstudio import files, paths
from gptstudio.data.encodings import Progress, unwatched
from gptstudio.data.texts import Text, TextError
from gptstudio.errors import os_errors
from gptstudio.gpt.tokenizer import END_OF_TEXT, FILES, GPT2, WORDS, BytePairs, Characters, Tokenizer
from gptstudio.i18n import message
from gptstudio.units import bytes_text

SUM_BYTES = 4
PIECE = 2**22


def type_of(vocabulary: int) -> np.dtype:
    """Return the type of stored token ids: 16 bits are enough for GPT-2's vocabulary, and the byte order is fixed."""
    return np.dtype("<u2" if vocabulary <= 2**16 else "<u4")


class TokenCache:
    """Token ids in a file, (N,). A slice refers to part of the same file; ``numpy.asarray`` reads it."""

    def __init__(self, file: FileIO, lock: Lock, kind: np.dtype, start: int, stop: int):
        self._file, self._lock, self._type, self._start, self._stop = file, lock, kind, start, max(start, stop)

    def __len__(self) -> int:
        return self._stop - self._start

    def __getitem__(self, wanted: slice) -> TokenCache:
        """Return the ids from ``wanted.start`` to ``wanted.stop``; the step is ignored."""
        start, stop, _ = wanted.indices(len(self))
        return TokenCache(self._file, self._lock, self._type, self._start + start, self._start + stop)

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        """Return a copy of the ids.

        Raises:
            TextError: the file was truncated, or its disk was removed.
        """
        ids = np.empty(len(self), self._type)
        try:
            with self._lock:
                self._file.seek(self._start * self._type.itemsize)
                done = self._file.readinto(ids.view(np.uint8).data) if len(ids) else 0
        except OSError as error:
            raise self._lost(error.strerror or str(error)) from error
        if done != ids.nbytes:
            raise self._lost(message("it was truncated while in use"))
        return ids if dtype is None else ids.astype(dtype)

    def _lost(self, why: str) -> TextError:
        return TextError(message(
            "The tokens of the text, saved in {file}, can no longer be read: {why}. Start again; the tokens are then "
            "recreated.", file=self._file.name, why=why,
        ))


def write_ids(file: IO[bytes], stretches: Iterable[np.ndarray]) -> None:
    """Write ids in the format of :func:`read_ids`."""
    crc32 = 0
    for ids in stretches:
        file.write(ids.data)
        crc32 = zlib.crc32(ids.data, crc32)
    file.write(crc32.to_bytes(SUM_BYTES, "little"))


def read_ids(path: Path, vocabulary: int) -> TokenCache | None:
    """Return the ids in a file; None if its checksum is wrong.

    Args:
        vocabulary: vocabulary size of the tokenizer.

    Raises:
        OSError: the file cannot be read.
    """
    file, kind = path.open("rb", buffering=0), type_of(vocabulary)
    size = path.stat().st_size - SUM_BYTES
    if size < 0 or size % kind.itemsize or _crc32(file, size) != file.read(SUM_BYTES):
        file.close()
        return None
    return TokenCache(file, Lock(), kind, 0, size // kind.itemsize)


def _crc32(file: IO[bytes], size: int) -> bytes:
    crc32 = 0
    while size and (piece := file.read(min(PIECE, size))):
        crc32 = zlib.crc32(piece, crc32)
        size -= len(piece)
    return crc32.to_bytes(SUM_BYTES, "little")


Ids = np.ndarray | TokenCache
"""Token ids, (N,), in memory or in a file; ``numpy.asarray`` returns them in memory."""
KEPT_FROM = 2**20
"""Size in bytes from which the ids of a text are cached; smaller texts are encoded faster than looked up."""
MOST_KEPT = 4 * 2**30
"""Maximum bytes of all cached ids; the least recently used are deleted first."""
MOST_THREADS = 8
"""Maximum number of encoding threads: each takes about 30 MB, so that all stay below 300 MB."""
WAITING = 2
"""Number of pieces read ahead for each thread, so that no thread waits and few pieces are in memory."""
AT_ONCE = 2**20
"""Number of ids counted at once, so that a file is never in memory as a whole."""

# GPT-2 splits a text into words before merging bytes. No word continues from a character that is not white space into
# white space, nor from a Chinese or Japanese letter into its punctuation; the pattern has no look-behind, and its
# look-ahead ends with the white space. A text can therefore be cut there, and its parts encoded separately.
_SAFE = re.compile(r".*(?:\S(?=[ \n])|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5](?=[、。，；：？！…「」]))", re.DOTALL)


LONG_WORD = 2**15
"""Number of characters without a safe place after which a piece is cut within a word."""
MARGIN = 2**11
"""Number of characters after such a cut on which its tokens may depend."""


class Tokens:
    """Concatenation of pieces of token ids; only requested slices are copied."""

    def __init__(self, parts: Sequence[Ids]):
        self.parts = [part for part in parts if len(part)]
        self._ends = list(accumulate(len(part) for part in self.parts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __getitem__(self, wanted: slice) -> np.ndarray:
        """Return the ids from ``wanted.start`` to ``wanted.stop``; the step is ignored."""
        start, stop, _ = wanted.indices(len(self))
        found, first = [], bisect_right(self._ends, start)
        for part, end in zip(self.parts[first:], self._ends[first:], strict=True):
            begin = end - len(part)
            found.append(part[max(0, start - begin) : max(0, stop - begin)])
            if stop <= end:
                break
        return np.concatenate(found) if found else np.empty(0, type_of(0))


def encode(text: str, tokenizer: Tokenizer = GPT2) -> np.ndarray:
    """Return the token ids of a text, (N,).

    Raises:
        TextError: a run of white space is too long for the tokenizer's regular expression.
        TokenizerError: the text has characters without a token.
    """
    try:
        if isinstance(tokenizer, BytePairs):
            ids = tokenizer.encoding.encode_to_numpy(text, allowed_special={END_OF_TEXT})
        else:
            ids = np.array(tokenizer.encode(text))
    except ValueError as error:  # raised by tiktoken when the regular expression backtracks too far
        raise TextError(message(
            "The text has more than a million spaces or line breaks in a row. Remove them.")) from error
    return ids.astype(type_of(tokenizer.size))


def of(text: Text, tokenizer: Tokenizer = GPT2, progress: Progress = unwatched) -> Ids:
    """Return all ids of a text, (N,), from the cache if it was encoded before and the file is intact.

    Raises:
        TextError: the text is missing or has changed, or there is no space to store its ids.
    """
    if text.size < KEPT_FROM:
        return np.concatenate([np.empty(0, type_of(tokenizer.size)), *_encoded(text, tokenizer, progress)])
    path = kept_at(text, tokenizer)
    with os_errors(lambda why: message(
            "Could not save the tokens of {name} in {folder}: {why}. They need about {size} there.",
            name=text.name, folder=path.parent, why=why, size=bytes_text(text.size / 2)), TextError):
        found = read_ids(path, tokenizer.size) if path.is_file() else None
        if found is None:
            _keep(text, tokenizer, path, progress)
            found = read_ids(path, tokenizer.size)
        if found is None:
            raise OSError(None, message("the saved file does not match"))
        with suppress(OSError):  # a folder of another user
            os.utime(path)
    return found


def kept_at(text: Text, tokenizer: Tokenizer = GPT2) -> Path:
    """Return the path of a text's cached ids, which depends on its content, its encoding and the tokenizer."""
    known = (tokenizer.digest,) if tokenizer.digest else (*FILES.values(), WORDS)
    parts = (text.sha256, text.codec, str(text.translated), *known)
    name, bits = hashlib.sha256(repr(parts).encode()).hexdigest(), 8 * type_of(tokenizer.size).itemsize
    return paths.tokens() / f"{name}.u{bits}"


def pieces(text: Text, tokenizer: Tokenizer = GPT2) -> Iterator[tuple[str, int]]:
    """Yield pieces of the text whose concatenated ids equal those of the whole text, each with the bytes read so far.
    For a tokenizer from a file, which may split text anywhere, there is only one piece."""
    if not isinstance(tokenizer, (BytePairs, Characters)):
        yield "".join(block for block, _ in text.blocks()), text.size
        return
    rest = ""
    for block, read in text.blocks():
        seen = max(0, len(rest) - 1)
        rest += block
        if safe := _SAFE.match(rest, seen):
            yield rest[: safe.end()], read
            rest = rest[safe.end() :]
        while len(rest) > 2 * LONG_WORD and (end := _end_within_a_word(rest, tokenizer)):
            yield rest[:end], read
            rest = rest[end:]
    if rest:
        yield rest, text.size


def _end_within_a_word(text: str, tokenizer: Tokenizer) -> int:
    """Return the last token boundary between two letters before :data:`LONG_WORD`; 0 if there is none.

    Encoding both parts separately gives the tokens of the whole: a token sequence is the result of byte-pair encoding
    if every pair of neighbouring tokens is, and the regular expression starts no word there.
    """
    if not isinstance(tokenizer, BytePairs):
        return LONG_WORD
    ids = tokenizer.encode(text[: LONG_WORD + MARGIN])
    _, offsets = tokenizer.encoding.decode_with_offsets(ids)
    for token, end in zip(reversed(ids), reversed(offsets), strict=True):
        whole = tokenizer.token_bytes(token)[0] & 0xC0 != 0x80  # not a continuation of a character
        if 0 < end <= LONG_WORD and whole and text[end - 1].isalpha() and text[end].isalpha():
            return end
    return 0


def cut(text: Text, ids: Ids, at: int, tokenizer: Tokenizer = GPT2) -> tuple[list[Ids], list[Ids]]:
    """Split the ids of a text at character ``at``, as if both parts had been encoded separately.

    Args:
        ids: ids of the whole text; only the piece that is cut is encoded again.
    """
    start = 0
    for piece, _ in pieces(text, tokenizer):
        end = start + len(piece)
        if at < end:
            whole = end - start == text.characters  # then the characters of tokens need not be counted
            first, last = (0, len(ids)) if whole else (token_at(ids, place, tokenizer) for place in (start, end))
            here = at - start
            return [ids[:first], encode(piece[:here], tokenizer)], [encode(piece[here:], tokenizer), ids[last:]]
        start = end
    return [ids], []


def unique(ids: Ids, tokenizer: Tokenizer = GPT2) -> int:
    """Return the number of distinct tokens."""
    seen = np.zeros(tokenizer.size, bool)
    for start in range(0, len(ids), AT_ONCE):
        seen[np.asarray(ids[start : start + AT_ONCE])] = True
    return int(seen.sum())


def byte_count(ids: Ids | Tokens, tokenizer: Tokenizer) -> int:
    """Return the number of bytes of all tokens."""
    lengths = _lengths(tokenizer)
    return sum(int(lengths[np.asarray(ids[start : start + AT_ONCE])].sum()) for start in range(0, len(ids), AT_ONCE))


def count_of(ids: Ids | Tokens, token: int | None) -> int:
    """Return how often a token occurs; 0 for None."""
    if token is None:
        return 0
    return sum(int(np.count_nonzero(np.asarray(ids[start : start + AT_ONCE]) == token))
               for start in range(0, len(ids), AT_ONCE))


def _encoded(text: Text, tokenizer: Tokenizer, progress: Progress) -> Iterator[np.ndarray]:
    """Yield the ids of each piece, in order, encoded in parallel threads, because tiktoken releases the GIL."""
    threads = min(MOST_THREADS, cores())
    waiting: deque[tuple[Future[np.ndarray], int]] = deque()
    pool = ThreadPoolExecutor(threads, "tokens")
    try:
        for piece, read in pieces(text, tokenizer):
            waiting.append((pool.submit(encode, piece, tokenizer), read))
            if len(waiting) >= WAITING * threads:
                yield from _first(waiting, text, progress)
        while waiting:
            yield from _first(waiting, text, progress)
    finally:
        pool.shutdown(cancel_futures=True)


def _first(waiting: deque[tuple[Future[np.ndarray], int]], text: Text, progress: Progress) -> Iterator[np.ndarray]:
    encoded, read = waiting.popleft()
    yield encoded.result()
    progress(read, text.size)


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _keep(text: Text, tokenizer: Tokenizer, path: Path, progress: Progress) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with files.written_whole(path) as file:
        write_ids(file, _encoded(text, tokenizer, progress))
    files.free_cache(path, "*.u*", MOST_KEPT)


def token_at(ids: Ids, character: int, tokenizer: Tokenizer = GPT2) -> int:
    """Return the index of the token in which this character begins; the number of tokens for the end of the text."""
    begun = 0
    for start in range(0, len(ids), AT_ONCE):
        begins = _characters(tokenizer)[np.asarray(ids[start : start + AT_ONCE])]
        here = int(begins.sum(dtype=np.int64))
        if begun + here > character:
            return start + int(np.searchsorted(begins.cumsum(dtype=np.int64), character - begun, side="right"))
        begun += here
    return len(ids)


@lru_cache(8)
def _lengths(tokenizer: Tokenizer) -> np.ndarray:
    """Return the number of bytes of each token, (V,)."""
    return np.array([len(tokenizer.token_bytes(i)) for i in range(tokenizer.size)])


@lru_cache(8)
def _characters(tokenizer: Tokenizer) -> np.ndarray:
    """Return the number of characters that begin in each token (bytes that are not UTF-8 continuation bytes), (V,)."""
    return np.array(
        [sum(b & 0xC0 != 0x80 for b in tokenizer.token_bytes(i)) for i in range(tokenizer.size)], np.uint32)
