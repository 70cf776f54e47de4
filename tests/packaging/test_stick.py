"""A USB stick for a class: its content, and that it installs from a read-only folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import stick
from children import SetupError
from freezing import measures

from gptstudio import settings

INSTALLER = f"gptstudio-0.1.0-linux-{os.uname().machine if hasattr(os, 'uname') else 'x86_64'}.run"
STAND_IN = """mkdir -p "$HOME/.local/bin"
cp "$3" "$HOME/settings.toml"
printf '#!/bin/sh\\necho asked for: "$@"' > "$HOME/.local/bin/gptstudio"
chmod +x "$HOME/.local/bin/gptstudio"
"""


@pytest.fixture
def class_settings(tmp_path) -> Path:
    """An instructor's settings, with their texts and a lesson."""
    folder = tmp_path / "class settings"
    (folder / "texts").mkdir(parents=True)
    (folder / "texts" / "poem.txt").write_text("A poem.", encoding="utf-8")
    (folder / "texts" / "notes.odt").write_bytes(b"not a text")
    lesson = (stick.ROOT / "resources/lessons/en/attention-from-nothing.toml").read_bytes()
    (folder / "ours.toml").write_bytes(lesson)
    file = folder / "settings.toml"
    lines = ('language = "zh_CN"', 'lesson = "ours.toml"', 'texts = "texts"', 'hand_in = "~/results"', 'train = "few"',
             'lock = ["run_delete"]')
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture
def installers(tmp_path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    (folder / INSTALLER).write_text(STAND_IN, encoding="utf-8")
    (folder / "gptstudio_0.1.0_amd64.deb").write_bytes(b"deb")
    (folder / "SHA256SUMS").write_bytes(b"")
    return folder


@pytest.fixture
def made(tmp_path, class_settings, installers) -> Path:
    stick.make(tmp_path / "stick", class_settings, [installers])
    return tmp_path / "stick"


def test_that_it_has_installers_settings_texts_lesson_and_checksums_of_all(made):
    assert {file.name for file in (made / "installers").iterdir()} == {INSTALLER, "gptstudio_0.1.0_amd64.deb"}
    assert [file.name for file in (made / "class/texts").iterdir()] == ["poem.txt"]
    listed = dict(line.split("  ")[::-1] for line in (made / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    files = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()} - {"SHA256SUMS"}
    assert set(listed) == files
    assert all(measures.sha256(made / name) == digest for name, digest in listed.items())


def test_that_its_settings_name_texts_and_lesson_by_their_paths_on_the_laptops(made, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    found = settings.load(made / "settings.toml")
    assert not found.faults
    assert (found.language, found.train, found.lock) == ("zh_CN", "few", ("run_delete",))
    copied = tmp_path / "gptstudio-class"
    assert (Path(found.lesson), found.texts) == (copied / "ours.toml", copied / "texts")
    assert 'hand_in = "~/results"' in (made / "settings.toml").read_text(encoding="utf-8"), "whose home it is, is open"


def test_that_its_start_page_starts_in_the_language_of_the_class_and_names_the_content(made):
    page = (made / "START.html").read_text(encoding="utf-8")
    assert page.index('lang="zh-CN"') < page.index("提交结果") < page.index("Hand in your results")
    assert INSTALLER in page
    assert "$" not in page


@pytest.mark.skipif(sys.platform != "linux", reason="the script of Linux")
class TestInstalling:
    def install(self, made: Path, home: Path) -> subprocess.CompletedProcess[str]:
        home.mkdir(exist_ok=True)
        variables = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        return subprocess.run(["sh", made / "install.sh"], capture_output=True, text=True, cwd="/", env=variables)

    def test_that_it_installs_with_the_settings_and_checks_the_laptop(self, made, tmp_path):
        home = tmp_path / "学习者 home"
        done = self.install(made, home)
        assert (done.returncode, done.stderr) == (0, "")
        assert "asked for: settings --check" in done.stdout
        assert (home / "settings.toml").read_bytes() == (made / "settings.toml").read_bytes()
        assert (home / "gptstudio-class/texts/poem.txt").read_text(encoding="utf-8") == "A poem."
        assert self.install(made, home).returncode == 0, "and once more"

    @pytest.mark.parametrize("name", ["class/texts/poem.txt", "settings.toml", f"installers/{INSTALLER}"])
    def test_that_a_damaged_file_on_the_stick_is_not_installed(self, made, tmp_path, name):
        (made / name).write_text("damaged", encoding="utf-8")
        done = self.install(made, tmp_path / "home")
        assert done.returncode == 1
        assert "Ask your instructor for another stick." in done.stderr
        assert not list((tmp_path / "home").iterdir())

    def test_that_a_stick_without_an_installer_for_this_system_is_reported(self, made, tmp_path):
        (made / "installers" / INSTALLER).unlink()
        assert "There is no installer for Linux" in self.install(made, tmp_path / "home").stderr


@pytest.fixture
def class_alone(tmp_path, class_settings) -> Path:
    """A stick for laptops that have the program, written over one with installers."""
    options = [tmp_path / "stick", "--settings", class_settings, "--without-installers"]
    assert stick.main(list(map(str, options))) == 0
    return tmp_path / "stick"


def test_that_a_stick_without_installers_has_the_rest_and_says_so(made, class_alone):
    assert not (class_alone / "installers").exists()
    first, *lines = (class_alone / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert "no installers" in first
    listed = {line.partition("  ")[2] for line in lines}
    assert {"settings.toml", "class/ours.toml", "class/texts/poem.txt", "install.sh", "START.html"} <= listed
    page = (class_alone / "START.html").read_text(encoding="utf-8")
    assert page.index("不含安装包") < page.index("no installers")
    assert "$" not in page
    if sys.platform == "linux":
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=class_alone, check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="the script of Linux")
class TestSettingsAlone:
    def put_in_place(self, class_alone: Path, home: Path) -> subprocess.CompletedProcess[str]:
        variables = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
        return subprocess.run(
            ["sh", class_alone / "install.sh"], capture_output=True, text=True, cwd="/", env=variables)

    def test_that_settings_and_lesson_are_copied_to_an_installed_program(self, class_alone, tmp_path):
        home = tmp_path / "home"
        program, link = home / "app" / "1.0" / "gptstudio", home / ".local" / "bin" / "gptstudio"
        for folder in (program.parent, link.parent):
            folder.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho asked for: $*\n")
        program.chmod(0o755)
        link.symlink_to(program)
        done = self.put_in_place(class_alone, home)
        assert (done.returncode, done.stderr) == (0, "")
        assert "asked for: settings --check" in done.stdout
        assert (program.parent / "settings.toml").read_bytes() == (class_alone / "settings.toml").read_bytes()
        assert (home / "gptstudio-class" / "ours.toml").exists()

    def test_that_without_a_program_nothing_is_copied(self, class_alone, tmp_path):
        (tmp_path / "home").mkdir()
        done = self.put_in_place(class_alone, tmp_path / "home")
        assert done.returncode == 1
        assert "GPT Studio is not installed on this computer" in done.stderr
        assert not list((tmp_path / "home").iterdir())


def test_that_handed_in_results_are_kept_when_it_is_made_again(made, class_settings, installers):
    (made / "results" / "Ada.html").write_text("report", encoding="utf-8")
    (installers / "gptstudio_0.1.0_amd64.deb").unlink()
    stick.make(made, class_settings, [installers])
    assert (made / "results" / "Ada.html").exists()
    assert [file.name for file in (made / "installers").iterdir()] == [INSTALLER]


def test_that_only_its_own_files_are_removed(tmp_path, class_settings, installers):
    other = tmp_path / "stick" / "class"
    other.mkdir(parents=True)
    with pytest.raises(SetupError, match="was not created by this script"):
        stick.make(tmp_path / "stick", class_settings, [installers])
    assert other.exists()


def test_that_settings_with_errors_and_folders_without_installers_are_refused(tmp_path, class_settings, installers):
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(SetupError, match="There is no installer in"):
        stick.make(tmp_path / "stick", class_settings, [empty])
    class_settings.write_text('lock = ["strat"]\n', encoding="utf-8")
    with pytest.raises(SetupError, match="line 1: lock contains 'strat'"):
        stick.make(tmp_path / "stick", class_settings, [installers])
    assert not (tmp_path / "stick").exists()
