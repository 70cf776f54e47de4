"""The command line as a user runs it: in this process for speed, and in a separate one for signals and pipes."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from command_line import SHORT, CommandResult
from lessons import lesson

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
def learn(cli) -> Callable[..., RunFolder]:
    """Train a tiny model and return its run."""

    def train(*more: object) -> RunFolder:
        assert cli("train", *SHORT, *more).code == 0
        return all_runs()[0]

    return train


@pytest.fixture
def serve(monkeypatch) -> Iterator[Callable[[bytes], str]]:
    """Start a server on this computer that answers every request with the same bytes; return its address."""
    servers: list[HTTPServer] = []
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    def answer(content: bytes) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: object) -> None:
                pass

        servers.append(HTTPServer(("127.0.0.1", 0), Handler))
        Thread(target=servers[-1].serve_forever, args=(0.02,)).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/the-verdict.txt"

    yield answer
    for server in servers:
        server.shutdown()
        server.server_close()
