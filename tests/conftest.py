"""Common fixtures of all tests: a separate home, processors shared fairly, and The Verdict where it is available."""

import ctypes
import gc
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
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

# Also where the environment forbids files of compiled code: without them, each worker spends ten seconds on compiling
# the tests, and each started program a quarter of a second on the package.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Before torch loads. Tiny models are fastest on one thread, and threads that spin while they wait slow
# all processes down on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["GPTSTUDIO_LANG"] = "en"  # in any system language: messages are compared in English
os.environ["GPTSTUDIO_SETTINGS"] = ""  # instead of the settings of the computer's instructor
os.environ["GPTSTUDIO_RELEASES"] = ""  # instead of a named server
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder there that only this user may read


def _holds_the_folders_of_the_tests() -> bool:
    """Return whether ``IN_MEMORY`` has room for the folders of the tests, which take half a gigabyte, and programs can
    be started there."""
    if not IN_MEMORY.is_dir() or not os.access(IN_MEMORY, os.W_OK):
        return False
    system = os.statvfs(IN_MEMORY)
    return system.f_bavail * system.f_frsize > 2**32 and not system.f_flag & os.ST_NOEXEC


if _holds_the_folders_of_the_tests():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))  # a disk takes a millisecond for each folder

gc.set_threshold(20_000, 20, 20)  # modules imported for the tests are scanned again and again: 1/20 of the suite
gc.disable()  # until everything is imported

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
    """A user's folder for objects that are made once for several tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GPTSTUDIO_HOME", str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(scope="session", autouse=True)
def programs_in_a_moment() -> Iterator[None]:
    """At the end of the tests, stop the server from which programs are forked."""
    yield
    warm_python.stop_server()


@pytest.fixture(scope="module", autouse=True)
def short_collections() -> None:
    """Collect the objects of earlier modules once and exclude them from later collections: otherwise each test that
    collects garbage or counts objects takes two seconds longer."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """A user's folder, new for each test, so that no test sees or leaves anything in a real one, also in the trash."""
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("GPTSTUDIO_TEXTS", raising=False)
    return tmp_path


@pytest.fixture(autouse=True)
def no_waiting_for_disks(monkeypatch) -> None:
    """Skip flushing to the disk: no power fails during a test."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


GLIBC = ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # mallopt(3)


def keep_freed_memory(keep: bool) -> None:
    """Let the C library keep freed memory, or return it as it usually does."""
    if GLIBC:
        GLIBC.mallopt(MMAP_THRESHOLD, 2**25 if keep else 2**17)
        GLIBC.mallopt(TRIM_THRESHOLD, 2**31 - 1 if keep else 2**17)


@pytest.fixture(autouse=True)
def memory_kept(request, monkeypatch) -> None:
    """Keep the memory that a run frees for the runs of the next tests: requesting the same pages again for each run
    took a sixth of the suite's time. A test that measures memory uses ``memory_returned``."""
    if "memory_returned" not in request.fixturenames:
        monkeypatch.setattr(devices, "reusing_freed_memory", lambda below=0: nullcontext())
        monkeypatch.setattr(devices, "return_freed_memory", lambda: None)
        keep_freed_memory(True)


@pytest.fixture
def memory_returned() -> None:
    """Return freed memory to the system, as outside of the tests."""
    keep_freed_memory(False)
    if GLIBC:
        GLIBC.malloc_trim(0)


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    """Set the number of torch's threads; it is restored after the test."""
    import torch

    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


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
"""Fixtures of tests with a window, a run or a separate program, which take tenths of seconds, hundreds of times."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import the folders of slow tests with ``--fast``."""
    return True if collection_path in SLOW_FOLDERS and "not slow" in config.option.markexpr else None


def pytest_collection_finish() -> None:
    """Exclude everything imported for the tests from later garbage collections."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the slowest first, so that no worker waits for one that started last. ``--fast`` leaves out all slow
    tests."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if SLOW_FIXTURES.intersection(fixtures) or SLOW_FOLDERS.intersection(item.path.parents):
            item.add_marker(pytest.mark.slow)
