"""The check for a newer version: what it asks, what it makes of every answer, and where it gets its address."""

import socket

import pytest
from release_server import HTML, PAGE, ReleaseServer, release

import gptstudio
from gptstudio import paths, settings
from gptstudio.app import release_check, updates
from gptstudio.app.release_check import UpdateError
from gptstudio.data import web
from gptstudio.training.control import Stopped

HERE = gptstudio.__version__


def test_that_a_newer_release_is_named_with_its_day_its_page_and_its_notes_as_they_are(releases):
    found = release_check.check(releases.says(release()))
    assert found.newer
    assert found.words() == f"Version 9.1.0 is available, published on 2026-11-20. This is version {HERE}."
    assert found.latest.page == PAGE
    assert found.latest.notes == f"First line\n{HTML}"


def test_that_one_request_is_made_which_says_the_programs_name_and_nothing_else(releases):
    release_check.check(releases.says(release()))
    ((path, headers),) = releases.asked
    assert path == "/latest"
    assert headers.keys() == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
    assert headers["User-Agent"] == "GPT Studio"


@pytest.mark.parametrize(("tag", "newer", "said"), [
    (HERE, False, f"GPT Studio is up to date: {HERE} is the latest release"),
    (f"v{HERE}", False, f"{HERE} is the latest release"),
    ("v0.0.9", False, "the latest release is 0.0.9"),
    ("0.10.0", True, "Version 0.10.0 is available"),
    (f"{HERE}.post1", True, "is available"),
    (f"{HERE}rc1", False, "up to date"),
])
def test_that_versions_are_compared_as_versions(releases, tag, newer, said):
    found = release_check.check(releases.says(release(tag)))
    assert found.newer is newer
    assert said in found.words()


def test_that_notes_lose_what_a_terminal_or_a_line_obeys_and_are_cut_after_their_first_lines(releases):
    found = release_check.check(releases.says(release(body="a\x1b[31m\u202eb\0\n" + "line\n" * 100)))
    first, *_, last = found.latest.notes.split("\n")
    assert (first, last) == ("a[31mb", "…")
    assert len(found.latest.notes.split("\n")) == release_check.MOST_LINES + 1
    assert release_check.check(releases.says(release(body=None))).latest.notes == ""
    long = release_check.check(releases.says(release(body="x" * 100_000))).latest.notes
    assert len(long) <= release_check.MOST_CHARACTERS + 2


@pytest.mark.parametrize("body", [
    b"", b"<html>Sign in</html>", b"[]", b"{}", b'{"tag_name": NaN}', b"[" * 100_000, b"\xff\xfe", release(tag_name=9),
    release("latest"), release("v1; rm -rf"), release(published_at="yesterday"), release(body=["a list"]),
    release(html_url="file:///etc/passwd"), release(html_url="javascript:alert(1)"),
    release(html_url="http://plain.example"),
    release(html_url="https://[bad"), release(html_url="https://ex\u202eample"), release(html_url="https:///nowhere"),
], ids=lambda body: body[:50].decode(errors="replace"))
def test_that_an_answer_that_describes_no_release_is_told_in_words(releases, body):
    with pytest.raises(UpdateError, match=r"The answer of localhost does not describe a release: .*then try again"):
        release_check.check(releases.says(body))


def test_that_no_more_than_a_megabyte_is_taken(releases):
    for headers in ({}, {"Content-Length": str(10**12)}):
        body = release() + b" " * release_check.MOST_BYTES
        with pytest.raises(UpdateError, match=r"larger than 1 MB"):
            release_check.check(releases.says(body, **headers))


@pytest.mark.parametrize(("status", "said"), [
    (404, "localhost has no release at this address .status 404.*ask the person"),
    (403, "refused the request .status 403.*try again in an hour"), (429, "refused the request"),
    (500, "did not answer the request .status 500.*Try again later"),
])
def test_that_a_refusal_says_what_to_do(releases, status, said):
    with pytest.raises(UpdateError, match=said):
        release_check.check(releases.says(b"", status))


def test_that_a_redirection_is_followed_to_https_alone(releases):
    releases.says(release(), path="moved")
    assert release_check.check(releases.says(b"", 301, Location="/moved")).newer
    plain = ReleaseServer(secure=False)
    try:
        for place in (plain.says(release()), "file:///etc/passwd", "ftp://localhost/latest"):
            with pytest.raises(UpdateError):
                release_check.check(releases.says(b"", 302, Location=place))
        assert plain.asked == []
    finally:
        plain.close()


def test_that_a_server_that_nobody_vouches_for_is_not_believed(releases, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(UpdateError, match=r"Could not ask localhost: .*certificate"):
        release_check.check(releases.says(release()))
    assert releases.asked == []


def test_that_a_slow_server_is_given_up(releases, monkeypatch):
    monkeypatch.setattr(web, "LOOK_S", 0.02)
    with pytest.raises(UpdateError, match=r"timed out.*Try again when you are connected"):
        release_check.check(releases.is_silent(), timeout_s=0.1)
    monkeypatch.setattr(release_check, "WHOLE_S", 0.2)
    with pytest.raises(UpdateError, match=r"longer than 0.2 s"):
        release_check.check(releases.drips())


def test_that_the_check_can_be_cancelled_while_the_server_is_silent(releases, monkeypatch):
    monkeypatch.setattr(web, "LOOK_S", 0.02)

    def cancel(done: int, total: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        release_check.check(releases.is_silent(), cancel, timeout_s=3600)


def test_that_no_network_is_told_in_words(without_proxy, monkeypatch):
    def nobody(*_, **__):
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    with pytest.raises(UpdateError, match=r"Could not ask releases.example: .*name resolution.*Try again"):
        release_check.check("https://releases.example/latest")


def test_that_the_systems_proxy_is_asked(without_proxy, monkeypatch):
    proxy = ReleaseServer(secure=False)
    try:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(UpdateError, match=r"403"):
            release_check.check("https://releases.example/latest")
        assert [path for path, _ in proxy.asked] == ["releases.example:443"]
    finally:
        proxy.close()


def test_that_the_address_is_that_of_the_environment_the_settings_or_the_build(home, monkeypatch):
    monkeypatch.delenv("GPTSTUDIO_RELEASES", raising=False)
    assert updates.address() == "", "a checkout has none"
    assert "does not know where" in updates.problem("")
    (home / "settings.toml").write_text('releases = "https://class.example/latest"', encoding="utf-8")
    of_class = settings.load(home / "settings.toml")
    monkeypatch.setattr(paths, "resources", lambda: home)
    (home / updates.BUILT).write_text("https://build.example/latest\n", encoding="utf-8")
    assert updates.address() == "https://build.example/latest"
    monkeypatch.setattr(settings, "in_force", lambda: of_class)
    assert updates.address() == "https://class.example/latest"
    for named in ("https://env.example/latest", ""):
        monkeypatch.setenv("GPTSTUDIO_RELEASES", named)
        assert updates.address() == named


def test_that_settings_with_another_address_than_an_https_one_are_wrong(home):
    (home / "settings.toml").write_text('language = "en"\nreleases = "http://class.example"', encoding="utf-8")
    found = settings.load(home / "settings.toml")
    assert [fault.line for fault in found.faults] == [2]
    assert found.releases == ""


@pytest.mark.parametrize("url", [
    "http://plain.example", "file:///etc/passwd", "https://", "nonsense", "https://[bad", "https://a b"])
def test_that_no_other_address_than_an_https_one_is_asked(url):
    with pytest.raises(UpdateError, match=r"must begin with https://"):
        release_check.check(url)
