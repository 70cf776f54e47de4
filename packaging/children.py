"""Child processes of the setup: they do not prompt, their output goes to a log, and their failures are explained."""

import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from places import PYTHON, ROOT, VENV, VERSION

LOG = VENV / "install.log"

# For all child processes of the setup: no prompts, no colours, UTF-8 in any locale.
CALM = {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_PROGRESS_BAR": "off",
        "PIP_NO_COLOR": "1", "PIP_ROOT_USER_ACTION": "ignore", "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0",
        "PYTHONUTF8": "1"}

# The first match explains a failed installation. The network comes before the missing build, because pip reports an
# unreachable server as both.
CAUSES = {
    "No space left|not enough space":
        "The disk is full: make room (2 GB, or 8 GB for a PyTorch with CUDA) and start again.",
    "CERTIFICATE_VERIFY_FAILED":
        "The package server's certificate was refused: name your network's own in PIP_CERT, and start again.",
    "name ?resolution|not known|getaddrinfo|ConnectionError|TimeoutError|Read timed out|unreachable|ProxyError":
        "The package server cannot be reached: check the network or its proxy, and start again.",
    "No matching distribution":
        f"There is no fitting build for Python {VERSION} on this machine ({sys.platform} "
        f"{platform.machine()}): start again with a 64-bit Python 3.11, 3.12 or 3.13.",
    "Permission denied|Access is denied|Read-only":
        "A file may not be written: close a GPT Studio that is still open, and see who owns the folder.",
}


class SetupError(Exception):
    """Error whose message says what happened, what it means and what to do."""


def say(words: str) -> None:
    """Print a message for the user to stderr, since stdout belongs to the program that is started."""
    print(words, file=sys.stderr, flush=True)


def in_words(main: Callable[[list[str]], int]) -> Callable[[list[str]], int]:
    """Decorate a main function so that it prints a SetupError and returns 1."""
    @wraps(main)
    def program(argv: list[str]) -> int:
        try:
            return main(argv)
        except SetupError as error:
            say(str(error))
            return 1

    return program


def call(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a program to its end without standard input. Its output is captured, unless the options redirect it."""
    usual: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                             "encoding": "utf-8", "errors": "replace", "check": False}
    words = [str(word) for word in command]
    return subprocess.run(words, text=True, **usual | options)  # noqa: S603 - a list of words, no shell


def checked(*command: object, **options: Any) -> str:
    """Run a program and return its output.

    Raises:
        SetupError: it failed; with the end of its output.
    """
    ended = call(*command, **options)
    if ended.returncode:
        words = " ".join(map(str, command))
        raise SetupError(f"{words} ended with {ended.returncode}: {(ended.stdout + ended.stderr).strip()[-3000:]}")
    return ended.stdout


def start(*command: object, **options: Any) -> subprocess.Popen[bytes]:
    """Start a program without waiting for it."""
    return subprocess.Popen([str(word) for word in command], **options)  # noqa: S603 - a list of words, no shell


def ask(*command: str | Path) -> str:
    """Return the output of a short command; empty if it is missing, fails or takes too long."""
    try:
        return call(*command, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def done(*command: str | Path, **variables: str) -> bool:
    """Run a command with its output going to the log; return whether it succeeded."""
    words = [str(word) for word in command]
    with LOG.open("a", encoding="utf-8") as log:
        print(f"\n$ {shlex.join(words)}", file=log, flush=True)
        try:
            process = start(*words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=ROOT,
                            env={**os.environ, **CALM, **variables})
        except OSError as error:
            print(error, file=log)
            return False
        with process:
            return wait(process) == 0


def wait(process: subprocess.Popen[bytes]) -> int:
    """Wait for a child process, and print every 30 s that it is still running."""
    start = time.monotonic()
    while True:
        try:
            return process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            say(f"  ... still working, {time.monotonic() - start:.0f} s so far")


def pip(*arguments: str) -> bool:
    """Run pip in the environment; return whether it succeeded."""
    return done(PYTHON, "-m", "pip", *arguments)


def failure(what: str) -> SetupError:
    """Return an error with the failed step, its likely cause and the log file."""
    why = explain(LOG.read_text(encoding="utf-8", errors="replace"))
    return SetupError(f"{what} {why}\nThe full log: {LOG}")


def explain(log: str) -> str:
    """Return the likely cause of the failure of the log's last command, and what to do about it."""
    last = log.rsplit("\n$ ", 1)[-1].strip()
    for pattern, words in CAUSES.items():
        if re.search(pattern, last, re.IGNORECASE):
            return words
    errors = [line for line in last.splitlines() if "error" in line.lower()] or last.splitlines() or [""]
    return f"The installation's last words were: {errors[-1].strip()}"
