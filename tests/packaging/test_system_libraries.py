"""The libraries that Qt lacks on a Linux system, and the advice for the user."""

import sys

import pytest
import system_libraries

LINUX_X11 = "libxcb-cursor.so.0"


@pytest.fixture
def lacking(monkeypatch):
    """Return a function that simulates a system without these libraries, and possibly without a font."""
    def lacking(*names: str, font: bool = True) -> None:
        monkeypatch.setattr(system_libraries, "loads", lambda name: name not in names)
        monkeypatch.setattr(system_libraries, "has_font", lambda: font)

    return lacking


def test_that_without_a_screen_the_x11_libraries_are_not_reported(lacking):
    lacking(*system_libraries.X11_LIBRARIES)
    assert system_libraries.missing_libraries(screen=False) == []
    assert LINUX_X11 in system_libraries.missing_libraries(screen=True)


def test_that_x11_is_added_when_something_is_installed_anyway(lacking):
    lacking("libEGL.so.1", LINUX_X11)
    assert system_libraries.missing_libraries(screen=False) == ["libEGL.so.1", LINUX_X11]


def test_that_a_system_without_any_font_gets_one(lacking):
    lacking(font=False)
    missing = system_libraries.missing_libraries(screen=False)
    assert [system_libraries.PACKAGES[name] for name in missing] == ["fonts-dejavu-core"]


def test_that_a_font_is_found_in_its_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(system_libraries, "FONT_FOLDERS", (str(tmp_path),))
    monkeypatch.setattr(system_libraries, "ask", lambda *command: "")
    assert not system_libraries.has_font()
    (tmp_path / "truetype").mkdir()
    (tmp_path / "truetype" / "sans.ttf").touch()
    assert system_libraries.has_font()


def test_that_the_advice_names_the_exact_packages_of_the_system():
    missing = ["libEGL.so.1", LINUX_X11]
    assert "sudo apt-get install libegl1 libxcb-cursor0\n" in system_libraries.advice(missing, "apt-get")
    assert "sudo dnf install glib2 " in system_libraries.advice(missing, "dnf")
    assert "libEGL.so.1, libxcb-cursor.so.0" in system_libraries.advice(missing, "")


def test_that_the_tools_of_the_tests_are_mapped_to_their_packages(monkeypatch):
    asked = []
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system_libraries, "apt_install", asked.append)
    monkeypatch.setattr(system_libraries, "ask", lambda *command: "a font" if command[0] == "fc-list" else "")
    there = {**system_libraries.INSTALLER_TOOLS, "appstreamcli": None}
    monkeypatch.setattr(system_libraries.shutil, "which", there.get)
    system_libraries.bring_installer_tools()
    there["appstreamcli"] = "/usr/bin/appstreamcli"
    system_libraries.bring_installer_tools()
    assert asked == [["appstream"]]


@pytest.mark.skipif(sys.platform != "linux", reason="system libraries are looked for on Linux alone")
def test_that_a_library_is_found_by_loading_it():
    assert system_libraries.loads("libc.so.6")
    assert not system_libraries.loads("libno-such-thing.so.1")


def test_that_the_command_is_shown_before_it_installs_anything(monkeypatch, capsys):
    told: list[str] = []

    def done(*command: str) -> bool:
        told.append(capsys.readouterr().err + capsys.readouterr().out)
        return True

    monkeypatch.setattr(system_libraries.shutil, "which", lambda name: name)
    monkeypatch.setattr(system_libraries.os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(system_libraries, "ask", lambda *command: "allowed")
    monkeypatch.setattr(system_libraries, "done", done)
    assert system_libraries.apt_install(["libegl1", "fonts-dejavu-core"])
    assert "apt-get -qy" in told[0]
    assert "install --no-install-recommends libegl1 fonts-dejavu-core" in told[0]
    assert "--no-system" in told[0]
