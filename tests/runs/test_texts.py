"""Texts: found where they may be, fetched from a real server, and refused in words when they are none."""

import hashlib
import http.server
import os
import socket
import threading

import pytest

from gptstudio import paths
from gptstudio.runs import texts
from gptstudio.runs.texts import TextError, TextNotHere

BODY = b"I HAD always thought so.\n" * 1000


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n  ", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        ("\u00a0\u2003\n".encode(), "is empty"),
        (b"words and \x00 a zero", "zero byte at position 10"),
        (os.urandom(64) + b"\x00", "is not a text"),
        ("caf\u00e9".encode("latin-1"), "is not UTF-8: byte 3 is 0xE9"),
        ("words".encode("utf-16"), "is not a text: it has a zero byte"),
        ("words".encode("utf-16-be"), "is not a text: it has a zero byte"),
        ("\u6f22\u5b57".encode("utf-16"), "is not UTF-8"),
        ("words \U0001f600".encode()[:-1], "is not UTF-8: byte 6 is 0xF0"),
    ],
    ids=["empty", "blank", "mark", "mark and blank", "wide blank", "zero", "binary", "latin-1", "utf-16", "utf-16-be",
         "utf-16 without zeros", "cut off"],
)
def test_that_what_is_no_text_is_refused_in_words(tmp_path, data, part):
    file = tmp_path / "a text.txt"
    file.write_bytes(data)
    with pytest.raises(TextError) as caught:
        texts.read(str(file))
    assert str(caught.value).startswith(str(file))
    assert part in str(caught.value)


@pytest.mark.parametrize("name", ["missing.txt", "no/a.txt", "x" * 5000, "a\x00b", "~nobody-of-this-name/a.txt", ""])
def test_that_a_file_that_is_not_there_is_refused_in_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TextError) as caught:
        texts.read(name)
    assert "\n" not in str(caught.value)


def test_that_a_folder_is_refused_in_words(tmp_path):
    with pytest.raises(TextError, match="is a folder. Choose a text file in it"):
        texts.read(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
@pytest.mark.timeout(20)
def test_that_a_fifo_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TextError):
        texts.read(str(tmp_path / "pipe"))


def test_that_a_text_too_large_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "large.txt"
    with file.open("wb") as handle:
        handle.truncate(texts.LARGEST + 1)  # takes no room on the disk
    with pytest.raises(TextError, match="256 are read"):
        texts.read(str(file))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_that_a_text_that_may_not_be_read_is_refused_in_words(tmp_path):
    file = tmp_path / "secret.txt"
    file.write_text("words")
    file.chmod(0)
    with pytest.raises(TextError, match="Permission denied"):
        texts.read(str(file))


def test_that_a_mark_at_the_start_and_windows_line_ends_are_fine(tmp_path):
    file = tmp_path / "windows.txt"
    file.write_bytes("\ufeffone\r\ntwo – ä\r\n".encode())
    text = texts.read(str(file))
    assert text.content == "one\ntwo – ä\n"
    assert text.name == "windows.txt"
    assert text.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


def test_that_the_users_folder_can_be_written_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "mine.txt").write_text("words")
    assert texts.read("~/mine.txt").content == "words"


def test_that_the_story_is_always_here():
    story = texts.read("story")
    assert story.name == texts.NAMES["story"]
    assert 20_000 < len(story.content) < 22_000


def test_that_the_verdict_is_looked_for_in_order(tmp_path, monkeypatch):
    """The folder that the user names, then the user's own, then what ships with the program."""
    named, shipped = tmp_path / "named", tmp_path / "shipped"
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(named))
    monkeypatch.setattr(paths, "resources", lambda: shipped)
    folders = [named, paths.texts(), shipped / "texts"]
    assert texts.locate("verdict") is None
    for folder in reversed(folders):
        folder.mkdir(parents=True)
        (folder / texts.VERDICT_FILE).write_text(f"from {folder}")
        assert texts.locate("verdict") == folder / texts.VERDICT_FILE
        assert texts.read("verdict").content == f"from {folder}"
        assert texts.read("verdict").name == texts.NAMES["verdict"]


def test_that_without_the_verdict_the_words_say_what_else_to_do(tmp_path):
    with pytest.raises(TextNotHere) as caught:
        texts.read("verdict")
    for part in ("story", "file of your own", texts.VERDICT_FILE, str(paths.texts())):
        assert part in str(caught.value)


class Handler(http.server.BaseHTTPRequestHandler):
    """A server that misbehaves as its path says."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        match self.path.strip("/"):
            case "text":
                self._answer({"Content-Length": str(len(BODY))}, BODY)
            case "unsized":
                self._answer({"Connection": "close"}, BODY)
            case "other":
                self._answer({"Content-Length": "5"}, b"other")
            case "cut-off":
                self._answer({"Content-Length": str(len(BODY))}, BODY[:5000])
            case "cut-off-chunks":
                self._answer({"Transfer-Encoding": "chunked"}, b"1000\r\n" + BODY[:4096] + b"\r\n1000\r\nhalf")
            case "bad-length":
                self._answer({"Content-Length": "many", "Connection": "close"}, BODY)
            case "garbage":
                self.wfile.write(b"this is no answer\r\n\r\n")
            case "silence":
                self.server.patience.wait(10)
            case "hang-up":
                pass
            case "loop":
                self.send_response(302)
                self.send_header("Location", "/loop")
                self.end_headers()
            case "elsewhere":
                self.send_response(302)
                self.send_header("Location", "file:///etc/hostname")
                self.end_headers()
            case _:
                self.send_error(404)
        self.close_connection = True

    def _answer(self, headers: dict[str, str], body: bytes) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    """A function that makes The Verdict come from a path of a server on this computer."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(texts, "VERDICT_SHA256", hashlib.sha256(BODY).hexdigest())
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    running.patience = threading.Event()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield lambda path: monkeypatch.setattr(texts, "VERDICT_URL", f"http://127.0.0.1:{running.server_port}/{path}")
    running.patience.set()
    running.shutdown()
    thread.join()
    running.server_close()


def left_behind() -> list[str]:
    return sorted(path.name for path in paths.texts().rglob("*")) if paths.texts().is_dir() else []


def test_that_the_verdict_is_fetched_with_progress_and_then_found(server):
    server("text")
    told = []
    file = texts.fetch_verdict(lambda done, total: told.append((done, total)))
    assert file == paths.texts() / texts.VERDICT_FILE == texts.locate("verdict")
    assert texts.read("verdict").content == BODY.decode()
    assert left_behind() == [texts.VERDICT_FILE]
    assert len(told) > 3
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {total for _, total in told} == {len(BODY)}
    assert told[-1] == (len(BODY), len(BODY))


def test_that_a_server_that_does_not_say_how_much_is_fine(server):
    server("unsized")
    told = []
    texts.fetch_verdict(lambda done, total: told.append((done, total)))
    assert told[-1] == (len(BODY), 0)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("missing", "Not Found"), ("other", "not the text"), ("cut-off", ""), ("cut-off-chunks", ""), ("garbage", ""),
        ("silence", "timed out"), ("hang-up", ""), ("loop", ""), ("elsewhere", ""), ("bad-length", ""),
    ],
)
def test_that_any_other_answer_is_told_in_words_and_leaves_nothing(server, path, part):
    server(path)
    with pytest.raises(TextNotHere) as caught:
        texts.fetch_verdict(timeout_s=0.3)
    assert part in str(caught.value)
    assert "story" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert left_behind() == []
    assert texts.locate("verdict") is None


def test_that_a_changed_text_does_not_replace_the_one_that_is_there(server):
    server("text")
    texts.fetch_verdict()
    server("other")
    with pytest.raises(TextNotHere):
        texts.fetch_verdict()
    assert texts.read("verdict").content == BODY.decode()
    assert left_behind() == [texts.VERDICT_FILE]


def test_that_no_server_at_all_is_told_in_words(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setattr(texts, "VERDICT_URL", f"http://127.0.0.1:{free.getsockname()[1]}/text")
    with pytest.raises(TextNotHere, match="refused"):
        texts.fetch_verdict(timeout_s=1)
    assert left_behind() == []


def test_that_no_network_is_told_in_words(monkeypatch):
    def nobody(*_, **__):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(TextNotHere, match="name resolution"):
        texts.fetch_verdict(timeout_s=1)


def test_that_a_home_that_is_a_file_is_told_in_words(server, tmp_path, monkeypatch):
    server("text")
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path / "file"))
    with pytest.raises(TextNotHere):
        texts.fetch_verdict()


def test_that_a_fetch_broken_off_leaves_nothing(server):
    server("text")

    def interrupt(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        texts.fetch_verdict(interrupt)
    assert left_behind() == []
