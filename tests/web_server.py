"""A web server on this computer."""

from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self


class WebServer(ThreadingHTTPServer):
    """Server that answers each request on a thread of its own, from its start until it is closed."""

    daemon_threads = True

    def __init__(self, handler: type["Handler"]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self._thread = Thread(target=self.serve_forever, args=(0.02,), name="web server")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()


class Handler(BaseHTTPRequestHandler):
    """Handler of requests that writes no log."""

    def answer(self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        """Send a response; ``headers``: by default, the length of the body."""
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} if headers is None else headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
