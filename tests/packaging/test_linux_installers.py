"""Packages for Linux, made of a small program: all parts are included and valid, with correct information."""

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installing import Home, need, stand_in

from gptstudio.cli import app as cli

if sys.platform != "linux":
    pytest.skip("installers for Linux are made on Linux", allow_module_level=True)

CHECKOUT = Path(__file__).resolve().parents[2]
SHARE = "usr/share"


def output_of(*command: str | Path) -> str:
    """Return the output of a tool, which must succeed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def share(tmp_path) -> Path:
    """The files for menus, software centres and ``man``."""
    from linux import staging

    staging.lay_share("1.0", tmp_path / "share")
    return tmp_path / "share"


def test_that_the_menu_entries_are_valid_and_in_both_languages(share):
    need("desktop-file-validate")
    entries = sorted((share / "applications").iterdir())
    assert output_of("desktop-file-validate", *entries) == ""
    for entry in entries:
        text = entry.read_text(encoding="utf-8")
        assert "Comment=" in text
        assert "Comment[zh_CN]=" in text
    assert [entry.name for entry in entries] == ["gptstudio-lesson.desktop", "gptstudio.desktop"]


def test_that_software_centres_can_read_the_description_of_the_program(share):
    need("appstreamcli")
    assert "successful" in output_of("appstreamcli", "validate", "--no-net", share / "metainfo/gptstudio.metainfo.xml")


def test_that_a_lesson_is_distinguished_from_other_toml_files(share):
    need("update-mime-database")
    output_of("update-mime-database", share / "mime")
    globs = (share / "mime/globs2").read_text()
    assert ":application/x-gptstudio-lesson:*.gptlesson\n" in globs
    assert "MimeType=application/x-gptstudio-lesson;" in (share / "applications/gptstudio-lesson.desktop").read_text()
    assert "toml" not in (share / "applications/gptstudio.desktop").read_text()


def test_that_the_manual_names_every_command_and_every_variable(share):
    manual = gzip.decompress((share / "man/man1/gptstudio.1.gz").read_bytes()).decode().replace("\\-", "-")
    commands = {name for name in cli.build() if not name.startswith("-")} | {"tour"}
    assert len(commands) > 8
    assert [name for name in sorted(commands) if f".B {name}\n" not in manual] == []
    source = "".join(path.read_text(encoding="utf-8") for path in (CHECKOUT / "gptstudio").rglob("*.py"))
    variables = set(re.findall(r'"(GPTSTUDIO_[A-Z]+)"', source))
    assert [name for name in sorted(variables) if f".B {name}\n" not in manual] == []


def test_that_the_manual_is_formatted_without_a_warning(share):
    need("man")
    page = share / "man/man1/gptstudio.1.gz"
    assert "watch it choose every token" in output_of("man", "--warnings", "-E", "UTF-8", "-l", page)


def test_that_the_icons_are_rendered_from_the_drawing():
    import icons
    from PySide6.QtGui import QImage

    for size in icons.SIZES:
        kept = QImage(str(icons.ICONS / "gptstudio" / f"{size}.png")).convertToFormat(QImage.Format.Format_ARGB32)
        drawn = icons.draw(size)
        assert (kept.width(), kept.height()) == (size, size)
        a, b = bytes(kept.constBits()), bytes(drawn.constBits())
        assert sum(abs(x - y) for x, y in zip(a[::7], b[::7], strict=True)) / len(a[::7]) < 2, "packaging/icons.py"


def test_that_windows_and_macos_find_the_same_images_in_their_containers():
    import icons

    pngs = {size: (icons.ICONS / "gptstudio" / f"{size}.png").read_bytes() for size in icons.SIZES}
    assert (icons.ICONS / "gptstudio.ico").read_bytes() == icons.ico(pngs)
    assert (icons.ICONS / "gptstudio.icns").read_bytes() == icons.icns(pngs)


def test_that_the_window_has_the_icon(qapp):
    from gptstudio.gui.app import make_app

    assert not make_app().windowIcon().isNull()


def test_that_the_package_has_all_its_parts_in_their_places_owned_by_root_and_readable_by_all(tmp_path, package):
    root = tmp_path / "root"
    output_of("dpkg-deb", "--raw-extract", package(), root)
    for part in ("opt/gptstudio/gptstudio", "opt/gptstudio/_internal/resources/课程 one.toml",
                 f"{SHARE}/applications/gptstudio.desktop", f"{SHARE}/icons/hicolor/16x16/apps/gptstudio.png",
                 f"{SHARE}/icons/hicolor/scalable/apps/gptstudio.svg", f"{SHARE}/metainfo/gptstudio.metainfo.xml",
                 f"{SHARE}/man/man1/gptstudio.1.gz", f"{SHARE}/doc/gptstudio/copyright"):
        assert (root / part).is_file(), part
    assert (root / "usr/bin/gptstudio").readlink() == Path("/opt/gptstudio/gptstudio")
    assert not (root / "etc").exists(), "a room's settings belong to who set the room up"
    control = (root / "DEBIAN/control").read_text()
    assert "Depends: libc6 (>= 2." in control
    assert ", libegl1," in control
    log = gzip.decompress((root / f"{SHARE}/doc/gptstudio/changelog.gz").read_bytes()).decode()
    assert log.startswith("gptstudio (1.0) stable; urgency=medium\n\n  ")
    lines = output_of("dpkg-deb", "--contents", package()).splitlines()
    assert [line for line in lines if line.split()[1] != "root/root"] == []
    assert [line for line in lines if line[7] != "r"] == []


def test_that_the_package_names_its_maintainer(tmp_path, monkeypatch):
    need("dpkg-deb", "dpkg")
    from linux import deb

    monkeypatch.setenv("DEBFULLNAME", "Ada Doe")
    monkeypatch.setenv("DEBEMAIL", "ada@example.org")
    made = deb.make(stand_in(tmp_path / "app"), "1.0", tmp_path)
    assert output_of("dpkg-deb", "--field", made, "Maintainer").strip() == "Ada Doe <ada@example.org>"
    output_of("dpkg-deb", "--raw-extract", made, tmp_path / "root")
    log = gzip.decompress((tmp_path / "root" / SHARE / "doc/gptstudio/changelog.gz").read_bytes()).decode()
    assert "\n -- Ada Doe <ada@example.org>  " in log


def test_that_a_version_before_the_release_sorts_before_it():
    need("dpkg")
    from linux.deb import debian_version

    assert debian_version("0.2.0") == "0.2.0"
    for early in ("0.2.0rc1", "0.2.0.dev3", "0.2.0a1"):
        output_of("dpkg", "--compare-versions", debian_version(early), "lt", "0.2.0")


def test_that_a_package_that_cannot_be_made_is_named_with_what_it_needs(tmp_path, monkeypatch, capfd):
    import linux

    app = stand_in(tmp_path / "app")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("GPTSTUDIO_APPIMAGE_RUNTIME", raising=False)
    assert linux.make(app, "1.0", tmp_path / "out") == []
    words = capfd.readouterr().err
    assert "`apt-get install binutils dpkg xz-utils`" in words
    assert "`apt-get install makeself xz-utils`" in words
    assert "GPTSTUDIO_APPIMAGE_RUNTIME" in words


def test_that_an_appimage_is_its_runtime_followed_by_the_program(tmp_path, monkeypatch):
    need("mksquashfs", "unsquashfs")
    from linux import appimage

    runtime = tmp_path / "runtime"
    runtime.write_bytes(b"\x7fELF\x02\x01\x01\x00AI\x02" + bytes(1000))
    monkeypatch.setenv(appimage.RUNTIME, str(runtime))
    image = appimage.make(stand_in(tmp_path / "app"), "1.0", tmp_path)
    assert image
    assert image.read_bytes().startswith(runtime.read_bytes())
    listed = output_of("unsquashfs", "-o", str(runtime.stat().st_size), "-l", image)
    for part in ("AppRun", "gptstudio.desktop", "gptstudio.png", ".DirIcon", "opt/gptstudio/gptstudio"):
        assert f"squashfs-root/{part}\n" in listed


def test_that_another_file_is_not_used_as_the_runtime_of_an_appimage(tmp_path, monkeypatch):
    from children import SetupError
    from linux import appimage

    for named in (shutil.which("sleep"), tmp_path / "gone"):
        with pytest.raises(SetupError, match=r"not the runtime|cannot be read"):
            appimage.read_runtime(Path(str(named)))


def test_that_a_tool_that_fails_stops_the_packing_with_its_last_output(tmp_path):
    from children import SetupError
    from linux import staging

    with pytest.raises(SetupError, match=r"^tar --create .* ended with 2: [\s\S]*nowhere"):
        staging.work("tar", "--create", "--file", tmp_path / "made.tar", tmp_path / "nowhere")


HOSTILE = "小 home $x $(touch x) `touch x` 100% %f \"q\" 'a' \\ ;&|<>*?#~ \"><script>alert(1)<"
"""Characters with a meaning in shells, menu entries and HTML, as the name of a folder."""


def test_that_one_file_installs_the_program_its_menu_entry_and_its_uninstaller(tmp_path, installer):
    home = Home(tmp_path / HOSTILE)
    done = home.install(installer())
    assert done.returncode == 0, done.stderr
    assert "gptstudio-uninstall removes it" in done.stdout
    assert home.do(home.program, "--version").returncode == 0
    entry = (home.data / "applications/gptstudio.desktop").read_text(encoding="utf-8")
    quoted = re.search(r"^Exec=(.*)$", entry, re.MULTILINE)[1].replace("\\\\", "\\").replace("%%", "%")
    assert output_of("sh", "-c", f"printf %s {quoted}") == str(home.target / "current/gptstudio")
    assert len(re.findall(r"^Exec=", entry, re.MULTILINE)) == 1
    if shutil.which("desktop-file-validate"):
        output_of("desktop-file-validate", home.data / "applications/gptstudio.desktop")
    assert (home.data / "icons/hicolor/48x48/apps/gptstudio.png").is_file()
    assert (home.target / "current/_internal/resources/课程 one.toml").is_file()


def test_that_the_quiet_installer_prints_nothing(tmp_path, installer):
    home, made = Home(tmp_path / "home"), installer()
    for quiet in ("--quiet", "--silent", "-q"):
        done = home.install(made, quiet)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert home.do(home.uninstaller, "--quiet").stdout == ""


def test_that_the_program_is_installed_in_the_given_folder(tmp_path, installer):
    home, made = Home(tmp_path / "home"), installer()
    assert home.install(made, "--target", "Programs/GPT Studio", XDG_DATA_HOME=str(tmp_path / "data")).returncode == 0
    assert home.do(home.program, "--version").returncode == 0
    assert (home.folder / "Programs/GPT Studio/current/gptstudio").is_file()
    assert (tmp_path / "data/applications/gptstudio.desktop").is_file()
    assert home.do(home.uninstaller).returncode == 0
    assert not (home.folder / "Programs").exists()
    assert not (tmp_path / "data").exists()


def test_that_the_settings_of_a_room_are_kept_over_an_upgrade(tmp_path, installer):
    home = Home(tmp_path / "home")
    (home.folder / "room.toml").write_text('language = "zh_CN"\n')
    assert home.install(installer("1.0"), "--settings", "room.toml").returncode == 0
    assert home.install(installer("1.1")).returncode == 0
    assert (home.target / "current/settings.toml").read_text() == 'language = "zh_CN"\n'


def test_that_another_program_of_the_same_name_is_left_alone(tmp_path, installer):
    home, made = Home(tmp_path / "home"), installer()
    home.program.parent.mkdir(parents=True)
    home.program.write_text("#!/bin/sh\n")
    done = home.install(made)
    assert done.returncode == 0
    assert "is another program and was kept" in done.stdout
    assert home.do(home.target / "gptstudio-uninstall").returncode == 0
    assert home.program.read_text() == "#!/bin/sh\n"


def test_that_an_unknown_option_is_named(tmp_path, installer):
    home, made = Home(tmp_path / "home"), installer()
    before = home.everything()
    for options, words in ((["--frobnicate"], "Unknown option: --frobnicate"), (["--target"], "needs a path")):
        done = home.install(made, *options)
        assert done.returncode == 2
        assert words in done.stderr
    assert "also: --silent" in home.install(made, "--help").stdout
    assert home.install(made, "--check").returncode == 0
    assert home.everything() == before
