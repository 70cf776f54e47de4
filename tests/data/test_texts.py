"""Texts: found in their folders, downloaded from a real server, and refused with a message when they are invalid."""

import hashlib
import socket
import threading
import unicodedata

import pytest
from web_server import Handler, WebServer

from gptstudio import paths
from gptstudio.data import encodings, texts, vocabulary, web
from gptstudio.data.texts import TextError, TextNotHere
from gptstudio.training.control import Stopped

BODY = b"I HAD always thought so.\n" * 1000


def test_that_a_folder_without_texts_is_refused_with_a_message(tmp_path):
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    with pytest.raises(TextError, match=r"contains no \.txt or \.md files"):
        texts.read_all([str(tmp_path)])


def test_that_a_folder_means_the_texts_in_it_by_name(tmp_path):
    for name in ("b.md", "a.txt", "C.TXT", "picture.png", "notes"):
        (tmp_path / name).write_text(f"I am {name}")
    (tmp_path / "folder.txt").mkdir()
    names = [text.name for text in texts.read_all(["story", str(tmp_path)])]
    assert names == [texts.NAMES["story"], "C.TXT", "a.txt", "b.md"]


def usb(folder):
    """A folder that a Mac wrote to a USB stick: two texts, the files that macOS adds, an empty and a hidden file."""
    folder.mkdir(exist_ok=True)
    for name in ("harbour", "kettle"):
        (folder / f"{name}.txt").write_text(f"The {name} was quiet and nobody came. " * 80)
        (folder / f"._{name}.txt").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        " + bytes(40))
    (folder / "New Text Document.txt").write_bytes(b"")
    (folder / ".harbour.autosave.txt").write_text("half a sentence that was never")
    return folder


def test_that_hidden_and_empty_files_of_a_folder_are_omitted_and_named(tmp_path):
    messages = []
    found = texts.read_all([str(usb(tmp_path / "usb"))], note=messages.append)
    assert [text.name for text in found] == ["harbour.txt", "kettle.txt"]
    assert messages == ["Left out of the folder usb: ._harbour.txt (hidden), ._kettle.txt (hidden), "
                    ".harbour.autosave.txt (hidden), New Text Document.txt (empty)."]
    assert texts.expanded([str(tmp_path / "usb")]) == [str(text.path) for text in found]


def test_that_one_bad_file_of_a_folder_is_omitted_and_the_rest_is_used(tmp_path):
    messages = []
    (tmp_path / "a.txt").write_text("one two " * 40)
    (tmp_path / "picture.txt").write_bytes(b"GIF89a\x01\x00\x05\x00\x80\x00" * 9)
    (tmp_path / "late.txt").write_bytes(b"one two " * 2_000 + b"\x00" * 9)
    (tmp_path / "blank.txt").write_text(" \n" * 9)
    (tmp_path / "wide.txt").write_bytes("one two".encode("utf-16"))
    found = texts.read_all([str(tmp_path)], note=messages.append)
    assert [text.name for text in found] == ["a.txt", "wide.txt"]
    assert "picture.txt (not a text)" in messages[0]
    assert all(name in messages[1] for name in ("late.txt", "blank.txt"))
    with pytest.raises(TextError, match="zero byte"):
        texts.read_all([str(tmp_path / "late.txt")])
    (tmp_path / "a.txt").unlink()
    (tmp_path / "wide.txt").unlink()
    with pytest.raises(TextError, match=r"contains no \.txt or \.md files.*late\.txt \(not a text\)"):
        texts.read_all([str(tmp_path)])


def test_that_the_users_folder_of_texts_may_have_bad_files(tmp_path, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(usb(tmp_path / "usb")))
    assert [path.name for path in texts.shared()] == ["harbour.txt", "kettle.txt"]


def test_that_several_texts_have_one_name_and_a_digest_that_depends_on_their_order(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text(f"I am {name}")
    a, b, c = texts.read_all([str(tmp_path)])
    assert texts.combined([a]) == texts.Label("a.txt", a.sha256)
    assert texts.combined([a, b]).name == "2 texts: a.txt, b.txt"
    assert texts.combined([a, b, c]).name == "3 texts: a.txt, b.txt, …"
    assert len({texts.combined(some).sha256 for some in ([a, b], [b, a], [a, b, c], [a])}) == 4


POLISH = "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności. Zażółć gęślą jaźń. "
GERMAN = "Über den Wolken muß die Freiheit wohl grenzenlos sein; alle Ängste blieben darunter verborgen. "
FRENCH = "Le café était fermé à huit heures; l'élève préféra rentrer chez lui où sa mère l'attendait déjà. "
RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. "
CHINESE = "北京是中华人民共和国的首都,历史悠久。今天天气很好,我们去公园散步。"
MANY_CHINESE = "".join(map(chr, range(0x4E00, 0x5600, 3))) + "\n"
"""A text with hundreds of different characters, as long texts have."""
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. "


@pytest.mark.parametrize(
    ("words", "codec", "shown"),
    [
        (GERMAN, "cp1252", "Windows-1252"), ("café", "latin-1", "Windows-1252"),
        ("Every café " * 400, "latin-1", "Windows-1252"), ("It’s late. " * 40, "cp1252", "Windows-1252"),
        (FRENCH, "cp1252", "Windows-1252"), (POLISH, "cp1250", "Windows-1250"),
        (RUSSIAN, "cp1251", "Windows-1251"), (RUSSIAN, "koi8-r", "KOI8-R"), (CHINESE, "gb18030", "GB18030"),
        (JAPANESE, "cp932", "Shift_JIS"), (JAPANESE * 9, "euc-jp", "EUC-JP"), (KOREAN, "cp949", "EUC-KR"),
        (GERMAN, "utf-16-le", "UTF-16LE"), (GERMAN, "utf-16-be", "UTF-16BE"),
        (MANY_CHINESE, "utf-16-le", "UTF-16LE"), (MANY_CHINESE, "utf-16-be", "UTF-16BE"),
        ("Le garçon préféra l'été à Noël, où la forêt brûlait déjà. " * 40, "mac_roman", "Mac Roman"),
        (GERMAN * 20, "mac_roman", "Mac Roman"), (RUSSIAN * 20, "mac_cyrillic", "Mac Cyrillic"),
        ("Mañana el niño comió piña; ¿quién sabrá qué pasó? " * 40, "cp850", "CP850 (DOS)"),
        ("Não é possível que a educação não tenha solução; os irmãos estão à mesa. " * 40, "cp850", "CP850 (DOS)"),
        (RUSSIAN * 20, "cp866", "CP866 (DOS)"), (POLISH * 20, "cp852", "CP852 (DOS)"),
        (POLISH * 20, "iso8859_2", "ISO-8859-2"),
        ("Þórður átti hús við ána og æðarvarp í eyjunni. " * 40, "cp1252", "Windows-1252"),
        ("“I don’t know,” she said – and it wasn’t the café’s fault. " * 40, "cp1252", "Windows-1252"),
        ("吾輩は猫である。名前はまだ無い。" * 40, "iso2022_jp", "ISO-2022-JP"),
        (KOREAN * 20, "iso2022_kr", "ISO-2022-KR"),
    ],
)
def test_that_an_encoding_is_guessed_and_the_guess_is_reported(tmp_path, words, codec, shown):
    file = tmp_path / "old.txt"
    file.write_bytes(words.encode(codec))
    text = texts.read(str(file))
    assert (text.content, text.encoding, text.characters) == (words, shown, len(words))
    assert text.guess.startswith("old.txt ")
    assert f"Reading it as {shown}, which is a guess" in text.guess


@pytest.mark.parametrize("content", [
    "".join(map(chr, range(0x4E00, 0x9FFF, 999))).encode("utf-16-le"), (GERMAN * 9).encode() + b"\0",
    bytes(range(256)) * 4])
def test_that_a_short_or_another_file_with_zero_bytes_is_no_text(tmp_path, content):
    file = tmp_path / "old.txt"
    file.write_bytes(content)
    with pytest.raises(texts.TextError, match="is not a text file: it has a zero byte at position"):
        texts.read(str(file))


@pytest.mark.parametrize("length", [100_000, 300_000])
@pytest.mark.parametrize(("words", "codec"), [(GERMAN, "cp1252"), (CHINESE, "gb18030"), (JAPANESE, "cp932")])
def test_that_a_foreign_letter_far_into_a_long_text_is_read(tmp_path, words, codec, length):
    """The encoding is guessed from a part around it, in which no character may be cut in two."""
    content = "The bell rang late. " * (length // 20) + words * 5_000
    file = tmp_path / "long.txt"
    file.write_bytes(content.encode(codec))
    assert texts.read(str(file)).content == content


@pytest.mark.parametrize(
    ("codec", "shown"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8 with a mark"), ("utf-16", "UTF-16"), ("utf-32", "UTF-32")],
)
def test_that_an_encoding_named_by_the_file_is_no_guess(tmp_path, codec, shown):
    file, content = tmp_path / "marked.txt", "\x1b[1mBold\x1b(B\x1b[m" + GERMAN + CHINESE + "\U0001f600"
    file.write_bytes(content.encode(codec))
    text = texts.read(str(file))
    assert (text.content, text.encoding, text.guess) == (content, shown, "")
    assert text.characters == len(text.content)


def test_that_characters_are_whole_wherever_a_block_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(encodings, "BLOCK", 7)
    content = (GERMAN + CHINESE + "\U0001f600\r\n") * 5
    for codec in ("utf-8", "utf-8-sig", "utf-16", "gb18030"):
        (tmp_path / "a.txt").write_bytes(content.encode(codec))
        text = texts.read(str(tmp_path / "a.txt"))
        assert (text.content, text.characters, text.line_ends) == (content, len(content), "CRLF")


@pytest.mark.parametrize(
    ("content", "shown"),
    [("one", "none"), ("one\ntwo", "LF"), ("one\r\ntwo\r\n", "CRLF"), ("one\rtwo", "CR"), ("a\r\nb\nc", "LF and CRLF")],
)
def test_that_line_ends_are_kept_and_reported(tmp_path, content, shown):
    (tmp_path / "a.txt").write_bytes(content.encode())
    text = texts.read(str(tmp_path / "a.txt"))
    assert (text.content, text.line_ends) == (content, shown)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_that_the_verdict_is_read_as_the_book_reads_it_with_any_line_ends(tmp_path, monkeypatch, end):
    """Python's text mode, which the book uses, converts every line end to one character."""
    monkeypatch.setenv("GPTSTUDIO_TEXTS", str(tmp_path))
    file = tmp_path / texts.VERDICT_FILE
    file.write_bytes(f"I HAD always{end}{end}thought so.".encode())
    assert texts.read("verdict").content == file.read_text(encoding="utf-8") == "I HAD always\n\nthought so."


def test_that_a_text_that_changes_while_it_is_read_is_reported(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("one")
    text = texts.read(str(file))
    file.write_text("another")
    with pytest.raises(TextError, match=r"changed while it was being read\."):
        _ = text.content
    file.unlink()
    with pytest.raises(TextError, match=r"Could not read .*: No such file"):
        _ = text.content


def test_that_a_large_text_is_examined_again_only_when_it_changed(tmp_path, monkeypatch):
    file, looks = tmp_path / "large.txt", []
    monkeypatch.setattr(texts, "REMEMBERED_FROM", 10)
    file.write_text("a large text")

    def count(done, total):
        looks.append(done)

    first = texts.read(str(file), count)
    assert texts.read(str(file), count) == first
    assert len(looks) == 2  # its one block, and the end
    file.write_text("a larger text")
    assert texts.read(str(file), count).sha256 != first.sha256
    assert len(looks) == 4


def test_that_a_text_too_large_is_refused_before_it_is_read(tmp_path):
    file = tmp_path / "large.txt"
    with file.open("wb") as handle:
        handle.truncate(texts.LARGEST + 1)  # sparse: uses no disk space
    with pytest.raises(TextError, match=r"has 4,096\.1 MB; the limit is 4,096 MB"):
        texts.read(str(file))


def test_that_the_users_folder_can_be_written_with_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "mine.txt").write_text("words")
    assert texts.read("~/mine.txt").content == "words"


SHIPPED = {
    "story": ("The Late Bell", "da91efa7940e4a9acc171988728ed86161fbf2a57b37c3ccce0c231aa6c8a6fb"),
    "grimm": ("Hänsel und Gretel", "94b981565a116416545e8d18427b783ffff1cca50a56627457a6745964f3ecc3"),
    "luxun": ("孔乙己", "62ac49c6fcca61dc2098f512ab82d498681144dd50af26b3630692b81be1df9e"),
}
"""The beginning and the SHA-256 of each text that ships: a published figure is valid for this text only."""


@pytest.mark.parametrize("name", texts.SHIPPED)
def test_that_the_texts_that_ship_are_always_available(name):
    begins, digest = SHIPPED[name]
    found = texts.read(name)
    assert (found.name, found.sha256) == (texts.NAMES[name], digest)
    assert (found.encoding, found.guess, found.line_ends) == ("UTF-8", "", "LF")
    assert 20_000 < found.size < 24_000
    assert found.content.lower().startswith(begins.lower())
    assert unicodedata.is_normalized("NFC", found.content)


@pytest.mark.parametrize("name", ["grimm", "luxun"])
def test_that_its_own_vocabulary_gives_longer_tokens_for_a_text_in_another_language(name):
    content = texts.read(name).content
    gpt2, own = (len(vocabulary.make(kind, 1_024, [content]).encode(content)) for kind in ("gpt2", "own"))
    assert own < 0.8 * gpt2


def test_that_the_verdict_is_looked_for_in_order(tmp_path, monkeypatch):
    """The order: the folder that the user names, the user's own folder, and the program's folder."""
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


def test_that_without_the_verdict_the_message_names_the_alternatives(tmp_path):
    with pytest.raises(TextNotHere) as caught:
        texts.read("verdict")
    for part in ("story", "file of your own", texts.VERDICT_FILE, str(paths.texts())):
        assert part in str(caught.value)


class Misbehaving(Handler):
    """A server that misbehaves as its path specifies."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        match self.path.strip("/"):
            case "text":
                self.answer(BODY, headers={"Content-Length": str(len(BODY))})
            case "unsized":
                self.answer(BODY, headers={"Connection": "close"})
            case "other":
                self.answer(b"other", headers={"Content-Length": "5"})
            case "cut-off":
                self.answer(BODY[:5000], headers={"Content-Length": str(len(BODY))})
            case "cut-off-chunks":
                self.answer(b"1000\r\n" + BODY[:4096] + b"\r\n1000\r\nhalf", headers={"Transfer-Encoding": "chunked"})
            case "bad-length":
                self.answer(BODY, headers={"Content-Length": "many", "Connection": "close"})
            case "garbage":
                self.wfile.write(b"this is no answer\r\n\r\n")
            case "silence" | "stall":
                self._stall()
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

    def _stall(self):
        if "stall" in self.path:
            self.answer(BODY[:5000], headers={"Content-Length": str(len(BODY))})
        self.server.patience.wait(10)


@pytest.fixture
def server(monkeypatch):
    """Return a function that makes The Verdict come from a path of a server on this computer."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(texts, "VERDICT_SHA256", hashlib.sha256(BODY).hexdigest())
    with WebServer(Misbehaving) as running:
        running.patience = threading.Event()
        yield lambda path: monkeypatch.setattr(texts, "VERDICT_URL", f"{running.url}/{path}")
        running.patience.set()


def left_behind() -> list[str]:
    return sorted(path.name for path in paths.texts().rglob("*")) if paths.texts().is_dir() else []


def test_that_the_verdict_is_downloaded_with_progress_and_then_found(server):
    server("text")
    progress_reports = []
    file = texts.fetch_verdict(lambda done, total: progress_reports.append((done, total)))
    assert file == paths.texts() / texts.VERDICT_FILE == texts.locate("verdict")
    assert texts.read("verdict").content == BODY.decode()
    assert left_behind() == [texts.VERDICT_FILE]
    assert len(progress_reports) > 3
    assert [done for done, _ in progress_reports] == sorted({done for done, _ in progress_reports})
    assert {total for _, total in progress_reports} == {len(BODY)}
    assert progress_reports[-1] == (len(BODY), len(BODY))


def test_that_a_server_that_does_not_give_a_length_is_accepted(server):
    server("unsized")
    progress_reports = []
    texts.fetch_verdict(lambda done, total: progress_reports.append((done, total)))
    assert progress_reports[-1] == (len(BODY), 0)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("missing", "Not Found"), ("other", "the downloaded text is not the expected one"),
        ("cut-off", ""), ("cut-off-chunks", ""), ("garbage", ""),
        ("silence", "timed out"), ("hang-up", ""), ("loop", ""), ("elsewhere", ""), ("bad-length", ""),
    ],
)
def test_that_any_other_answer_is_reported_with_a_message_and_leaves_nothing(server, path, part):
    server(path)
    with pytest.raises(TextNotHere) as caught:
        texts.fetch_verdict(timeout_s=0.3)
    assert part in str(caught.value)
    assert "story" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert left_behind() == []
    assert texts.locate("verdict") is None


def test_that_a_changed_text_does_not_replace_the_existing_one(server):
    server("text")
    texts.fetch_verdict()
    server("other")
    with pytest.raises(TextNotHere):
        texts.fetch_verdict()
    assert texts.read("verdict").content == BODY.decode()
    assert left_behind() == [texts.VERDICT_FILE]


def test_that_a_missing_server_is_reported_with_a_message(monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setattr(texts, "VERDICT_URL", f"http://127.0.0.1:{free.getsockname()[1]}/text")
    with pytest.raises(TextNotHere, match="refused"):
        texts.fetch_verdict(timeout_s=1)
    assert left_behind() == []


def test_that_no_network_is_reported_with_a_message(monkeypatch):
    def nobody(*_, **__):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(TextNotHere, match="name resolution"):
        texts.fetch_verdict(timeout_s=1)


def test_that_a_home_that_is_a_file_is_reported_with_a_message(server, tmp_path, monkeypatch):
    server("text")
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path / "file"))
    with pytest.raises(TextNotHere):
        texts.fetch_verdict()


@pytest.mark.parametrize("path", ["silence", "stall"])
def test_that_a_download_can_be_cancelled_while_the_server_is_silent(server, monkeypatch, path):
    """The server sends nothing, or nothing after the first bytes, and the program would wait for an hour."""
    monkeypatch.setattr(web, "LOOK_S", 0.02)
    server(path)
    progress_reports = []

    def cancel(done, total):
        progress_reports.append(done)
        if len(progress_reports) > 2 and progress_reports[-1] == progress_reports[-2]:
            raise Stopped

    with pytest.raises(Stopped):
        texts.fetch_verdict(cancel, timeout_s=3600)
    assert left_behind() == []


@pytest.mark.parametrize(
    "name", ["a.txt", texts.NAMES["story"], f"2 texts: {texts.NAMES['verdict']}, a.txt", "2 texts"])
def test_that_the_name_in_a_record_is_shown_unchanged_in_english(name):
    assert texts.name_in_words(str(name)) == name


def test_that_the_name_of_several_texts_can_be_translated_with_those_that_ship():
    made = texts.name_in_words(f"1,203 texts: {texts.NAMES['verdict']}, a.txt, …")
    assert (made.source, made.values["n"]) == ("{n} texts: {names}", "1,203")
    assert next(iter(made.values["names"].values.values())).source == texts.NAMES["verdict"]


@pytest.mark.parametrize(("title", "name"), [
    ("My text", "My text.txt"), ("a/b: c?", "ab c.txt"), (" ", "pasted.txt"), ("Con", "_Con.txt")])
def test_that_a_pasted_text_has_a_name_that_every_system_allows(home, title, name):
    """Windows has devices called CON and NUL, whatever the ending."""
    path = texts.save_pasted(title, "two words")
    assert (path.name, path.read_text()) == (name, "two words")
