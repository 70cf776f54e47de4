"""Start Python programs in separate processes almost at once: forked from one that has torch and Qt loaded.

``start("-c", code, ...)`` and ``start("-m", "gptstudio", ...)`` correspond to ``subprocess.Popen([sys.executable,
...])``, with a process, signals, pipes and an exit code of their own; this saves 3 to 5 s of processor time for
imports. A test of how a program is loaded, or of settings that are read when Python or torch is loaded, has to start a
new Python. Windows and macOS cannot fork such a program: there each starts a new Python.
"""

import atexit
import gc
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import reduction
from multiprocessing.forkserver import _forkserver as SERVER
from pathlib import Path
from typing import IO

CHECKOUT = Path(__file__).resolve().parents[1]
MODULES = [str(CHECKOUT / "tests"), str(CHECKOUT)]
"""The folders with the modules of the tests and of the program."""
HAS_FORK = hasattr(os, "fork") and sys.platform != "darwin"
if HAS_FORK:
    FORKS = multiprocessing.get_context("forkserver")
    FORKS.set_forkserver_preload(["warm_imports"])


class Process:
    """A started program, with the part of the interface of ``subprocess.Popen`` that the tests use."""

    def __init__(
        self, argv: tuple[str, ...], env: dict[str, str], cwd: str | os.PathLike | None = None, *,
        stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE, stdin: int = subprocess.DEVNULL,
        new_session: bool = False, encoding: str = "utf-8", errors: str = "surrogateescape",
    ):
        self.args, opened = argv, []
        self.stdin = self.stdout = self.stderr = None
        ends: list[int] = []
        for name, wanted, mode in (("stdin", stdin, "w"), ("stdout", stdout, "r"), ("stderr", stderr, "r")):
            if wanted == subprocess.PIPE:
                pair = os.pipe()
                ours, theirs = pair if mode == "r" else pair[::-1]
                setattr(self, name, os.fdopen(ours, mode, encoding=encoding, errors=errors))
                opened.append(theirs)
            elif wanted == subprocess.DEVNULL:
                theirs = os.open(os.devnull, os.O_RDWR)
                opened.append(theirs)
            else:
                theirs = ends[1] if wanted == subprocess.STDOUT else wanted
            ends.append(theirs)
        self._process = FORKS.Process(target=_Start(argv, env, os.fspath(cwd or os.getcwd()), ends, new_session))
        with _server_environment():
            self._process.start()
        for end in opened:
            os.close(end)

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, input: str | None = None, timeout: float | None = None) -> tuple[str, str]:
        """Return the remaining output of the program, after its end."""
        end = None if timeout is None else time.monotonic() + timeout
        output = {"stdout": "", "stderr": ""}
        readers = [threading.Thread(target=self._read, args=(name, output)) for name in output if getattr(self, name)]
        for reader in readers:
            reader.start()
        if self.stdin:
            if input:
                self.stdin.write(input)
            self.stdin.close()
        for reader in readers:
            reader.join(None if end is None else max(0.0, end - time.monotonic()))
            if reader.is_alive():
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
        self.wait(None if end is None else max(0.1, end - time.monotonic()))
        return output["stdout"], output["stderr"]

    def _read(self, name: str, output: dict[str, str]) -> None:
        stream: IO[str] = getattr(self, name)
        output[name] = stream.read()

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream:
                stream.close()
        self.wait()


def start(
    *argv: object, env: dict[str, str] | None = None, cwd: str | os.PathLike | None = None, **options: object
) -> Process | subprocess.Popen[str]:
    """Start ``python *argv``, with a complete environment (this process's where none is given)."""
    words, env = tuple(map(str, argv)), dict(os.environ if env is None else env)
    if HAS_FORK:
        return Process(words, env, cwd, **options)  # type: ignore[arg-type]
    env["PYTHONPATH"] = os.pathsep.join([*filter(None, [env.get("PYTHONPATH")]), *MODULES])
    given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    given["start_new_session"] = given.pop("new_session", False)
    return subprocess.Popen(
        [sys.executable, *words], env=env, cwd=cwd, encoding="utf-8", errors="surrogateescape", **given
    )


def run(
    *argv: object, env: dict[str, str] | None = None, timeout: float | None = 200, check: bool = False,
    input: str | None = None, **options: object,
) -> subprocess.CompletedProcess:
    """Run ``python *argv`` to its end; a program that takes longer than ``timeout`` seconds is killed."""
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with start(*argv, env=env, **options) as process:
        try:
            out, err = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    done = subprocess.CompletedProcess(argv, process.wait(), out, err)
    if check:
        done.check_returncode()
    return done


def stop_server() -> None:
    """End the process that all programs are forked from, and wait for it, so that its processor time is counted."""
    if HAS_FORK:
        SERVER._stop()  # noqa: SLF001 - there is no public method


class _Start:
    """The target of the forked process: it becomes ``python *argv``."""

    def __init__(self, argv: tuple[str, ...], env: dict[str, str], cwd: str, ends: list[int], new_session: bool):
        self.argv, self.env, self.cwd, self.ends, self.new_session = argv, env, cwd, ends, new_session

    def __getstate__(self) -> dict:
        return {**self.__dict__, "ends": [reduction.DupFd(end) for end in self.ends]}

    def __call__(self) -> None:
        for target, end in enumerate(each.detach() for each in self.ends):
            os.dup2(end, target)
            if end > 2:
                os.close(end)
        if self.new_session:
            os.setsid()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # also where the parent ignored it
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(self.env)
        os.chdir(self.cwd)
        sys.stdin = os.fdopen(0, encoding="utf-8")
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", errors="surrogateescape")
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
        config = multiprocessing.current_process()._config  # noqa: SLF001 - it may start processes, as any program
        config.clear()
        config["semprefix"] = "/mp"
        code = self._exit_code()
        _exit_as_python_does()
        if code == -signal.SIGINT:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        os._exit(code)

    def _exit_code(self) -> int:
        try:
            self._become()
        except SystemExit as end:
            if end.code is not None and not isinstance(end.code, int):
                print(end.code, file=sys.stderr)
                return 1
            return (end.code or 0) & 0xFF
        except BaseException as error:  # noqa: BLE001 - as Python itself ends a program
            sys.excepthook(*sys.exc_info())
            return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
        return 0

    def _become(self) -> None:
        kind, what, *rest = self.argv
        sys.path[:0] = [each for each in self.env.get("PYTHONPATH", "").split(os.pathsep) if each not in sys.path]
        if kind == "-m":
            sys.argv = [what, *rest]
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            assert kind == "-c"
            sys.argv = ["-c", *rest]
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})


def _exit_as_python_does() -> None:
    """Run the functions registered for the exit, which a forked process would skip."""
    threading._shutdown()  # noqa: SLF001 - waits for threads, as Python's end does
    atexit._run_exitfuncs()  # noqa: SLF001 - likewise
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the reader has ended, or the stream was closed
            stream.flush()


@contextmanager
def _server_environment() -> Iterator[None]:
    """Let the server find the modules of the tests, and start only once."""
    if SERVER._forkserver_pid:  # noqa: SLF001 - no public name tells whether it runs
        yield
        return
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join(MODULES)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        gc.collect()
