"""The setup as a program: its arguments, the programs that it starts, and its exit code. Nothing here needs a
network."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import bootstrap
import environment
import pytest

FILE = Path(bootstrap.__file__)
AT_A_TIME = min(8, (os.cpu_count() or 1) + 1)
OF_THE_SHELL = pytest.mark.skipif(os.name == "nt", reason="the stand-in for the installed Python is a shell script")


def start(root: Path, *arguments: str, python: tuple = (), **variables: str) -> subprocess.CompletedProcess:
    """Start a checkout's setup from the folder above it."""
    return subprocess.run([sys.executable, *python, str(root / "packaging" / "bootstrap.py"), *arguments],
                          encoding="utf-8", stdin=subprocess.DEVNULL, capture_output=True, cwd=root.parent,
                          timeout=60, env={**os.environ, "PYTHONUTF8": "1", **variables})


def stand_in(file: Path, script: str) -> None:
    """Write a replacement for a program of the environment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def set_up_by_hand(root: Path, extras: tuple = ()) -> None:
    """Create the files of a finished setup, with this Python in place of the installed one."""
    stand_in(root / ".venv" / "bin" / "python", f'exec "{sys.executable}" "$@"')
    environment.write_stamp(environment.requested(environment.Stamp(), None, extras))


def test_that_an_older_python_can_read_the_file_up_to_the_message_for_it():
    source = FILE.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    older = source.replace("sys.version_info < (3, 11)", "True", 1)
    answer = subprocess.run([sys.executable, "-c", older], capture_output=True, text=True, timeout=30)
    assert answer.returncode == 1
    assert answer.stderr.startswith("GPT Studio needs Python 3.11 or newer")
    assert len(answer.stderr.splitlines()) == 1


def test_that_help_explains_both_commands_needs_nothing_but_python_and_sets_nothing_up(checkout: Path):
    answer = start(checkout, "--help", python=("-I", "-S"))
    assert answer.returncode == 0
    assert {"run", "test", "--torch"} <= set(answer.stdout.replace(",", " ").split())
    assert not (checkout / ".venv").exists()


def test_that_a_damaged_venv_is_made_again_and_a_failed_set_up_ends_with_a_plain_message(here: Path):
    """Without any package server the setup gets as far as PyTorch; without PATH it finds no apt to use."""
    (here / ".venv" / "bin").mkdir(parents=True)
    (here / ".venv" / "bin" / "python").write_text("half a file")
    answer = start(here, "run", "--torch", "default", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull,
                   PIP_FIND_LINKS="", PATH="")
    assert answer.returncode == 1
    assert "PyTorch could not be installed. There is no fitting build" in answer.stderr
    assert str(here / ".venv" / "install.log") in answer.stderr
    assert "Traceback" not in answer.stderr
    stamp = environment.read_stamp()
    assert (stamp.key, stamp.torch) == ("", "default"), "an unfinished setup is not done, and its choice stays"


class TestSettingUp:
    """The steps of a setup, each replaced by a stand-in."""

    @pytest.fixture
    def steps(self, here: Path, monkeypatch) -> list:
        """The steps that were taken; the environment works, and its content loads."""
        steps = []
        (here / ".venv").mkdir()
        monkeypatch.setattr(bootstrap, "PYTHON", here / ".venv")
        monkeypatch.setattr(bootstrap, "check_libraries", lambda install: steps.append("apt") if install else None)
        monkeypatch.setattr(bootstrap, "bring_installer_tools", lambda: steps.append("apt"))
        monkeypatch.setattr(bootstrap, "venv_works", lambda: True)
        monkeypatch.setattr(bootstrap, "build", lambda: [here])  # which would compile this checkout's sources
        monkeypatch.setattr(bootstrap, "project_loads", lambda: True)
        monkeypatch.setattr(bootstrap, "make_venv", lambda: steps.append("make"))
        monkeypatch.setattr(bootstrap, "pip", lambda *words: steps.append(words[0]))
        monkeypatch.setattr(bootstrap, "install_torch", lambda choice: steps.append(choice) or "2.13.0")
        monkeypatch.setattr(bootstrap, "install_project", lambda extras, torch: steps.append((*extras, torch)))
        return steps

    def test_that_a_second_time_does_nothing(self, steps: list):
        bootstrap.set_up(None, [])
        assert steps == ["apt", "auto", ("2.13.0",)]
        bootstrap.set_up(None, [])
        assert len(steps) == 3

    def test_that_system_packages_can_be_left_out(self, steps: list):
        assert bootstrap.read_arguments(["test", "--no-system"]).no_system
        bootstrap.set_up(None, ["test"], system=False)
        assert "apt" not in steps

    def test_that_another_choice_replaces_the_installed_torch(self, steps: list):
        bootstrap.set_up("cpu", ["test"])
        bootstrap.set_up("cuda", [])
        assert steps[4:] == ["apt", "apt", "uninstall", "cuda", ("test", "2.13.0")]

    def test_that_an_environment_that_cannot_be_loaded_is_made_again_once(self, steps: list, monkeypatch):
        monkeypatch.setattr(bootstrap, "project_loads", lambda: "make" in steps)
        bootstrap.set_up(None, [])
        assert steps == ["apt", "auto", ("2.13.0",), "make", "apt", "auto", ("2.13.0",)]

    def test_that_a_moved_environment_is_made_again(self, steps: list, here: Path, monkeypatch):
        bootstrap.set_up(None, [])
        monkeypatch.setattr(environment, "ROOT", here / "packaging" / "..")
        bootstrap.set_up(None, [])
        assert steps[3:] == ["make", "apt", "auto", ("2.13.0",)]


def test_that_torch_may_be_given_anywhere_and_the_rest_keeps_its_order():
    before = bootstrap.read_arguments(["--torch", "cpu", "run", "train", "--steps", "3", "--help"])
    after = bootstrap.read_arguments(["run", "train", "--steps", "3", "--torch=cpu", "--help"])
    assert before == after
    assert before.arguments == ["train", "--steps", "3", "--help"]


def test_that_a_tour_is_the_apps_own_command():
    options = bootstrap.read_arguments(["run", "--tour", "pictures"])
    assert bootstrap.app_arguments(options.arguments) == ["tour", "pictures"]
    assert bootstrap.app_arguments(["train", "--steps", "3"]) == ["train", "--steps", "3"]


@OF_THE_SHELL
def test_that_a_second_start_opens_the_app_in_the_users_folder_and_passes_its_exit_code(here: Path):
    set_up_by_hand(here)
    (here.parent / "gptstudio.py").write_text("import os, sys\nprint(sys.argv[1:], os.getcwd())\nsys.exit(37)\n")
    answer = start(here, "run", "--tour", "a b", LANG="C")
    assert "Setting GPT Studio up" not in answer.stderr
    assert answer.stdout == f"{['tour', 'a b']} {here.parent}\n"
    assert answer.returncode == 37


@OF_THE_SHELL
def test_that_all_checks_run_although_one_fails_and_pytest_is_last(here: Path):
    set_up_by_hand(here, ("test",))
    for tool in ("ruff", "mypy", "lint-imports", "pytest"):
        told = f'echo {tool} "$@" "[$OMP_NUM_THREADS$PYTHONDONTWRITEBYTECODE]"'
        stand_in(here / ".venv" / "bin" / tool, f"{told}\n[ {tool} != mypy ]")
    answer = start(here, "test", OMP_NUM_THREADS="7", PYTHONDONTWRITEBYTECODE="1")
    assert answer.stdout.splitlines() == ["ruff check . []", "mypy []", "lint-imports []", f"pytest -n {AT_A_TIME} []"]
    assert "These checks failed, see above: mypy\n" in answer.stderr
    assert answer.returncode == 1
    fast = start(here, "test", "--fast")
    assert fast.stdout == f"pytest -n {AT_A_TIME} -m not slow and not release []\n"
    only = start(here, "test", "-n", "4", "tests/gpt")
    assert (only.stdout, only.returncode) == ("pytest -n 4 tests/gpt []\n", 0)
