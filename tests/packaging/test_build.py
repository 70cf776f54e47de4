"""Freezing: the included files, stripped symbols, limits on sizes, and the notices of included packages."""

import ast
import hashlib
import re
import runpy
import subprocess
import sys
import tomllib
from functools import partial
from importlib.metadata import PathDistribution
from itertools import chain
from pathlib import Path

import build
import notices
import pytest
from children import SetupError
from freezing import contents, measures, reach
from freezing.measures import Made
from places import ROOT
from source_trees import nodes

from gptstudio.gpt import activations
from gptstudio.gui.selftest import LATE
from gptstudio.inference import intervening
from gptstudio.labs import small_gpt

VERDICT = "I HAD always thought Jack Gisburn rather a cheap genius"


@pytest.mark.parametrize("name", [
    "PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "PySide6/plugins/platforms/qwindows.dll", "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
    "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
    "PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so", "PySide6/plugins/styles/qmodernwindowsstyle.dll",
    "PySide6/Qt/translations/qtbase_zh_CN.qm", "libxcb-cursor.so.0", "resources/gpt2/vocab.bpe",
])
def test_that_everything_the_window_needs_is_included(name):
    assert contents.wanted(name)


def imported() -> set[str]:
    """Return the names that the program imports: modules, and names from modules."""
    return {
        name for node in chain(*nodes().values()) for name in (
            [each.name for each in node.names] if isinstance(node, ast.Import) else
            [str(node.module), *(f"{node.module}.{each.name}" for each in node.names)]
            if isinstance(node, ast.ImportFrom) else [])}


def test_that_the_program_imports_no_module_that_is_left_out_of_the_frozen_program():
    left_out = {name for name in imported() for unused in contents.UNUSED_MODULES
                if f"{name}.".startswith(f"{unused}.")}
    assert left_out == set()


def test_that_every_required_library_is_imported_by_the_program():
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {re.match(r"[\w-]+", each)[0].removesuffix("-Essentials").replace("-", "_") for each in asked}
    assert names - {name.split(".")[0] for name in imported()} == set()


def test_that_the_frozen_program_tests_only_modules_that_the_program_imports():
    assert set(LATE) - imported() == set()


@pytest.mark.parametrize("name", [
    "PySide6/Qt/plugins/platformthemes/libqgtk3.so", "PySide6/Qt/plugins/platforms/libqeglfs.so",
    "PySide6/Qt/plugins/tls/libqopensslbackend.so", "PySide6/Qt/plugins/imageformats/libqwebp.so",
    "PySide6/Qt/plugins/wayland-graphics-integration-client/libshm-emulation-server.so",
    "PySide6/Qt/translations/qtbase_de.qm", "pyqtgraph/icons/peegee/peegee_512px.png", "libX11.so.6",
    "libfontconfig.so.1", "libexpat.so.1", "libstdc++.so.6",
])
def test_that_unused_plugins_and_the_desktops_own_libraries_are_excluded(name, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    assert not contents.wanted(name)


def test_that_torch_and_python_are_stripped_and_numpy_and_qt_are_not():
    lose = ["torch/lib/libtorch_cpu.so", "libpython3.11.so.1.0", "python3.11/lib-dynload/_ssl.cpython-311.so"]
    keep = ["numpy.libs/libscipy_openblas64_-32a4b2a6.so", "numpy/_core/_multiarray_umath.cpython-311.so",
            "PySide6/Qt/lib/libQt6Gui.so.6", "libssl.so.3", "resources/texts/story.txt"]
    assert [name for name in lose + keep if contents.stripped(name)] == lose


def test_that_libraries_to_which_nothing_links_any_more_are_removed():
    links = {"/xcb.so": ["libQt6Gui.so.6"], "/gui.so": ["libpng.so.1"], "/_ssl.so": ["libssl.so.3"]}
    plugin, gui = ("plugins/libqxcb.so", "/xcb.so", "BINARY"), ("PySide6/Qt/lib/libQt6Gui.so.6", "/gui.so", "BINARY")
    png, ssl = ("libpng.so.1", "/png.so", "BINARY"), ("libssl.so.3", "/ssl.so", "BINARY")
    extension, link = ("lib-dynload/_ssl.so", "/_ssl.so", "EXTENSION"), ("libQt6Gui.so.6", gui[0], "SYMLINK")
    gtk, dead = ("libgtk-3.so.0", "/gtk.so", "BINARY"), ("libQt6Qml.so.6", "PySide6/Qt/lib/libQt6Qml.so.6", "SYMLINK")
    python, torch = ("libpython3.11.so.1.0", "/p.so", "BINARY"), ("torch/lib/libtorch.so", "/t.so", "BINARY")
    imported = ("ac51d50a__mypyc.cpython-311-x86_64-linux-gnu.so", "/mypyc.so", "EXTENSION")  # like psygnal's
    kept = [plugin, gui, png, ssl, extension, link, python, torch, imported]
    found = reach.linked([gtk, dead, *kept], lambda file: [(name, None) for name in links.get(file, ())])
    assert found == kept


def test_that_sizes_count_files_once_and_too_large_ones_are_named(tmp_path):
    (tmp_path / "program" / "inside").mkdir(parents=True)
    (tmp_path / "program" / "inside" / "library").write_bytes(b"x" * 700)
    (tmp_path / "program" / "start").write_bytes(b"x" * 300)
    (tmp_path / "program" / "link").symlink_to(tmp_path / "program" / "start")
    made = Made(tmp_path / "program", 1.0)
    assert made.size == 1000
    assert measures.too_large([made], 1000) == []
    assert "program" in measures.too_large([made], 999)[0]
    with pytest.raises(SetupError, match="program has"):
        build.hold([made], 999)


def test_that_checksums_can_be_checked_by_sha256sum(tmp_path):
    files = [tmp_path / name for name in ("b.run", "a.deb")]
    for file in files:
        file.write_text(file.name)
    (tmp_path / "SHA256SUMS").write_text(measures.sums(files))
    assert measures.sums(files).splitlines()[0].endswith("  a.deb")
    command = ["sha256sum", "--check", "--quiet", "SHA256SUMS"]
    check = partial(subprocess.run, command, cwd=tmp_path, capture_output=True)
    assert check().returncode == 0
    files[0].write_text("another")
    assert check().returncode == 1


def test_that_another_text_than_the_verdict_stops_the_build(tmp_path):
    file = tmp_path / "the-verdict.txt"
    file.write_text(VERDICT)
    digest = hashlib.sha256(VERDICT.encode()).hexdigest()
    assert build.is_text(file, digest) == file
    file.write_text(VERDICT.upper())
    with pytest.raises(SetupError, match="differs from The Verdict") as caught:
        build.is_text(file, digest)
    assert digest in str(caught.value)


def test_that_without_a_program_there_is_nothing_to_pack_and_that_is_reported(tmp_path, capsys):
    assert build.main(["--only", "artefacts", "--out", str(tmp_path)]) == 1
    assert "--only freeze" in capsys.readouterr().err


def test_that_the_notices_name_each_included_package_with_its_licence_and_no_other(tmp_path):
    inside, outside = package(tmp_path, "Inside", "1.2", "MIT"), package(tmp_path, "Outside", "9", "BSD")
    app = tmp_path / "app"
    app.mkdir()
    (app / "libone.so.1").write_bytes(b"library")
    notice_text = notices.notices({"inside/part.py": tmp_path / "inside" / "part.py"}, app, [inside, outside])
    assert "Inside 1.2" in notice_text
    assert "Do with Inside what you like." in notice_text
    assert "in other words, of Inside" in notice_text  # a second file beside the first
    assert "Outside" not in notice_text
    part = hashlib.sha256(b"x = 'Inside'\n").hexdigest()
    assert hashlib.sha256(f"{part}  inside/part.py\n".encode()).hexdigest() in notice_text
    assert f"{hashlib.sha256(b'library').hexdigest()}  libone.so.1" in notice_text
    for ours in ("GPT Studio 0", "Python 3.", "GPT-2's vocabulary", "The Verdict", "public domain"):
        assert ours in notice_text


def test_that_a_licence_of_many_packages_is_printed_once(tmp_path):
    one, two = (package(tmp_path, name, "1", "LGPL-3.0-only") for name in ("One", "Two"))
    files = {}
    for each in (one, two):
        folder = tmp_path / f"{each.name}-1.dist-info"
        for text in folder.glob("LICENSE*"):
            text.unlink()
        files[f"{each.name}.py"] = tmp_path / each.name.lower() / "part.py"
    notice_text = notices.notices(files, tmp_path / "no app", [one, two])
    assert notice_text.count("GNU LESSER GENERAL PUBLIC LICENSE") == 1  # the program's, because they include none
    assert "The same words as: One 1, LGPL-3.txt" in notice_text


def test_that_lists_of_included_files_are_read_to_their_last_branch(tmp_path):
    (tmp_path / "PYZ-00.toc").write_text("('/x.pyz', [('gptstudio', '/src/gptstudio/__init__.py', 'PYMODULE')])")
    (tmp_path / "COLLECT-00.toc").write_text(
        "([('libQt6Core.so.6', 'PySide6/Qt/lib/libQt6Core.so.6', 'SYMLINK'), ('a/b.so', '/lib/b.so', 'EXTENSION')],)"
    )
    assert notices.taken(tmp_path) == {"gptstudio": Path("/src/gptstudio/__init__.py"), "a/b.so": Path("/lib/b.so")}


def package(folder: Path, name: str, version: str, licence: str) -> PathDistribution:
    """Create an installed package of one module."""
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (folder / name.lower()).mkdir()
    (folder / name.lower() / "part.py").write_text(f"x = '{name}'\n")
    (info / "METADATA").write_text(f"Name: {name}\nVersion: {version}\nLicense-Expression: {licence}\n")
    (info / "LICENSE").write_text(f"Do with {name} what you like.")
    (info / "LICENSE.more").write_text(f"The same in other words, of {name}.")
    names = (f"{name.lower()}/part.py", f"{info.name}/METADATA", f"{info.name}/LICENSE", f"{info.name}/LICENSE.more")
    (info / "RECORD").write_text("".join(f"{each},,\n" for each in names))
    return PathDistribution(info)


def test_that_the_source_of_copyable_code_is_included():
    hook = runpy.run_path(str(Path(build.__file__).parent / "hooks" / "hook-gptstudio.py"))
    copied = (activations.run, intervening.scaled, small_gpt.forward)
    assert hook["module_collection_mode"] == {each.__module__: "pyz+py" for each in copied}
