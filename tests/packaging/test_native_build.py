"""The part in C is compiled where there is a compiler; without one, nothing is left behind."""

import os
import shutil

import native_build
import pytest

needs_compiler = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no C compiler")


@pytest.fixture
def source(tmp_path):
    """A small source; the real ones take seconds each time."""
    file = tmp_path / "small.c"
    file.write_text("int twice(int number) { return 2 * number; }\n", encoding="utf-8")
    return file


@needs_compiler
def test_that_it_is_compiled_once_and_again_when_its_source_is_newer(source):
    libraries = native_build.build(source.parent)
    assert {each.parent for each in libraries} == {source.parent}
    assert len(libraries) == 1 + len(native_build.LEVELS) == len(list(source.parent.iterdir())) - 1
    first = [each.stat().st_mtime_ns for each in libraries]
    assert native_build.build(source.parent) == libraries
    assert [each.stat().st_mtime_ns for each in libraries] == first
    later = max(first) + 10**9
    os.utime(source, ns=(later, later))
    native_build.build(source.parent)
    assert not {each.stat().st_mtime_ns for each in libraries} & set(first)


@pytest.mark.parametrize("compiler", ["false", "/nowhere/cc"])
def test_that_without_a_compiler_there_is_no_library_and_nothing_is_left(source, monkeypatch, compiler):
    monkeypatch.setenv("CC", compiler)
    assert native_build.build(source.parent) == []
    assert list(source.parent.iterdir()) == [source]


@needs_compiler
@pytest.mark.parametrize(("optimized", "levels"), [
    (["-Og", "-fstrict-aliasing"], native_build.LEVELS),
    (["-O2"], {}),  # also finds accesses outside of an array, which -Og does not
    pytest.param(["-O2"], native_build.LEVELS, marks=pytest.mark.release),
    pytest.param(["-O3"], native_build.LEVELS, marks=pytest.mark.release),
])
def test_that_no_warning_is_given(tmp_path, monkeypatch, optimized, levels):
    for each in native_build.FOLDER.glob("*.[ch]"):
        shutil.copy(each, tmp_path)
    monkeypatch.setattr(native_build, "LEVELS", levels)
    monkeypatch.setattr(native_build, "FLAGS", (*native_build.FLAGS, *optimized, "-Wall", "-Wextra", "-Werror"))
    assert len(native_build.build(tmp_path)) == 1 + len(levels)
