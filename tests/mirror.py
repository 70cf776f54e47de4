"""A server on 127.0.0.1 with the parts of the Hub's interface that huggingface_hub uses, and with typical faults.

Large files are in a "storage" of another origin (localhost instead of 127.0.0.1) to which the Hub's own answer
redirects: as there, it allows only GET, and returns only bytes.
"""

import hashlib
import json
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

from web_server import Handler, WebServer

SAFETENSORS = "model.safetensors"
SENT_AT_ONCE = 16_384


@dataclass
class Faults:
    """The faults to simulate; positions are bytes of the weights' file."""

    status: int | None = None  # status of every response
    silent: bool = False  # no request is answered
    cut_at: list[int] = field(default_factory=list)  # the connection breaks there, each once
    stall_at: int | None = None  # nothing more is sent
    wrong_byte: int | None = None  # this byte is changed
    says_longer: int = 0  # excess of the length in HEAD over the true size
    no_ranges: bool = False  # always sends the whole file
    ends_at: int | None = None  # the body ends there, without a length and without an error
    etag: str | None = None  # replaces the checksum


class Mirror:
    """Repositories served over HTTP, with a record of the requests and the sent bytes."""

    def __init__(self, repositories: dict[str, dict[str, bytes]], renamed: dict[str, str] | None = None) -> None:
        self.repositories, self.renamed = repositories, renamed or {}
        self.faults = Faults()
        self.served: Counter[str] = Counter()  # bytes, by name
        self.requests: list[tuple[str, str, dict[str, str]]] = []  # method, path, headers
        self.stalled = threading.Event()
        self._over = threading.Event()
        self._others = set(threading.enumerate())
        self._server = WebServer(type("Handler", (_Handler,), {"mirror": self})).start()
        self.port, self.url = self._server.server_port, self._server.url

    @property
    def answering(self) -> list[threading.Thread]:
        """The server's threads with an open connection."""
        return [each for each in threading.enumerate() if "process_request" in each.name and each not in self._others]

    def close(self) -> None:
        self._over.set()
        self._server.close()

    def wait_for_the_end(self) -> None:
        """Block until the server is closed, as a silent server does."""
        self.stalled.set()
        self._over.wait()

    def starts(self) -> list[str]:
        """Return the Range header of each request for the weights' bytes; empty for the whole file."""
        return [headers.get("Range", "") for method, path, headers in self.requests if path.startswith("/storage/")]


class _Handler(Handler):
    mirror: Mirror
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        mirror, faults = self.mirror, self.mirror.faults
        mirror.requests.append((self.command, self.path, dict(self.headers)))
        with suppress(OSError):  # the client closed the connection
            if faults.silent:
                mirror.wait_for_the_end()
                self.close_connection = True
            elif faults.status:
                self._say(faults.status, {"Content-Length": "0"})
            else:
                self._route(self.path.partition("?")[0].strip("/").split("/"))

    def _route(self, parts: list[str]) -> None:
        if parts[0] == "storage":
            self._store(*parts[1:])
        elif parts[:2] == ["api", "models"]:
            self._list("/".join(parts[2:4]), parts[4])
        elif "resolve" in parts:
            at = parts.index("resolve")
            self._resolve("/".join(parts[:at]), "/".join(parts[at + 2:]))
        else:
            self._say(404, {"Content-Length": "0"})

    def _resolve(self, repository: str, name: str) -> None:
        mirror = self.mirror
        if repository in mirror.renamed:
            onward = self.path.replace(repository, mirror.renamed[repository], 1)
            return self._say(307, {"Location": onward, "Content-Length": "0"})
        content = mirror.repositories.get(repository, {}).get(name)
        if content is None:
            code = "EntryNotFound" if repository in mirror.repositories else "RepoNotFound"
            return self._say(404, {"X-Error-Code": code, "X-Repo-Commit": commit(repository), "Content-Length": "0"})
        headers = {"X-Repo-Commit": commit(repository)}
        if name != SAFETENSORS:
            return self._send(name, content, headers | {"ETag": f'"{git_name(content)}"'})
        faults = mirror.faults
        return self._say(302, headers | {
            "X-Linked-Etag": f'"{faults.etag or sha256(content)}"',
            "X-Linked-Size": str(len(content) + faults.says_longer),
            "ETag": f'"{git_name(b"a pointer")}"',
            "Location": f"http://localhost:{mirror.port}/storage/{repository}/{name}",
            "Content-Length": "0",
        })

    def _store(self, owner: str, repository: str, name: str) -> None:
        if self.command != "GET":  # the address was signed for GET only
            return self._say(403, {"Content-Length": "0"})
        return self._send(name, self.mirror.repositories[f"{owner}/{repository}"][name], {"ETag": '"multipart-7"'})

    def _send(self, name: str, content: bytes, headers: dict[str, str]) -> None:
        faults = self.mirror.faults
        asked = self.headers.get("Range", "")
        start = 0 if faults.no_ranges or not asked else int(asked.removeprefix("bytes=").rstrip("-"))
        if start >= len(content):
            return self._say(416, {"Content-Range": f"bytes */{len(content)}", "Content-Length": "0"})
        if start or (asked and not faults.no_ranges):
            headers = headers | {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
        end = len(content)
        if faults.ends_at is not None and name == SAFETENSORS:
            end, self.close_connection = faults.ends_at, True
            headers = headers | {"Connection": "close"}
        else:
            headers = headers | {"Content-Length": str(len(content) - start)}
        self._say(206 if "Content-Range" in headers else 200, headers)
        if self.command == "GET":
            self._body(name, content, start, end)
        return None

    def _body(self, name: str, content: bytes, start: int, end: int) -> None:
        mirror, faults = self.mirror, self.mirror.faults if name == SAFETENSORS else Faults()
        if faults.wrong_byte is not None:
            content = bytearray(content)
            content[faults.wrong_byte] ^= 1
        while start < end:
            marks = [at for at in [*faults.cut_at, faults.stall_at] if at and at > start]
            stop = min(end, start + SENT_AT_ONCE, *marks)
            mirror.served[name] += stop - start  # counted before sending: the receiver may read it at once
            self.wfile.write(content[start:stop])
            start = stop
            if start in faults.cut_at:
                faults.cut_at.remove(start)
                self.close_connection = True
                return
            if start == faults.stall_at:
                mirror.wait_for_the_end()
                self.close_connection = True
                return

    def _list(self, repository: str, what: str) -> None:
        """Answer the requests that ``snapshot_download`` sends before those for files."""
        contents = self.mirror.repositories[repository]
        if what == "tree":
            answer: object = [
                {"type": "file", "path": name, "size": len(content), "oid": git_name(content)}
                for name, content in contents.items()
            ]
        else:
            siblings = [{"rfilename": name} for name in contents]
            answer = {"id": repository, "sha": commit(repository), "siblings": siblings}
        body = json.dumps(answer).encode()
        self._say(200, {"Content-Type": "application/json", "Content-Length": str(len(body))})
        if self.command == "GET":
            self.wfile.write(body)

    def _say(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def commit(repository: str) -> str:
    """Return the commit of a repository on this server."""
    return hashlib.sha1(repository.encode(), usedforsecurity=False).hexdigest()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def git_name(content: bytes) -> str:
    """Return git's object name of a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
