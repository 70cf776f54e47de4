"""Downloading a file: trusted certificates and the proxy."""

import ssl
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError

import pytest
from web_server import Handler, WebServer

from gptstudio.data import web

CERTIFICATE = Path(__file__).parent.parent / "localhost.pem"
"""A certificate for localhost that only tests trust, valid until 2126, and its key, which protects nothing."""


class Server(WebServer):
    """A server that answers with its path."""

    def __init__(self, secure: bool = True) -> None:
        super().__init__(Answer)
        self.asked: list[str] = []
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def secure_url(self, path: str) -> str:
        return f"https://localhost:{self.server_port}/{path}"

    def handle_error(self, *_: object) -> None:
        """Ignore a client that closed the connection or does not trust the certificate."""


class Answer(Handler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        with suppress(OSError):
            self.answer(self.path.encode())

    def do_CONNECT(self) -> None:
        """Answer as a proxy."""
        self.server.asked.append(self.path)
        self.send_error(403)


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    """A server with a trusted certificate."""
    for name in ("https_proxy", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with Server() as made:
        yield made


def received(url: str) -> bytes:
    return b"".join(each.block for each in web.received(url, 10))


def test_that_a_file_is_accepted_from_a_trusted_server_and_from_no_other(server, monkeypatch):
    assert received(server.secure_url("file")) == b"/file"
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(URLError, match="certificate"):
        received(server.secure_url("other"))
    assert server.asked == ["/file"]


def test_that_the_systems_proxy_is_used(server, monkeypatch):
    with Server(secure=False) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url)
        with pytest.raises(OSError, match="403"):
            received("https://releases.example/latest")
        assert proxy.asked == ["releases.example:443"]
