"""The address of the page with the releases."""

import pytest

from gptstudio import paths, settings
from gptstudio.app import about
from gptstudio.app.state import AppState


def test_that_the_address_is_that_of_the_environment_the_settings_or_the_build(home, monkeypatch):
    monkeypatch.delenv("GPTSTUDIO_RELEASES", raising=False)
    monkeypatch.setattr(about, "read_releases_address", about.read_releases_address.__wrapped__)
    assert about.releases_address() == "", "a checkout has none"
    (home / "settings.toml").write_text('releases = "https://class.example/releases"', encoding="utf-8")
    of_class = settings.load(home / "settings.toml")
    monkeypatch.setattr(paths, "resources", lambda: home)
    (home / about.RELEASES_FILE).write_text("https://build.example/releases\n", encoding="utf-8")
    assert about.releases_address() == "https://build.example/releases"
    monkeypatch.setattr(settings, "in_force", lambda: of_class)
    assert about.releases_address() == "https://class.example/releases"
    for named in ("https://env.example/releases", ""):
        monkeypatch.setenv("GPTSTUDIO_RELEASES", named)
        assert about.releases_address() == named


def test_that_settings_with_another_address_than_an_https_one_are_wrong(home):
    (home / "settings.toml").write_text('language = "en"\nreleases = "http://class.example"', encoding="utf-8")
    found = settings.load(home / "settings.toml")
    assert [fault.line for fault in found.faults] == [2]
    assert found.releases == ""


@pytest.mark.parametrize("url", [
    "http://plain.example", "file:///etc/passwd", "https://", "nonsense", "https://[bad", "https://a b"])
def test_that_no_other_address_than_an_https_one_is_opened(url, monkeypatch):
    monkeypatch.setenv("GPTSTUDIO_RELEASES", url)
    assert "must begin with https://" in about.releases_blocker(AppState())
