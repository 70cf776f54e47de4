"""What every test stands on: a home of its own, processors shared fairly, and The Verdict where it is to be had."""

import ctypes
import gc
import json
import os
import platform
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
import warm_python
from fault_ledger import fault as fault
from fault_ledger import pytest_pyfunc_call as pytest_pyfunc_call
from fault_ledger import pytest_terminal_summary as pytest_terminal_summary
from hypothesis import HealthCheck, settings

from gptstudio import devices

pytest_plugins = ["skips", "studied"]

# Before torch loads. Tiny models are fastest on one thread, and threads that spin while they wait slow
# everybody down on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["GPTSTUDIO_LANG"] = "en"  # whatever the system speaks: what is said is held in English
os.environ["GPTSTUDIO_SETTINGS"] = ""  # whatever the computer's instructor has set
os.environ["GPTSTUDIO_RELEASES"] = ""  # whatever server was named

gc.set_threshold(20_000, 20, 20)  # what is imported for the tests is looked through again and again: 1/20 of the suite
gc.disable()  # until all is imported

CHECKOUT = Path(__file__).resolve().parents[1]
TEXTS = os.environ.get("GPTSTUDIO_TEXTS")

settings.register_profile(
    "house",
    deadline=None,  # the first example of a property pays for imports
    derandomize=True,  # the same examples everywhere, so a red test is red for everybody
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # the home is the same for all examples
)
settings.load_profile("house")


@pytest.fixture(scope="session", autouse=True)
def shared_home(tmp_path_factory) -> Iterator[None]:
    """The user's folder for what is made once for several tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPTSTUDIO_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session", autouse=True)
def programs_in_a_moment() -> Iterator[None]:
    """What programs are forked from ends with the tests."""
    yield
    warm_python.stop_server()


@pytest.fixture(scope="module", autouse=True)
def short_collections() -> None:
    """What earlier modules left is collected once and not looked through again: a test that collects garbage, or counts
    what is there, took two seconds each time for it."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """The user's folder, new for each test, so that no test sees or leaves anything in a real one."""
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path))
    monkeypatch.delenv("GPTSTUDIO_TEXTS", raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def no_waiting_for_disks(monkeypatch) -> None:
    """Nobody pulls the plug during a test: what is written need not have reached the disk before it goes on."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


GLIBC = ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # mallopt(3)


def keep_freed_memory(keep: bool) -> None:
    """Whether the C library keeps what is freed, or gives it back as it usually does."""
    if GLIBC:
        GLIBC.mallopt(MMAP_THRESHOLD, 2**25 if keep else 2**17)
        GLIBC.mallopt(TRIM_THRESHOLD, 2**31 - 1 if keep else 2**17)


@pytest.fixture(autouse=True)
def memory_kept(request, monkeypatch) -> None:
    """What a run frees is kept for the runs of the next tests: to get the same pages again for each took a sixth of the
    suite. A test that measures memory asks for ``memory_returned``."""
    if "memory_returned" not in request.fixturenames:
        monkeypatch.setattr(devices, "reusing_freed_memory", lambda below=0: nullcontext())
        keep_freed_memory(True)


@pytest.fixture
def memory_returned() -> None:
    """What is freed is given back, as it is outside of the tests."""
    keep_freed_memory(False)
    if GLIBC:
        GLIBC.malloc_trim(0)


@pytest.fixture
def verdict(monkeypatch) -> Path:
    """The file of The Verdict, which does not ship with the program."""
    if not TEXTS or not (file := Path(TEXTS) / "the-verdict.txt").is_file():
        pytest.skip("the-verdict.txt is not here; name its folder in GPTSTUDIO_TEXTS")
    monkeypatch.setenv("GPTSTUDIO_TEXTS", TEXTS)
    return file


@pytest.fixture(scope="session")
def numbers() -> dict:
    """The figures printed in the book."""
    return json.loads((CHECKOUT / "resources" / "reference" / "book_numbers.json").read_text(encoding="utf-8"))


SLOW_FOLDERS = {CHECKOUT / "tests" / name for name in ("cli", "weights_io", "faults", "gui/labs", "packaging")}
SLOW_FIXTURES = {"program", "qtbot", "study", "tiny_spec", "window"}
"""Tests with a window, a run or a program of their own: what takes tenths of seconds, hundreds of times."""


def pytest_collection_finish() -> None:
    """What was imported for the tests stays, and need not be looked through whenever memory is tidied up."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slowest first, so that nobody waits for one that began last. ``--fast`` leaves out all that are slow."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if SLOW_FIXTURES.intersection(fixtures) or SLOW_FOLDERS.intersection(item.path.parents):
            item.add_marker(pytest.mark.slow)
