"""Real files, changed at random and given to the readers: the same seed gives the same changes; failing inputs are
kept.

``GPTSTUDIO_FUZZ_SEED`` sets another seed. An input that broke a reader is written to the folder that the test names;
when it is moved to ``tests/faults/found/<reader>/``, it is tried before all others from then on.
"""

import copy
import hashlib
import json
import os
import random
import re
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from fault_ledger import Ledger

from gptstudio import devices
from gptstudio.errors import UserError
from gptstudio.units import MB

SEED = int(os.environ.get("GPTSTUDIO_FUZZ_SEED", "7"))
FOUND = Path(__file__).parent / "found"
KEPT = Path(tempfile.gettempdir()) / "gptstudio-fuzz"
SECONDS, MEMORY = 3, 200 * MB
"""Limits on the processor time and on the memory beyond what was used before: more than a file of a few kilobytes
needs."""
share = {"now": 1.0}
"""The share of the cases that is tried."""

Change = Callable[[bytes, random.Random], bytes]


@pytest.fixture(params=[0.2, pytest.param(1.0, marks=pytest.mark.release)], ids=["some", "all"])
def share_of_cases(request, monkeypatch, memory_returned) -> None:
    """Try the first cases of each reader every day, and all of them before a release. Their memory is measured."""
    monkeypatch.setitem(share, "now", request.param)


ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3, 2**31, 2**63, -(2**63), 2**64, 10**40, 10**400, 0.5, -0.0, 1e308, 1e-320,
    float("nan"), float("inf"), float("-inf"), "", "x", "NaN", "Infinity", "1", "\x00", "\ud800", "é" * 300, "../..",
    "/", "a" * 5000, [], {}, [[]], [None], {"": {}}, [1, 2], {"event": []}, "2024-01-01", "none", -(10**19), 65_537,
)
"""Values that no writer writes there."""
PIECES: tuple[bytes, ...] = (
    b"", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n", b"\n\n", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"=", b"null", b"NaN", b"-Infinity", b"1e999", b"-", b"9" * 400,
    b"9" * 5000, b"[" * 3000, b'{"a":' * 3000, b"\\u0000", b"\\ud800", b"'''", b'"""', b"[[", b"# ", b"1979-05-27",
    b"inf", b"../", b"%s%n", b"\x7f" * 9, b"\x80\x02", b"PK\x05\x06", b"A" * 70_000,
)
"""Bytes that have a meaning for one reader or another."""


def some_bytes(whole: bytes, rng: random.Random) -> bytes:
    """Return a file with one to four changes: bits flipped, pieces inserted, removed or doubled, or the end cut off."""
    data = bytearray(whole)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data) + 1)
        behind = at + min(int(rng.expovariate(0.05)), 5000)
        match rng.randrange(7):
            case 0 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case 1:
                data[at:at] = rng.choice(PIECES)
            case 2:
                data[at:behind] = rng.choice(PIECES)
            case 3:
                del data[at:behind]
            case 4:
                data[at:at] = data[rng.randrange(len(data) + 1) :][: behind - at]
            case 5:
                data[at:behind] = rng.randbytes(min(behind, len(data)) - min(at, len(data)))
            case 6 if rng.random() < 0.3:
                del data[at:]
    return bytes(data)


def some_value(whole: bytes, rng: random.Random) -> bytes:
    """Return a JSON file with a value replaced, removed, doubled, or moved to the place of another."""
    values = json.loads(whole)
    before = json.dumps(values)
    for _ in range(rng.choice((1, 1, 2))):
        places = list(_places(values))
        if not places:
            break
        holder, key = rng.choice(places)
        other_holder, other_key = rng.choice(places)
        match rng.randrange(6):
            case 0 if isinstance(holder, dict):
                holder[rng.choice(("", "x", "format", "event", "\x00", key + "s"))] = holder.pop(key)
            case 1:
                del holder[key]
            case 2:
                holder[key] = json.loads(json.dumps(other_holder[other_key]))
            case 3 if isinstance(holder[key], (int, float)) and abs(holder[key]) < 1e300:
                holder[key] = rng.choice((-1, 2, 1e-9, 1e9, 10**30)) * holder[key]
            case _:
                holder[key] = copy.deepcopy(rng.choice(ODD))  # the next change may put something into it
    after = json.dumps(values)
    return whole if after == before else after.encode()


def some_line(change: Change) -> Change:
    """Return a change that applies the given change to one line of many, or changes their order."""

    def changed(whole: bytes, rng: random.Random) -> bytes:
        lines = whole.splitlines(keepends=True)
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        match rng.randrange(8):
            case 0:
                lines[at], lines[other] = lines[other], lines[at]
            case 1:
                lines.insert(other, lines[at])
            case _:
                lines[at] = change(lines[at].removesuffix(b"\n"), rng) + b"\n"
        return b"".join(lines)

    return changed


def some_setting(whole: bytes, rng: random.Random) -> bytes:
    """Return a TOML file with another value, or with a key in another place."""
    found = list(re.finditer(rb"(?m)^(\w+) = (.*)$", whole))
    one, other = rng.choice(found), rng.choice(found)
    value = rng.choice((other[2], _as_toml(rng.choice(ODD))))
    return whole[: one.start()] + rng.choice((one[1], other[1])) + b" = " + value + whole[one.end() :]


def some_header(whole: bytes, rng: random.Random) -> bytes:
    """Return a safetensors file with a changed header."""
    length = int.from_bytes(whole[:8], "little")
    header = rng.choice((some_value, some_bytes))(whole[8 : 8 + length], rng)
    declared = rng.choice((len(header), len(header), len(header), length, rng.getrandbits(64), 2**63, 0))
    return declared.to_bytes(8, "little") + header + whole[8 + length :]


def _as_toml(value: object) -> bytes:
    if value is None:
        return b"''"
    if isinstance(value, dict):
        return b"{ a = 1 }"
    if isinstance(value, list):
        return json.dumps([each for each in value if each is not None]).encode()
    return json.dumps(value).encode().lower()


def _places(values: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place in a JSON value that can be assigned to."""
    waiting = [values]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ()
        for key in keys:
            yield holder, key
            waiting.append(holder[key])


def try_all(
    fault: Ledger, reader: str, read: Callable[[bytes], object], whole: Sequence[bytes], cases: int,
    *changes: Change, refusal: type[UserError] = UserError,
) -> None:
    """Test a reader, first with the inputs that once broke it, then with ``cases`` changed files, or a share of them;
    each must be read or refused.

    Args:
        reader: its name, and what else is tried with the same kind of file.
        read: the function that reads a file with these bytes.
        whole: valid files, as the program writes them.
        refusal: the only error that it may raise.
    """
    for each in whole:
        read(each)
    for path in sorted((FOUND / reader.split()[0]).glob("*")):
        with fault.tried(f"found before: {path.name}"):
            _judge(read, path.read_bytes(), refusal)
    for case in range(round(cases * share["now"])):
        with fault.tried(f"{reader}, case {case} of seed {SEED}"):
            data = changed(whole, changes, random.Random(f"{SEED}/{reader}/{case}"))
            with kept_where_lost(reader, data):
                _judge(read, data, refusal)


def changed(whole: Sequence[bytes], changes: Sequence[Change], rng: random.Random) -> bytes:
    """Return one of these files, changed: drawn again where the change had no effect or produced another of the
    files."""
    while True:
        data = rng.choice(changes)(rng.choice(whole), rng)
        if data not in whole:
            return data


def reading(path: Path, read: Callable[[], object]) -> Callable[[bytes], object]:
    """Return a function that writes bytes to this path and then reads them."""

    def given(data: bytes) -> object:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return read()

    return given


def _judge(read: Callable[[bytes], object], data: bytes, refusal: type[UserError]) -> None:
    meter = devices.MemoryMeter("cpu")
    with in_time():
        try:
            read(data)
        except refusal as error:
            outcome = str(error)
        else:
            outcome = "a value"
    assert outcome, "a refusal without a word"
    assert meter.peak() < MEMORY, f"{meter.peak() / MB:,.0f} MB"


@contextmanager
def kept_where_lost(reader: str, data: bytes) -> Iterator[None]:
    """Write the input to a file when the block fails, and report where."""
    try:
        yield
    except Exception as error:
        place = KEPT / reader / hashlib.sha256(data).hexdigest()[:12]
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        raise AssertionError(f"{type(error).__name__}: {str(error)[:200]} (the input is {place})") from error


class TookTooLong(BaseException):
    """Not derived from Exception, so that no handler mistakes it for another error."""


@contextmanager
def in_time(seconds: float = SECONDS) -> Iterator[None]:
    """Abort the block when it takes more than this processor time; a busy machine does not shorten it."""
    if not hasattr(signal, "SIGPROF"):
        yield
        return
    before, begun = signal.signal(signal.SIGPROF, _too_long), time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except TookTooLong:
        raise AssertionError(f"took more than {seconds} s") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert time.process_time() - begun < seconds, "took too long where nothing can break it off"


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TookTooLong
