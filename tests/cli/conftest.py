"""The command line as a user runs it: in this process for speed, and in a separate one for signals and pipes."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from command_line import SHORT, CommandResult
from lessons import lesson
from web_server import Handler, WebServer

from gptstudio import paths
from gptstudio.__main__ import main
from gptstudio.training.run_folder import RunFolder, all_runs

RunCommand = Callable[..., CommandResult]


@pytest.fixture(autouse=True)
def plain(monkeypatch) -> None:
    """Use no colours and a wide terminal, so that output can be compared."""
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def cli(capfd) -> RunCommand:
    """Run a command in this process."""

    def do(*argv: object) -> CommandResult:
        code = main([str(part) for part in argv])
        return CommandResult(code, *capfd.readouterr())

    return do


@pytest.fixture
def refused(cli) -> Callable[..., str]:
    """Run a command that must be refused and add no run and no model, and return the line with the reason."""

    def saved() -> set[Path]:
        return {*paths.runs().glob("*"), *paths.models().glob("*")}

    def do(*argv: object) -> str:
        before, result = saved(), cli(*argv)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert "Traceback" not in result.err
        assert saved() == before
        return result.err

    return do


@pytest.fixture
def learn(cli) -> Callable[..., RunFolder]:
    """Train a tiny model and return its run."""

    def train(*more: object) -> RunFolder:
        assert cli("train", *SHORT, *more).code == 0
        return all_runs()[0]

    return train


@pytest.fixture
def serve(monkeypatch) -> Iterator[Callable[[bytes], str]]:
    """Start a server on this computer that answers every request with the same bytes; return its address."""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with ExitStack() as servers:

        def start(content: bytes) -> str:
            answering = type("Answering", (Handler,), {"do_GET": lambda handler: handler.answer(content)})
            return f"{servers.enter_context(WebServer(answering)).url}/the-verdict.txt"

        yield start
