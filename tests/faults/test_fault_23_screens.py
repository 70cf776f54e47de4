"""Screens of 1 to 3 pixels a point: nothing is cut off on any page, and a picture has as many pixels as the screen.

Qt reads the factor when it starts, so each is tried in a separate process.
"""

import json
import os
from pathlib import Path

import pytest
from command_line import PACKAGE_ROOT, finish, start_python
from PySide6.QtGui import QImageReader

pytestmark = pytest.mark.fault(23)

FACTORS = ("1.25", "3", *(pytest.param(factor, marks=pytest.mark.release) for factor in ("1", "1.5", "2")))
"""A fractional factor and the largest are tried every day, all before a release."""
SIZES = ((1280, 800), (900, 600))
"""Sizes of the window; pictures are written at the last, which takes less time."""
HERE = Path(__file__).resolve().parents[1]

LOOK = """
import json, sys, time
from pathlib import Path
from PySide6.QtWidgets import QApplication
from gptstudio.app.state import PAGES
from gptstudio.gui.app import make_app
from gptstudio.gui.controllers import preparation
from gptstudio.gui.window import MainWindow
from readable import cut_off, with_words
preparation.CALIBRATE_AFTER_MS = 3_600_000
pictures, sizes = Path(sys.argv[1]), json.loads(sys.argv[2])
app = make_app()
window = MainWindow()
window.show()
window.wake()

def settle(ready):
    until = time.monotonic() + 60
    while not ready() and time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.005)
    for _ in range(20):
        QApplication.processEvents()

settle(lambda: window.state.text_check is not None and not window.tasks.busy("pool"))
found = []
for width, height in sizes:
    window.resize(width, height)
    for name in PAGES:
        window.state.show_page(name)
        settle(lambda: not window.tasks.busy("pool"))
        picture = window.grab()
        if [width, height] == sizes[-1]:
            picture.save(str(pictures / f"{name}.png"), quality=80)  # compressed less, in less time
        found.append({
            "page": name, "asked": [width, height], "window": window.size().toTuple(),
            "ratio": picture.devicePixelRatio(),
            "picture": picture.size().toTuple(), "cut": cut_off(window), "seen": len(with_words(window)),
        })
window.leave()
print(json.dumps(found))
"""


@pytest.mark.parametrize("factor", FACTORS)
def test_that_nothing_is_cut_off_and_pictures_are_as_large_as_the_screen(tmp_path, fault, factor):
    pictures = Path(os.environ.get("GPTSTUDIO_PICTURES", tmp_path)) / factor
    pictures.mkdir(parents=True, exist_ok=True)
    result = finish(start_python(
        "-c", LOOK, pictures, json.dumps(SIZES), QT_SCALE_FACTOR=factor, QT_QPA_PLATFORM="offscreen",
        PYTHONPATH=os.pathsep.join((PACKAGE_ROOT, str(HERE / "gui"))),
    ))
    assert result.code == 0, result.err[-2000:]
    looks = json.loads(result.out.splitlines()[-1])
    assert len(looks) == 5 * len(SIZES)
    for look in looks:
        what = f"{look['page']} at {look['asked']}, {factor} pixels a point"
        with fault.tried(f"words of {what}"):
            assert look["seen"] > 5
            assert look["cut"] == []
        with fault.tried(f"picture of {what}"):
            assert look["window"] == look["asked"]
            assert look["ratio"] == float(factor)
            assert look["picture"] == pytest.approx([side * float(factor) for side in look["window"]], abs=1)
            if look["asked"] == list(SIZES[-1]):
                assert list(QImageReader(str(pictures / f"{look['page']}.png")).size().toTuple()) == look["picture"]
