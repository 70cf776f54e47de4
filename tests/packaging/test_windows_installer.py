"""The Windows installer: made by NSIS around a stand-in program, then installed, upgraded and removed under wine."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import windows
from children import SetupError
from under_wine import NEEDS_NSIS, NEEDS_SIGNER, NEEDS_WINE, STAND_IN, Wine, files_in, frozen, of_version, unquoted
from windows import signing


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    """The stand-in for gptstudio.exe."""
    folder = tmp_path_factory.mktemp("stand-in")
    target = windows.TARGET if windows.has_target() else "x86-unicode"
    script = STAND_IN.replace("TARGET", target).replace("PROGRAM", str(folder / windows.PROGRAM))
    (folder / "program.nsi").write_text(script)
    subprocess.run([windows.makensis(), "-V2", str(folder / "program.nsi")], check=True, timeout=60)
    return folder / windows.PROGRAM


OLD_FILES = ("base.dll", "gone/since.dll", "resources/texts/the-verdict.txt")
NEW_FILES = ("base.dll", "new in/0.2.dll", "resources/texts/the-verdict.txt", "课程/a$b.toml")


@pytest.fixture(scope="module")
def old(tmp_path_factory, program: Path) -> Path:
    """The installer of version 0.1.0."""
    folder = tmp_path_factory.mktemp("old")
    return windows.make(frozen(folder / "app", program, OLD_FILES), "0.1.0", folder)[0]


@pytest.fixture(scope="module")
def new(tmp_path_factory, program: Path) -> Path:
    """The installer of version 0.2.0, with one new file and without one of the old ones."""
    folder = tmp_path_factory.mktemp("new")
    return windows.make(frozen(folder / "app", program, NEW_FILES), "0.2.0", folder)[0]


@pytest.fixture(scope="module")
def windows_10(tmp_path_factory) -> Iterator[Wine]:
    wine = Wine(tmp_path_factory.mktemp("wine"))
    wine.run("wineboot", "-i")
    wine.run("winecfg", "-v", "win10")
    yield wine
    subprocess.run(["wineserver", "-k"], env=wine.variables, timeout=60)  # only of this prefix


@pytest.fixture
def wine(windows_10: Wine) -> Iterator[Wine]:
    yield windows_10
    if (windows_10.installed / "uninstall.exe").exists():
        assert windows_10.uninstall() == 0
    shutil.rmtree(windows_10.installed, ignore_errors=True)


@NEEDS_NSIS
def test_that_the_installer_is_made_and_has_its_version_and_publisher(old: Path):
    assert old.name == "gptstudio-0.1.0-windows-x86_64.exe"
    data = old.read_bytes()
    for words in ("GPT Studio Setup", "0.1.0", "The GPT Studio authors"):
        assert words.encode("utf-16-le") in data, words
    assert b"requestedExecutionLevel level=\"asInvoker\"" in data or b'level="asInvoker"' in data
    assert [each.name for each in old.parent.iterdir() if each.is_file()] == [old.name], "nothing else is left there"


@NEEDS_NSIS
def test_that_a_folder_without_a_windows_program_is_refused(tmp_path: Path):
    with pytest.raises(SetupError, match=r"contains no gptstudio\.exe"):
        windows.make(tmp_path, "0.1.0", tmp_path)


def test_that_without_nsis_the_installer_is_skipped_with_a_message(tmp_path: Path, monkeypatch, capsys):
    (tmp_path / windows.PROGRAM).touch()
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(windows, "ON_WINDOWS", tmp_path / "nowhere")
    assert windows.make(tmp_path, "0.1.0", tmp_path) == []
    assert "apt-get install nsis" in capsys.readouterr().err


def test_that_exactly_the_programs_files_are_written_and_removed(tmp_path: Path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "a$b.txt").touch()
    (tmp_path / windows.PROGRAM).touch()
    lines = [line.strip() for line in windows.file_lists(tmp_path).splitlines()]
    assert lines == [
        "!macro AddFiles", 'SetOutPath "$INSTDIR"', f'File "{tmp_path / windows.PROGRAM}"',
        'SetOutPath "$INSTDIR\\deep\\er"', f'File "{tmp_path}/deep/er/a$b.txt"', "!macroend",
        "!macro RemoveFiles", 'Delete "$INSTDIR\\gptstudio.exe"', 'Delete "$INSTDIR\\deep\\er\\a$$b.txt"', "!macroend",
        "!macro RemoveFolders", 'RMDir "$INSTDIR\\deep\\er"', 'RMDir "$INSTDIR\\deep"', "!macroend"]


@pytest.mark.parametrize(("version", "numbers"), [("0.1.0", "0.1.0.0"), ("1.2", "1.2.0.0"), ("0.1.0rc2", "0.1.0.2")])
def test_that_a_version_has_four_numbers_on_windows(version, numbers):
    assert windows.four_numbers(version) == numbers


@NEEDS_WINE
@pytest.mark.release
def test_that_a_silent_install_is_found_everywhere_and_is_removed_without_a_trace(wine: Wine, old: Path):
    assert wine.run(old, "/S") == 0
    assert files_in(wine.installed) == of_version(OLD_FILES)
    assert wine.menu.is_file()
    assert not (wine.user / "Desktop" / "GPT Studio.lnk").exists(), "only where it is asked for"
    record = wine.record()
    home = record["InstallLocation"]
    assert home == f"C:\\users\\{wine.user.name}\\AppData\\Local\\Programs\\GPT Studio"
    assert record["QuietUninstallString"] == f'"{home}\\uninstall.exe" /S'
    assert (record["DisplayVersion"], record["Publisher"]) == ("0.1.0", "The GPT Studio authors")
    assert int(record["EstimatedSize"], 16) > 0
    lesson = wine.user / "第一 课.gptlesson"
    lesson.touch()
    for name in (".gptlesson", "GPTStudio.Lesson"):  # wine looks up file types only for all users, Windows also for one
        wine.run("reg", "copy", rf"HKCU\Software\Classes\{name}", rf"HKLM\Software\Classes\{name}", "/s", "/f")
    assert wine.run("start", "/wait", f"C:\\users\\{wine.user.name}\\{lesson.name}") == 0
    started = (wine.installed / "started.txt").read_text(encoding="utf-16-le")
    assert started == f'--lesson "C:\\users\\{wine.user.name}\\{lesson.name}"'
    runs = wine.local / "gptstudio" / "runs" / "first"
    runs.mkdir(parents=True)
    (wine.installed / "settings.toml").touch()
    assert wine.run(wine.installed / "uninstall.exe", "/S") == 0
    while wine.menu.exists() or (wine.installed / "uninstall.exe").exists():  # it works on, from a copy of itself
        time.sleep(0.05)
    assert files_in(wine.installed) == {"started.txt"}, "what others put there is theirs"
    assert runs.is_dir()
    assert wine.record() == {}
    assert "lesson" not in wine.output_of("reg", "query", r"HKCU\Software\Classes", "/s").lower()


@NEEDS_WINE
@pytest.mark.release
def test_that_an_upgrade_removes_old_files_and_keeps_runs_settings_and_shortcut(wine: Wine, old: Path, new: Path):
    shortcut, run = wine.user / "Desktop" / "GPT Studio.lnk", wine.local / "gptstudio" / "runs" / "kept"
    assert wine.run(old, "/S", "/DESKTOP") == 0
    run.mkdir(parents=True)
    (run / "journal.jsonl").write_text("{}")
    (wine.installed / "settings.toml").touch()
    assert wine.run(new, "/S") == 0
    assert files_in(wine.installed) == {*of_version(NEW_FILES), "settings.toml"}
    assert not (wine.installed / "_internal" / "gone").exists()
    assert (run / "journal.jsonl").read_text() == "{}"
    assert shortcut.is_file()
    assert wine.record()["DisplayVersion"] == "0.2.0"
    moved = wine.prefix / "drive_c" / "other place"
    assert wine.run(new, "/S", *unquoted(r"/D=C:\other place")) == 0
    assert files_in(wine.installed) == {"settings.toml"}, "the program is in one place, whichever was named last"
    assert files_in(moved) == of_version(NEW_FILES)
    assert wine.uninstall(moved) == 0
    assert not moved.exists() or files_in(moved) <= {"uninstall.exe"}, "which cannot remove itself where it lies"
    assert not shortcut.exists()


@NEEDS_WINE
@pytest.mark.release
def test_that_a_running_program_is_neither_replaced_nor_removed(wine: Wine, old: Path, new: Path):
    assert wine.run(old, "/S") == 0
    running = wine.begin(wine.installed / windows.PROGRAM, "--stay")
    while not (wine.installed / "started.txt").exists():
        assert running.poll() is None
    (wine.installed / "started.txt").unlink()
    before = {name: (wine.installed / name).read_bytes() for name in files_in(wine.installed)}
    assert wine.run(new, "/S") == 3
    assert wine.uninstall() == 3
    assert {name: (wine.installed / name).read_bytes() for name in files_in(wine.installed)} == before
    assert wine.record()["DisplayVersion"] == "0.1.0"
    (wine.installed / "go").touch()
    assert running.wait(timeout=30) == 0
    assert wine.run(new, "/S") == 0
    assert files_in(wine.installed) == {*of_version(NEW_FILES), "go"}


@NEEDS_WINE
@pytest.mark.release
def test_that_settings_for_a_room_are_put_beside_the_program_and_removed_with_it(wine: Wine, old: Path):
    settings = wine.user / "room-7.toml"
    assert wine.run(old, "/S", f"/SETTINGS=C:\\users\\{wine.user.name}\\{settings.name}") == 6
    assert not wine.installed.exists(), "the file is not there"
    settings.write_text('language = "zh_CN"')
    assert wine.run(old, "/S", f"/SETTINGS=C:\\users\\{wine.user.name}\\{settings.name}") == 0
    assert (wine.installed / "settings.toml").read_text() == 'language = "zh_CN"'
    assert wine.uninstall() == 0
    assert files_in(wine.installed) <= {"uninstall.exe"}


@NEEDS_WINE
@pytest.mark.release
def test_that_an_install_which_cannot_finish_removes_what_it_wrote(wine: Wine, new: Path):
    in_the_way = wine.installed / "_internal" / "resources" / "texts" / "the-verdict.txt"
    in_the_way.mkdir(parents=True)
    assert wine.run(new, "/S") == 2
    assert files_in(wine.installed) == set()
    assert not wine.menu.exists()
    assert wine.record() == {}


@NEEDS_WINE
@pytest.mark.release
def test_that_a_path_too_long_for_windows_is_refused_before_anything_is_written(wine: Wine, new: Path):
    longest = max(len(f"\\_internal\\{name}") for name in NEW_FILES)
    folder = "C:\\" + "n" * (259 - longest - 3)
    assert wine.run(new, "/S", f"/D={folder}n") == 5
    assert not list((wine.prefix / "drive_c").glob("nnn*"))
    assert wine.run(new, "/S", f"/D={folder}") == 0, "one character fewer is not too long"
    assert wine.uninstall(wine.prefix / "drive_c" / folder[3:]) == 0


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> Path:
    """A test certificate, with its key, as a .pfx file; and as a .pem file next to it."""
    folder = tmp_path_factory.mktemp("certificate")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Nobody",
                    "-addext", "extendedKeyUsage=codeSigning", "-keyout", "key.pem", "-out", "nobody.pem"],
                   cwd=folder, check=True, capture_output=True, timeout=60)
    subprocess.run(["openssl", "pkcs12", "-export", "-inkey", "key.pem", "-in", "nobody.pem", "-out", "nobody.pfx",
                    "-passout", "pass:a word"], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder / "nobody.pfx"


def signed_by(file: Path, certificate: Path) -> bool:
    words = ["osslsigncode", "verify", "-CAfile", certificate.with_suffix(".pem"), "-in", file]
    found = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60)
    return found.returncode == 0 and "Signature verification: ok" in found.stdout


@pytest.fixture
def with_certificate(certificate: Path, monkeypatch) -> Path:
    """The certificate, set for the signing step, which then requests no timestamp from a server."""
    monkeypatch.setenv("GPTSTUDIO_CERTIFICATE", str(certificate))
    monkeypatch.setenv("GPTSTUDIO_CERTIFICATE_PASSWORD", "a word")
    monkeypatch.setenv("GPTSTUDIO_TIMESTAMP", "")
    return certificate


@NEEDS_NSIS
@NEEDS_SIGNER
def test_that_the_installer_and_its_program_are_signed_if_a_certificate_is_given(
        tmp_path: Path, program: Path, with_certificate: Path, monkeypatch):
    app = frozen(tmp_path / "an app", program, NEW_FILES)
    assert not signed_by(app / windows.PROGRAM, with_certificate)
    made = windows.make(app, "0.2.0", tmp_path / "out")
    assert signed_by(made[0], with_certificate)
    assert signed_by(app / windows.PROGRAM, with_certificate)
    monkeypatch.setenv("GPTSTUDIO_CERTIFICATE_PASSWORD", "another")
    with pytest.raises(SetupError, match=r"gptstudio\.exe could not be signed"):
        windows.make(app, "0.2.0", tmp_path / "out")


@NEEDS_WINE
@pytest.mark.release
@NEEDS_SIGNER
def test_that_the_uninstaller_is_signed_too(wine: Wine, tmp_path: Path, program: Path, with_certificate: Path):
    made = windows.make(frozen(tmp_path / "app", program, NEW_FILES), "0.2.0", tmp_path / "out")
    assert wine.run(made[0], "/S") == 0
    assert signed_by(wine.installed / "uninstall.exe", with_certificate)
    assert signed_by(wine.installed / windows.PROGRAM, with_certificate)


class TestTheSigningCommand:
    """The arguments of the signing tool, which differs on Windows."""

    FILE = Path("x.exe")

    def test_that_signtool_gets_certificate_digest_and_time(self):
        given = {"GPTSTUDIO_CERTIFICATE": "c.pfx", "GPTSTUDIO_CERTIFICATE_PASSWORD": "p"}
        words = signing.command(self.FILE, Path("y"), "C:/kits/signtool.exe", given)
        assert words[:6] == ["C:/kits/signtool.exe", "sign", "/f", "c.pfx", "/p", "p"]
        assert words[words.index("/tr") + 1] == signing.TIMESTAMP
        assert words[-1] == "x.exe"

    def test_that_a_custom_command_gets_the_file_and_has_priority(self):
        given = {"GPTSTUDIO_SIGN_COMMAND": "cloud-sign --account 'my school' {file}", "GPTSTUDIO_CERTIFICATE": "c.pfx"}
        words = signing.command(Path("a b.exe"), Path("y"), "", given)
        assert words == ["cloud-sign", "--account", "my school", "a b.exe"]

    def test_that_nothing_is_signed_without_a_certificate(self):
        assert signing.way({}) == ""
