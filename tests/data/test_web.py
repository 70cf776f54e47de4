"""Downloading a file: trusted certificates and the proxy."""

import http.server
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError

import pytest

from gptstudio.data import web

CERTIFICATE = Path(__file__).parent.parent / "localhost.pem"
"""A certificate for localhost that only tests trust, valid until 2126, and its key, which protects nothing."""


class Server(http.server.ThreadingHTTPServer):
    """A server that answers with its path."""

    daemon_threads = True

    def __init__(self, secure: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, args=(0.02,)).start()

    def url(self, path: str) -> str:
        return f"https://localhost:{self.server_address[1]}/{path}"

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Ignore a client that closed the connection or does not trust the certificate."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        with suppress(OSError):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.path.encode())

    def do_CONNECT(self) -> None:
        """Answer as a proxy."""
        self.server.asked.append(self.path)
        self.send_error(403)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(monkeypatch) -> Iterator[Server]:
    """A server with a trusted certificate."""
    for name in ("https_proxy", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    made = Server()
    yield made
    made.close()


def received(url: str) -> bytes:
    return b"".join(each.block for each in web.received(url, 10))


def test_that_a_file_is_accepted_from_a_trusted_server_and_from_no_other(server, monkeypatch):
    assert received(server.url("file")) == b"/file"
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(URLError, match="certificate"):
        received(server.url("other"))
    assert server.asked == ["/file"]


def test_that_the_systems_proxy_is_used(server, monkeypatch):
    proxy = Server(secure=False)
    try:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
        with pytest.raises(OSError, match="403"):
            received("https://releases.example/latest")
        assert proxy.asked == ["releases.example:443"]
    finally:
        proxy.close()
