"""A program whose file is replaced while it runs reports that once."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget

FIRST_PAGE = "runs"


@pytest.fixture
def program(tmp_path, monkeypatch) -> Iterator[Path]:
    """A file in place of a frozen program's, kept open, so that no other file gets its inode number."""
    file = tmp_path / "gptstudio"
    file.write_text("old", encoding="utf-8")
    monkeypatch.setattr(sys, "executable", str(file))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with file.open():
        yield file


def upgrade(program: Path) -> None:
    newer = program.with_suffix(".dpkg-new")
    newer.write_text("new", encoding="utf-8")
    os.replace(newer, program)


@pytest.fixture
def come_back(user):
    """Return a function that activates another window, and then the main window again."""
    other = QWidget()

    def go_and_come() -> None:
        for window in (other, user.window):
            window.show()
            window.activateWindow()
            user.wait(lambda window=window: QApplication.activeWindow() is window)

    yield go_and_come
    other.deleteLater()


def test_that_an_upgrade_is_reported_once_when_the_user_returns(program, user, come_back):
    come_back()
    assert not user.find("upgrade_notice").isVisible()
    upgrade(program)
    assert not user.find("upgrade_notice").isVisible(), "nothing looks while the user works"
    come_back()
    assert user.reads("upgrade_notice") == (
        "GPT Studio was updated while it runs. This window keeps using the old version; save or finish what is "
        "running, then start GPT Studio again to use the new one.")
    user.click(user.find("upgrade_notice_close"))
    upgrade(program)
    come_back()
    assert not user.find("upgrade_notice").isVisible()


def test_that_a_removed_program_is_reported(program, user, come_back):
    program.unlink()
    come_back()
    assert user.reads("upgrade_notice").startswith(f"The program is no longer at {program}")


def test_that_a_change_of_the_same_file_is_no_upgrade(program, user, come_back):
    os.utime(program, (1, 1))
    come_back()
    assert not user.find("upgrade_notice").isVisible()


def test_that_a_program_that_is_not_frozen_checks_nothing(program, monkeypatch, request):
    monkeypatch.delattr(sys, "frozen")
    user, come_back = request.getfixturevalue("user"), request.getfixturevalue("come_back")
    upgrade(program)
    come_back()
    assert not user.find("upgrade_notice").isVisible()
