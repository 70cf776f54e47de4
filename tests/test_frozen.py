"""Corrections that a frozen program makes before it starts."""

import io
import os
import sys
import zipfile
import zipimport
from importlib import import_module
from types import SimpleNamespace

import pytest

from gptstudio import frozen


def test_that_programs_started_from_a_frozen_one_get_the_systems_libraries(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/gptstudio/_internal:/theirs")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/theirs")
    frozen.give_libraries_back()
    assert os.environ["LD_LIBRARY_PATH"] == "/theirs"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/gptstudio/_internal")
    frozen.give_libraries_back()
    assert "LD_LIBRARY_PATH" not in os.environ


def write_zip(file, **sources: str) -> None:
    """Write a zip file of modules of these names."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, source in sources.items():
            archive.writestr(f"gptstudio_{name}.py", source)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a running program be replaced")
def test_that_modules_come_from_the_started_program_after_an_upgrade_has_replaced_it(monkeypatch, tmp_path):
    program, newer = tmp_path / "gptstudio", tmp_path / "gptstudio.dpkg-new"
    program.write_text("old", encoding="utf-8")
    library = tmp_path / "base_library.zip"
    write_zip(library, first="", later="version = 'old'")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    monkeypatch.setattr(zipimport, "_get_data", zipimport._get_data)  # noqa: SLF001 - put back afterwards
    monkeypatch.syspath_prepend(str(library))
    import_module("gptstudio_first")
    archive = SimpleNamespace(_filename=str(program))
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setitem(sys.modules, "pyimod02_importers", SimpleNamespace(pyz_archive=archive))
    frozen.keep_modules()
    newer.write_text("new", encoding="utf-8")
    newer.replace(program)
    write_zip(newer, first="# another length", later="version = 'new'")
    newer.replace(library)
    assert import_module("gptstudio_later").version == "old"
    with open(archive._filename, encoding="utf-8") as file:  # noqa: SLF001 - as PyInstaller does
        assert file.read() == "old"
    os.close(int(archive._filename.rsplit("/", 1)[-1]))  # noqa: SLF001


def test_that_a_program_without_streams_gets_some_and_can_print(monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", None)
    frozen.begin()
    for stream in (sys.stdout, sys.stderr):
        print("nobody reads this: 学", file=stream, flush=True)
        assert stream.name == os.devnull or os.name == "nt", "Windows may lend the terminal that all this began in"
        assert stream.encoding == "utf-8"
        stream.close()


def test_that_a_program_with_streams_keeps_them(monkeypatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    frozen.begin()
    print("somebody reads this")
    assert (sys.stdout, sys.stderr) == (out, err)
    assert out.getvalue() == "somebody reads this\n"
