"""Common parts of the tests of the command line: short arguments, and commands in separate processes."""

import json
import os
import re
import select
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

import pytest
import warm_python

import gptstudio
from gptstudio.data import texts

PACKAGE_ROOT = str(Path(gptstudio.__file__).parents[1])
TINY = ["--emb-dim", "8", "--n-heads", "2", "--n-layers", "1", "--context-length", "16"]
LESSON = [*TINY, "--sample-tokens", "2", "--device", "cpu"]
SHORT = ["--text", "story", *LESSON, "--steps", "3"]


class CommandResult(NamedTuple):
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str


def lines(result: CommandResult, code: int = 0) -> list[dict]:
    """Return the JSON lines that a command printed before it ended with this exit code."""
    assert result.code == code, result.err
    return [json.loads(line) for line in result.out.splitlines()]


def wait_for_steps(out: IO[str], rest: Callable[[], object]) -> None:
    """Read JSON lines until three steps are done; if the program ends before, fail with the rest of its output."""
    done = 0
    for line in out:
        done += '"step_done"' in line
        if done == 3:
            return
    pytest.fail(f"ended too soon: {rest()}")


def without_escapes(shown: str) -> str:
    """Return the output in a terminal without the sequences that move its cursor and set its colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)


Program = warm_python.Process | subprocess.Popen


def start(*argv: object, **environment: str | None) -> Program:
    """Start a command in a separate process; None removes a variable."""
    return start_python("-m", "gptstudio", *argv, **environment)


def start_python(*argv: object, **environment: str | None) -> Program:
    """Start Python in a separate process; None removes a variable."""
    return warm_python.start(*argv, env=_variables(environment))


def start_new_python(*argv: object, **environment: str | None) -> Program:
    """Start a new Python, for tests that depend on the loaded modules or on Python's own settings."""
    return subprocess.Popen(
        [sys.executable, *map(str, argv)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape",
        env=_variables(environment),
    )


def _variables(environment: dict[str, str | None]) -> dict[str, str]:
    changed = {**os.environ, "PYTHONPATH": PACKAGE_ROOT, **environment}
    return {name: value for name, value in changed.items() if value is not None}


def finish(process: Program) -> CommandResult:
    """Wait for a started command to end, and return its exit code and its remaining output."""
    with process:  # communicate() would lose what was buffered by a caller that has read a line
        assert process.stdout
        assert process.stderr
        out, err = process.stdout.read(), process.stderr.read()
    return CommandResult(process.returncode, out, err)


def in_terminal(*argv: object, columns: int = 110) -> tuple[int, str]:
    """Run a command, or Python with ``-c``, in a terminal; return its exit code and all output. Skip on Windows."""
    if os.name == "nt":
        pytest.skip("Windows has no such terminals")
    import fcntl
    import pty
    import termios

    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = _variables({"TERM": "xterm", "COLUMNS": None})
    program = () if argv[0] == "-c" else ("-m", "gptstudio")
    process = warm_python.start(*program, *argv, env=env, stdout=follower, stderr=follower)
    os.close(follower)
    shown = b"".join(iter(lambda: _read(leader), b""))
    os.close(leader)
    return process.wait(60), shown.decode()


def _read(terminal: int) -> bytes:
    """Return the available bytes; none once the other side has closed."""
    try:
        return os.read(terminal, 65_536) if select.select([terminal], [], [], 60)[0] else b""
    except OSError:
        return b""


def story() -> bytes:
    """Return the text that ships with the program."""
    place = texts.locate(texts.STORY)
    assert place
    return place.read_bytes()
