"""The program's self-test names a stage that fails. That all stages pass is tested in ``tests/faults``, 28."""

import os
import subprocess
import sys
from pathlib import Path

from gptstudio.gui import selftest

BROKEN = """
import sys
from gptstudio.gui import selftest

def broken(probe, *rest):
    raise OSError("there is no library for windows here")

selftest.WindowTest.open = broken
selftest.every_module = lambda: "not now"
sys.exit(selftest.run(print, selftest.Path(sys.argv[1])))
"""


def program(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    named = {"PATH", "HOME", "GPTSTUDIO_HOME", "OMP_NUM_THREADS", "PYTHONPATH"}
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=280,
                          env={name: value for name, value in os.environ.items() if name in named})


def test_that_a_failing_stage_is_named_with_its_traceback_and_ends_the_test(tmp_path):
    came = program("-c", BROKEN, tmp_path)
    assert came.returncode == 1
    assert "FAILED the window opens" in came.stderr
    assert "OSError: there is no library for windows here" in came.stderr
    assert "training" not in came.stdout
    assert "FAILED the window opens" in (tmp_path / selftest.REPORT).read_text()


def test_that_a_fault_in_a_callback_fails_its_stage_without_an_exception(tmp_path, qtbot, capsys):
    with (tmp_path / "report").open("w") as file:
        reporter = selftest.StageReporter(file)
        assert reporter.stage("a good one", lambda: "fine")
        assert not reporter.stage("a bad one", lambda: sys.excepthook(ValueError, ValueError("in a slot"), None))
    captured = capsys.readouterr()
    assert captured.out.startswith("a good one")
    assert captured.out.rstrip().endswith("fine")
    assert captured.err.startswith("FAILED a bad one")
    assert "in a slot" in captured.err
