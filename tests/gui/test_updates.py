"""Check for updates in the window: nothing is asked before the user agrees, and what comes is said in words."""

import socket

import pytest
from pages.help import HelpPage
from pages.updates import UpdatePage
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from release_server import HTML, PAGE, release

import gptstudio
from gptstudio.data import web

FIRST_PAGE = "runs"
HERE = gptstudio.__version__


@pytest.fixture
def updates(releases, user) -> UpdatePage:
    return UpdatePage(user)


def test_that_nothing_is_asked_before_the_user_agrees(releases, updates):
    seen = []
    updates.open(lambda page: seen.extend(label.text() for label in page.widget.findChildren(QLabel)))
    assert releases.asked == []
    assert any("asks localhost once, over HTTPS" in text and "User-Agent: GPT Studio" in text for text in seen)
    assert releases.url("latest") in seen


def test_that_a_newer_version_is_shown_with_its_notes_as_plain_text_and_its_page_opens(releases, updates, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    releases.says(release())

    def look(page: UpdatePage) -> None:
        assert page.ask() == f"Version 9.1.0 is available, published on 2026-11-20. This is version {HERE}."
        assert page.notes.isVisible()
        assert page.notes.toPlainText() == f"First line\n{HTML}"
        assert page.page.textFormat() == page.answer.textFormat() == Qt.TextFormat.PlainText
        assert page.page.text() == PAGE
        assert not page.check.isVisible()
        page.user.click(page.browse)

    updates.open(look)
    assert opened == [PAGE]
    assert len(releases.asked) == 1


def test_that_the_same_version_is_up_to_date(releases, updates):
    releases.says(release(HERE))

    def look(page: UpdatePage) -> None:
        assert page.ask() == f"GPT Studio is up to date: {HERE} is the latest release, published on 2026-11-20."
        assert not page.notes.isVisible()
        assert not page.browse.isVisible()
        assert page.shut.text() == "Close"

    updates.open(look)


def test_that_a_failure_says_what_to_do_and_the_check_can_be_tried_again(releases, updates, monkeypatch):
    def look(page: UpdatePage) -> None:
        assert "status 404" in page.ask()
        releases.says(b"<b>Sign in</b>")
        assert "does not describe a release" in page.ask()
        with monkeypatch.context() as offline:
            offline.setattr(socket, "create_connection", _no_network)
            assert "Try again when you are connected" in page.ask()
        releases.says(release())
        assert "9.1.0 is available" in page.ask()

    updates.open(look)


def _no_network(*_: object, **__: object) -> socket.socket:
    raise OSError(101, "Network is unreachable")


def test_that_closing_the_dialog_cancels_the_check_while_the_window_goes_on(releases, updates, monkeypatch):
    monkeypatch.setattr(web, "LOOK_S", 0.02)
    releases.is_silent()
    user = updates.user

    def look(page: UpdatePage) -> None:
        user.click(page.check)
        user.wait(lambda: releases.asked)
        assert page.answer.text() == "Asking localhost…"
        assert not page.check.isEnabled()
        assert page.check.toolTip() == "The answer has not come yet."

    updates.open(look)
    user.wait(lambda: not user.busy())
    releases.over.set()


def test_that_the_task_can_be_cancelled_from_the_status_bar(releases, updates, monkeypatch):
    monkeypatch.setattr(web, "LOOK_S", 0.02)
    releases.is_silent()
    user = updates.user

    def look(page: UpdatePage) -> None:
        user.click(page.check)
        user.wait(lambda: releases.asked)
        assert user.state.task == "Check for updates"
        user.window.statusBar().cancel_task()
        user.wait(lambda: not user.busy())
        assert page.answer.text() == "Cancelled. Press Check to ask again."
        assert page.check.isEnabled()

    updates.open(look)
    releases.over.set()


def test_that_enter_checks_and_afterwards_closes(releases, updates):
    releases.says(release(tag="v0.0.1"))

    def look(page: UpdatePage) -> None:
        dialog = page.widget
        page.user.wait(lambda: QApplication.activeWindow() is dialog)
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
        page.user.wait(lambda: page.shut.text() == "Close")
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_Return)
        assert not dialog.isVisible()

    updates.open(look)


def test_that_f1_leads_to_what_the_manual_says_of_it(updates):
    def look(page: UpdatePage) -> None:
        dialog, help_page = page.widget, HelpPage(page.user)
        page.user.wait(lambda: QApplication.activeWindow() is dialog)
        QTest.keyClick(dialog.windowHandle(), Qt.Key.Key_F1)
        assert help_page.topic == "files#check-for-updates"
        help_page.widget.close()

    updates.open(look)


@pytest.fixture
def no_address(monkeypatch) -> None:
    monkeypatch.setenv("GPTSTUDIO_RELEASES", "")


@pytest.fixture
def plain_address(monkeypatch) -> None:
    monkeypatch.setenv("GPTSTUDIO_RELEASES", "http://plain.example/latest")


@pytest.fixture
def locked(home, monkeypatch) -> None:
    (home / "settings.toml").write_text('lock = ["check_updates"]', encoding="utf-8")
    monkeypatch.setenv("GPTSTUDIO_SETTINGS", str(home / "settings.toml"))


@pytest.mark.parametrize(("because", "said"), [
    ("no_address", "does not know where its releases are published"), ("plain_address", "must begin with https://"),
    ("locked", "Locked by your instructor"),
])
def test_that_the_command_is_off_and_says_why(releases, request, because, said):
    request.getfixturevalue(because)
    command = UpdatePage(request.getfixturevalue("user")).command
    assert not command.isEnabled()
    assert said in command.toolTip()
    command.trigger()
    assert releases.asked == []
