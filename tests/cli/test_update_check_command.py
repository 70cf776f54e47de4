"""``update-check``: the same check as in the window."""

import json

from release_server import HTML, PAGE, release

import gptstudio


def test_that_a_newer_version_is_printed_as_text_and_as_json(say, releases):
    releases.says(release())
    said = say("update-check")
    assert said.code == 0
    assert said.out.splitlines() == [
        f"Version 9.1.0 is available, published on 2026-11-20. This is version {gptstudio.__version__}.",
        "  First line", f"  {HTML}", PAGE]
    assert json.loads(say("update-check", "--json").out) == {
        "running": gptstudio.__version__, "newer": True,
        "latest": {"version": "9.1.0", "published": "2026-11-20", "page": PAGE, "notes": f"First line\n{HTML}"}}


def test_that_a_failure_exits_with_2_and_says_what_to_do(say, releases, monkeypatch):
    said = say("update-check")
    assert said.code == 2
    assert "status 404" in said.err
    monkeypatch.setenv("GPTSTUDIO_RELEASES", "")
    assert "does not know where its releases are published" in say("update-check").err
