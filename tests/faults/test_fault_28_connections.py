"""No unrequested connections: only a download of a model or a text that the user starts opens one.

Python's network calls are recorded as they happen; connections of Qt or torch are looked for among the open files of
the process, again and again.
"""

import json
import sys
from collections.abc import Iterator

import pytest
from command_line import LESSON, finish, start_new_python, start_python
from mirror import Mirror
from PySide6.QtGui import QImage

from gptstudio.gui import selftest

pytestmark = pytest.mark.fault(28)

WATCHED = """
import json, os, socket, sys, threading
INTERNET = (socket.AF_INET, socket.AF_INET6)
asked, opened, over = [], set(), threading.Event()

def hear(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        asked.append(event)
    elif event == "socket.__new__" and arguments[1] in INTERNET:
        asked.append(event)

def links():
    for handle in os.listdir("/proc/self/fd"):
        try:
            yield os.readlink(f"/proc/self/fd/{handle}")
        except OSError:
            pass

def look():
    ours = {link[8:-1] for link in links() if link.startswith("socket:[")}
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        if os.path.exists(f"/proc/self/net/{kind}"):
            with open(f"/proc/self/net/{kind}") as table:
                opened.update(kind for line in table if ours & {line.split()[9]})

def watch():
    while not over.wait(0.05):
        look()

sys.addaudithook(hear)
if sys.platform == "linux":
    threading.Thread(target=watch, daemon=True).start()
from gptstudio.__main__ import main
ended = [main(argv) for argv in json.loads(sys.argv[1])]
over.set()
names = [name for name in ("huggingface_hub", "PySide6.QtNetwork") if name in sys.modules]
print(json.dumps({"asked": asked, "opened": sorted(opened), "ended": ended, "loaded": names}), file=sys.stderr)
"""
"""Runs commands one after the other, and prints at the end what was asked of the network."""


def watched(
    *commands: list[object], code: int = 0, start=start_python, before: str = "", **environment: str | None
) -> dict[str, list[str]]:
    """Return the network requests and connections of the commands, each of which must end with this exit code.
    ``before`` runs first."""
    asked = json.dumps([[str(part) for part in argv] for argv in commands])
    result = finish(start("-c", before + WATCHED, asked, **{"HF_HUB_OFFLINE": None, **environment}))
    assert result.code == 0, result.err[-2000:]
    found = json.loads(result.err.splitlines()[-1])
    assert found["ended"] == [code] * len(commands), result.err[-2000:]
    return found


NOTHING = {"asked": [], "opened": []}


def calls(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: found[name] for name in NOTHING}


def test_that_no_command_opens_a_connection_unasked(tmp_path):
    run, book, folder = tmp_path / "run", tmp_path / "model.pth", tmp_path / "model"
    text = tmp_path / "text.txt"
    text.write_text("Every effort moves you.", encoding="utf-8")
    found = watched(
        ["train", "--text", "story", *LESSON, "--steps", 2, "--run", run],
        ["export", book, "--model", run, "--to", "book"],
        ["export", folder, "--model", run, "--to", "huggingface"],
        ["import", book, "--heads", 2, "--name", "one"], ["import", folder, "--name", "two"], ["import", "--list"],
        ["train", "--text", "story", *LESSON, "--qkv-bias", "--steps", 1, "--init-from", "two", "--freeze-blocks", 1],
        ["generate", "--model", "one", "--max-new-tokens", 2, "--precision", "int8"], ["score", text, "--model", "two"],
        ["size", "--preset", "gpt2-xl"], ["runs"], ["lab", "--list"], ["lab", "attention"],
    )
    assert calls(found) == NOTHING


FEWER = """
from dataclasses import replace
from gptstudio.gpt.config import PRESETS
from gptstudio.gui import selftest, window_driver
from gptstudio.labs import generate
from gptstudio.training.model_source import UntrainedModel
selftest.STEPS, selftest.TOKENS, window_driver.CALIBRATED_S = 4, 3, 0
generate.LAB = replace(generate.LAB, model=UntrainedModel(PRESETS["gpt2-small"].but(emb_dim=96, n_heads=2, n_layers=2)))
"""
"""A short run that begins at once, a short text, and greedy decoding with a small model."""


@pytest.mark.slow
@pytest.mark.parametrize(("start", "before"), [
    (start_python, FEWER), pytest.param(start_new_python, "", marks=pytest.mark.release),
], ids=["a few steps", "in a new Python"])
def test_that_the_self_test_passes_leaves_a_report_and_opens_no_connection(tmp_path, start, before):
    """It loads every module, opens a window, trains, saves, loads and generates. Before a release everything is loaded
    in a new process, and the whole tour is watched."""
    found = watched(["--selftest", tmp_path / "new folder"], start=start, before=before)
    assert calls(found) == NOTHING
    lines = (tmp_path / "new folder" / selftest.REPORT).read_text().splitlines()
    assert len(lines) == len(list(selftest.stages(print, tmp_path, selftest.ExitStack())))
    assert all(" s" in line for line in lines)
    assert QImage(str(tmp_path / "new folder" / selftest.PICTURE)).width() == 1280


@pytest.mark.release
def test_that_the_window_opens_no_connection_on_its_whole_tour(tmp_path):
    """Every page, a run, a text, weights out and in, all experiments and a lesson, in both languages."""
    found = watched(["tour", tmp_path / "pictures", "--steps", 4], start=start_new_python)
    assert calls(found) == NOTHING
    assert found["loaded"] == [], "what speaks to the network is not even there"
    assert len(list((tmp_path / "pictures").glob("*.png"))) >= 30


NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    made = Mirror({})
    yield made
    made.close()


@pytest.mark.fault(None)
def test_that_the_watch_sees_a_requested_download(mirror):
    found = watched(["import", "distilgpt2"], code=2, HF_ENDPOINT=mirror.url, NO_PROXY="127.0.0.1")
    assert {"socket.__new__", "socket.connect"} <= set(found["asked"])
    assert mirror.requests, "it arrived where it was sent"


@pytest.mark.fault(None)
@pytest.mark.skipif(sys.platform != "linux", reason="the open files of a process are listed so on Linux alone")
def test_that_the_watch_sees_a_connection_that_bypasses_python(tmp_path):
    """A library opens the connection without Python."""
    library = (
        "import ctypes, struct, socket, time; c = ctypes.CDLL(None); s = c.socket(2, 1, 0); "
        "a = struct.pack('=HH4s8x', 2, socket.htons(0), bytes((127, 0, 0, 1))); c.bind(s, a, 16); c.listen(s, 1); "
        "time.sleep(0.3)"
    )
    script = WATCHED.replace("from gptstudio.__main__ import main\n", f"{library}\nmain = int\n")
    result = finish(start_new_python("-c", script, "[]"))
    assert json.loads(result.err.splitlines()[-1])["opened"] == ["tcp"], result.err[-2000:]


def test_that_no_published_model_is_requested_where_the_hub_is_disabled():
    assert calls(watched(["import", "gpt2"], code=2, HF_ENDPOINT=NOBODY, HF_HUB_OFFLINE="1")) == NOTHING
