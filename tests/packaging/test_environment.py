"""The conditions under which the setup has nothing to do, and the search for the installed project."""

from pathlib import Path

import environment
import pytest
from environment import Stamp, requested


def test_that_a_stamp_is_valid_while_nothing_changes(here: Path):
    first = requested(Stamp(), None, ["test"])
    assert requested(first, None, ["test"]) == first
    assert requested(first, None, []) == first, "what the tests brought need not leave for a run"


@pytest.mark.parametrize("change", [
    {"torch": "cuda"}, {"extras": ["test"]}, {"VERSION": "3.99"}, {"ROOT": "moved"},
    {"pyproject.toml": '[project]\ndependencies = ["torch~=2.14.0"]\n'}], ids=lambda change: next(iter(change)))
def test_that_a_change_of_torch_extras_python_place_or_project_invalidates_it(change: dict, here: Path, monkeypatch):
    first = requested(Stamp(), None, [])
    if "pyproject.toml" in change:
        (here / "pyproject.toml").write_text(change["pyproject.toml"])
    if "VERSION" in change:
        monkeypatch.setattr(environment, "VERSION", change["VERSION"])
    if "ROOT" in change:
        monkeypatch.setattr(environment, "ROOT", here.rename(here.with_name(change["ROOT"])))
    assert requested(first, change.get("torch"), change.get("extras", [])) != first


def test_that_an_environment_for_tests_is_completed_when_the_books_code_changes(here: Path, monkeypatch):
    running, testing = requested(Stamp(), None, []), requested(Stamp(), None, ["test"])
    monkeypatch.setattr(environment, "BOOK", "llms-from-scratch==2.0")
    assert requested(testing, None, ["test"]) != testing
    assert requested(running, None, []) == running, "who only runs the program has nothing of it"


class TestInstalling:
    """The commands for pip, recorded by a stand-in."""

    @pytest.fixture
    def commands(self, here: Path, monkeypatch) -> list[tuple[str, ...]]:
        commands: list[tuple[str, ...]] = []
        monkeypatch.setattr(environment, "pip", lambda *words: commands.append(words) or True)
        return commands

    def test_that_the_tests_get_the_books_code_pinned_last_and_without_its_requirements(self, commands: list):
        environment.install_project(("test",), "2.13.0")
        assert [words[-1] for words in commands] == [".[test]", environment.BOOK]
        assert "==" in commands[-1][-1]
        assert "--no-deps" in commands[-1]

    def test_that_an_environment_without_tests_gets_nothing_of_it(self, commands: list):
        environment.install_project((), "2.13.0")
        assert [words[-1] for words in commands] == ["."]

    def test_that_it_is_reported_where_the_books_code_is_not_available(self, here: Path, monkeypatch):
        environment.VENV.mkdir()
        (here / ".venv" / "install.log").write_text("$ pip install\nERROR: No matching distribution found\n")
        monkeypatch.setattr("children.LOG", here / ".venv" / "install.log")
        monkeypatch.setattr(environment, "pip", lambda *words: environment.BOOK not in words)
        with pytest.raises(environment.SetupError, match=r"The book's own code, .* could not be installed"):
            environment.install_project(("test",), "2.13.0")


def test_that_a_choice_of_torch_is_kept_until_another_is_made(here: Path):
    chosen = requested(Stamp(), "cpu", [])
    assert requested(chosen, None, []) == chosen
    assert requested(chosen, "auto", []).torch == "auto"


@pytest.mark.parametrize("text", ["", "{", "7", "[1]", '["k", "auto", 3, "/"]', '{"key": 1}'])
def test_that_a_damaged_stamp_is_ignored(here: Path, text: str):
    assert environment.read_stamp() == Stamp()
    environment.VENV.mkdir()
    environment.STAMP.write_text(text)
    assert environment.read_stamp() == Stamp()


def test_that_a_stamp_is_read_as_written(here: Path):
    stamp = requested(Stamp(), "cpu", ["test"])
    environment.VENV.mkdir()
    environment.write_stamp(stamp)
    assert environment.read_stamp() == stamp


def test_that_the_installed_project_is_found_in_any_locale_and_path(here: Path):
    packages = here / ".venv" / "lib" / f"python{environment.VERSION}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "_editable_impl_gptstudio.pth").write_text(str(here), encoding="utf-8")
    environment.link_by_relative_path()
    link = (packages / "_editable_impl_gptstudio.pth").read_text(encoding="utf-8").strip()
    assert link.isascii()
    assert (packages / link).resolve() == here.resolve()
