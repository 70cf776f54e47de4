"""Downloading a file: trusted certificates, the proxy, and cancelling while the server is silent."""

import http.server
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.error import URLError

import pytest

from gptstudio.data import web

CERTIFICATE = Path(__file__).parent.parent / "localhost.pem"
"""A certificate for localhost that only tests trust, valid until 2126, and its key, which protects nothing."""


class Server(http.server.ThreadingHTTPServer):
    """A server that answers with its path; ``/silent``: with nothing until it is closed."""

    daemon_threads = True

    def __init__(self, secure: bool = True) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self.over = threading.Event()
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.serve_forever, args=(0.02,)).start()

    def url(self, path: str) -> str:
        return f"https://localhost:{self.server_address[1]}/{path}"

    def close(self) -> None:
        self.over.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Ignore a client that closed the connection or does not trust the certificate."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        if self.path == "/silent":
            self.server.over.wait()
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
    monkeypatch.setattr(web, "LOOK_S", 0.02)
    made = Server()
    yield made
    made.close()


def received(url: str, timeout_s: float = 10) -> bytes:
    return b"".join(each.block for each in web.received(url, timeout_s))


def test_that_a_file_is_accepted_from_a_trusted_server_and_from_no_other(server, monkeypatch):
    assert received(server.url("file")) == b"/file"
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(URLError, match="certificate"):
        received(server.url("other"))
    assert server.asked == ["/file"]


def test_that_a_silent_server_is_given_up_and_can_be_abandoned_at_any_time(server):
    with pytest.raises((TimeoutError, URLError), match="timed out"):
        received(server.url("silent"), timeout_s=0.1)
    with closing(web.received(server.url("silent"), 3600)) as blocks:
        assert next(blocks) == web.Received(b"", 0)


def test_that_no_network_is_an_error(server, monkeypatch):
    def nobody(*_, **__):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(URLError, match="name resolution"):
        received("https://releases.example/latest")


def test_that_the_systems_proxy_is_used(server, monkeypatch):
    proxy = Server(secure=False)
    try:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.server_address[1]}")
        with pytest.raises(OSError, match="403"):
            received("https://releases.example/latest")
        assert proxy.asked == ["releases.example:443"]
    finally:
        proxy.close()
