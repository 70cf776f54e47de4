"""A server on this computer that describes a release as GitHub does, over HTTPS, or fails as servers do."""

import http.server
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""A certificate for localhost that only tests trust, valid until 2126, and its key, which protects nothing."""
PAGE = "https://releases.example/gptstudio/v9.1.0"
HTML = '<b>Bold</b> & <img src="file:///etc/passwd"><script>alert(1)</script>'


def release(tag: str = "v9.1.0", **changed: object) -> bytes:
    """The description of a release, with more in it than is read."""
    return json.dumps({
        "tag_name": tag, "html_url": PAGE, "published_at": "2026-11-20T09:30:00Z", "body": f"First line\r\n{HTML}",
        "draft": False, "author": {"login": "somebody"}, "assets": [{"name": "gptstudio.deb", "size": 1}], **changed,
    }).encode()


class ReleaseServer:
    """Each path has its answer; ``asked``: path and headers of every request."""

    def __init__(self, secure: bool) -> None:
        self.answers: dict[str, Callable[[http.server.BaseHTTPRequestHandler], object]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.over = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._scheme = "https" if secure else "http"
        if secure:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False)  # in the thread of the request
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="releases")
        self._thread.start()

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    def url(self, path: str) -> str:
        return f"{self._scheme}://localhost:{self.port}/{path}"

    def says(self, body: bytes, status: int = 200, path: str = "latest", **headers: str) -> str:
        """Has a path answer so; its address."""
        def answer(request: http.server.BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(body)

        self.answers[f"/{path}"] = answer
        return self.url(path)

    def is_silent(self, path: str = "latest") -> str:
        """Has a path answer nothing until the server is closed; its address."""
        self.answers[f"/{path}"] = lambda _: self.over.wait()
        return self.url(path)

    def drips(self, path: str = "latest") -> str:
        """Has a path send a byte now and then, for ever; its address."""
        def answer(request: http.server.BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.end_headers()
            while not self.over.wait(0.02):
                request.wfile.write(b" ")

        self.answers[f"/{path}"] = answer
        return self.url(path)

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Quiet(http.server.ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Whoever asked went away, or does not trust the certificate."""


class _Handler(http.server.BaseHTTPRequestHandler):
    owner: ReleaseServer

    def do_GET(self) -> None:
        self.owner.asked.append((self.path, dict(self.headers)))
        with suppress(OSError):
            self.owner.answers.get(self.path, lambda request: request.send_error(404))(self)

    def do_CONNECT(self) -> None:
        """What a proxy is asked."""
        self.owner.asked.append((self.path, dict(self.headers)))
        self.send_error(403)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def without_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def releases(without_proxy: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseServer]:
    """The server, trusted; its path ``latest`` is where this program's releases are published."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    made = ReleaseServer(secure=True)
    monkeypatch.setenv("GPTSTUDIO_RELEASES", made.url("latest"))
    yield made
    made.close()
