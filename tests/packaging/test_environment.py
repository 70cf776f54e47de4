"""When the set-up has nothing to do, and how the installed project is found."""

from pathlib import Path

import environment
import pytest
from environment import Stamp, wished


def test_that_a_stamp_holds_while_nothing_changes(here: Path):
    first = wished(Stamp(), None, ["test"])
    assert wished(first, None, ["test"]) == first
    assert wished(first, None, []) == first, "what the tests brought need not leave for a run"


@pytest.mark.parametrize("change", [
    {"torch": "cuda"}, {"extras": ["test"]}, {"VERSION": "3.99"}, {"ROOT": "moved"},
    {"pyproject.toml": '[project]\ndependencies = ["torch~=2.14.0"]\n'}], ids=lambda change: next(iter(change)))
def test_that_a_change_of_the_torch_the_extras_the_python_the_place_or_the_project_ends_it(
        change: dict, here: Path, monkeypatch):
    first = wished(Stamp(), None, [])
    if "pyproject.toml" in change:
        (here / "pyproject.toml").write_text(change["pyproject.toml"])
    if "VERSION" in change:
        monkeypatch.setattr(environment, "VERSION", change["VERSION"])
    if "ROOT" in change:
        monkeypatch.setattr(environment, "ROOT", here.rename(here.with_name(change["ROOT"])))
    assert wished(first, change.get("torch"), change.get("extras", [])) != first


def test_that_a_choice_of_torch_stays_until_another_is_made(here: Path):
    chosen = wished(Stamp(), "cpu", [])
    assert wished(chosen, None, []) == chosen
    assert wished(chosen, "auto", []).torch == "auto"


@pytest.mark.parametrize("text", ["", "{", "7", "[1]", '["k", "auto", 3, "/"]', '{"key": 1}'])
def test_that_a_damaged_stamp_counts_as_none(here: Path, text: str):
    assert environment.read_stamp() == Stamp()
    environment.VENV.mkdir()
    environment.STAMP.write_text(text)
    assert environment.read_stamp() == Stamp()


def test_that_a_stamp_is_read_as_it_was_written(here: Path):
    stamp = wished(Stamp(), "cpu", ["test"])
    environment.VENV.mkdir()
    environment.write_stamp(stamp)
    assert environment.read_stamp() == stamp


def test_that_the_installed_project_is_found_whatever_the_locale_and_the_path(here: Path):
    packages = here / ".venv" / "lib" / f"python{environment.VERSION}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "_editable_impl_gptstudio.pth").write_text(str(here), encoding="utf-8")
    environment.link_by_relative_path()
    link = (packages / "_editable_impl_gptstudio.pth").read_text(encoding="utf-8").strip()
    assert link.isascii()
    assert (packages / link).resolve() == here.resolve()
