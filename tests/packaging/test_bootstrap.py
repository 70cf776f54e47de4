"""The set-up's decisions, one by one, and its behaviour as a program. Nothing here needs a network."""

import ast
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

FILE = Path(__file__).resolve().parents[2] / "packaging" / "bootstrap.py"
LINUX_X11 = "libxcb-cursor.so.0"
TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"


def load(file: Path):
    spec = importlib.util.spec_from_file_location("bootstrap", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bootstrap = load(FILE)
REQUIREMENT = "torch~=2.13.0"


def wheel(version: str, tag: str = TAG, machine: str = platform.machine()) -> str:
    return f"torch-{version}-{tag}-{tag}-manylinux_2_28_{machine}.whl"


def plans(choice: str, gpu: bool, folders=(), system: str = "linux", listing=lambda page: []) -> list:
    return list(bootstrap.torch_plans(choice, gpu, REQUIREMENT, list(folders), system, listing))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of its own, whose path has a space and an umlaut."""
    root = tmp_path / "Schöne Modelle" / "studio"
    (root / "packaging").mkdir(parents=True)
    shutil.copy(FILE, root / "packaging")
    (root / "pyproject.toml").write_text('[project]\ndependencies = ["torch~=2.13.0"]\n')
    return root


def set_up_by_hand(root: Path, command: str = "run") -> None:
    """What a finished set-up leaves, with this Python in the place of the installed one."""
    copy = load(root / "packaging" / "bootstrap.py")
    copy.BIN.mkdir(parents=True)
    copy.PYTHON.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    copy.PYTHON.chmod(0o755)
    wish = copy.wished(copy.Stamp(), None, ["test"] if command == "test" else [])
    copy.STAMP.write_text(copy.json.dumps(wish))


def start(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(root / "packaging" / "bootstrap.py"), *arguments], encoding="utf-8",
                          stdin=subprocess.DEVNULL, capture_output=True, cwd=root.parent, timeout=60,
                          env={**os.environ, "PYTHONUTF8": "1", **environment})


# ---- which PyTorch

def test_that_the_projects_own_requirement_is_one_that_can_be_judged():
    requirement = bootstrap.requirement_of("torch")
    floor = requirement.partition("~=")[2]
    assert bootstrap.fits(f"{floor}+cpu", requirement)
    assert not bootstrap.fits("1.0", requirement)


@pytest.mark.parametrize(("version", "expected"), [
    ("2.13.0", True), ("2.13.0+cpu", True), ("2.13.4+cu130", True),
    ("2.12.9", False), ("2.14.0", False), ("3.0.0", False), ("", False)])
def test_that_a_version_fits_only_within_its_series(version: str, expected: bool):
    assert bootstrap.fits(version, REQUIREMENT) is expected


def test_that_without_a_gpu_a_cpu_wheel_of_this_machine_comes_first(tmp_path: Path):
    for version in ("2.12.1+cpu", "2.13.0+cpu", "2.13.10+cpu", "2.13.9+cpu"):
        (tmp_path / wheel(version)).touch()
    words, arguments = plans("auto", gpu=False, folders=[tmp_path])[0]
    assert arguments == ["-f", str(tmp_path), "torch==2.13.10+cpu"]
    assert "CPU" in words


def test_that_a_wheel_for_another_python_or_machine_is_left_alone(tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu", tag="cp27")).touch()
    (tmp_path / wheel("2.13.0+cpu", machine="sparc64")).touch()
    (tmp_path / wheel("2.13.0")).touch()
    assert [arguments for _, arguments in plans("cpu", gpu=False, folders=[tmp_path])] == [[REQUIREMENT]]


def test_that_pytorchs_server_is_not_asked_while_a_wheel_of_this_machine_does(tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu")).touch()
    asked = []
    ways = bootstrap.torch_plans("auto", False, REQUIREMENT, [tmp_path], "linux", lambda page: asked.append(page) or [])
    next(ways)
    assert not asked
    next(ways)
    assert asked == ["https://download.pytorch.org/whl/cpu/torch/"]


def test_that_pytorchs_server_comes_second_and_is_pinned_exactly():
    (words, arguments), last = plans("auto", gpu=False, listing=lambda page: [wheel("2.13.0+cpu")])
    assert arguments == ["--extra-index-url", "https://download.pytorch.org/whl/cpu", "torch==2.13.0+cpu"]
    assert last[1] == [REQUIREMENT]


def test_that_a_server_out_of_reach_leaves_the_default_build_and_says_how_large_it_is():
    (words, arguments), = plans("auto", gpu=False)
    assert arguments == [REQUIREMENT]
    assert "no CPU build can be had" in words
    assert "GB" in words


def test_that_a_gpu_on_linux_gets_the_default_build_and_never_a_local_cpu_wheel(tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu")).touch()
    assert [arguments for _, arguments in plans("auto", gpu=True, folders=[tmp_path])] == [
        ["torch~=2.13.0,!=2.13.0+cpu"]]


def test_that_a_choice_outweighs_what_is_found(tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu")).touch()
    assert plans("cpu", gpu=True, folders=[tmp_path])[0][1][-1] == "torch==2.13.0+cpu"
    assert "!=" in plans("cuda", gpu=False, folders=[tmp_path])[0][1][-1]
    assert [arguments for _, arguments in plans("default", gpu=True, folders=[tmp_path])] == [[REQUIREMENT]]


@pytest.mark.parametrize(("system", "gpu"), [("darwin", False), ("darwin", True), ("win32", False)])
def test_that_macos_and_a_windows_without_gpu_take_the_default_build(system: str, gpu: bool):
    assert plans("auto", gpu, system=system) == [("the default build", [REQUIREMENT])]


@pytest.mark.parametrize(("report", "expected"), [
    ("| Driver Version: 560.94   CUDA Version: 12.6 |", ["2.13.0+cu126"]),
    ("| Driver Version: 591.01   CUDA UMD Version: 13.1 |", ["2.13.0+cu130"]),
    ("CUDA Version: 11.8", []), ("", ["2.13.0+cu130"])])
def test_that_windows_takes_the_newest_cuda_that_its_driver_knows(report: str, expected: list):
    assert bootstrap.newest_cuda(["2.13.0+cu130", "2.13.0+cu126"], report) == expected


def test_that_the_wheel_folders_are_those_that_pip_is_told_of_and_that_exist(tmp_path: Path):
    config = f""":env:.find-links='{tmp_path}'
global.extra-index-url='file:///somewhere'
global.find-links='\\nfile://{tmp_path}\\n/no/such/folder'"""
    assert bootstrap.wheel_folders(config) == [tmp_path]


def test_that_a_server_that_refuses_is_given_up_at_once():
    begun = time.monotonic()
    assert bootstrap.server_files("http://127.0.0.1:9/torch/") == []
    assert time.monotonic() - begun < 2


# ---- which system packages

def test_that_without_a_screen_the_parts_of_x11_are_not_missed():
    def here(name: str) -> bool:
        return name not in bootstrap.X11_LIBRARIES

    assert bootstrap.missing_libraries(False, here, lambda: True) == []
    assert LINUX_X11 in bootstrap.missing_libraries(True, here, lambda: True)


def test_that_x11_comes_along_when_something_is_installed_anyway():
    missing = bootstrap.missing_libraries(False, lambda name: name not in ("libEGL.so.1", LINUX_X11), lambda: True)
    assert missing == ["libEGL.so.1", LINUX_X11]


def test_that_a_system_without_any_font_is_given_one():
    missing = bootstrap.missing_libraries(False, lambda name: True, lambda: False)
    assert [bootstrap.PACKAGES[name] for name in missing] == ["fonts-dejavu-core"]


def test_that_the_advice_names_the_exact_packages_of_the_system():
    missing = ["libEGL.so.1", LINUX_X11]
    assert "sudo apt-get install libegl1 libxcb-cursor0\n" in bootstrap.advice(missing, "apt-get")
    assert "sudo dnf install glib2 " in bootstrap.advice(missing, "dnf")
    assert "libEGL.so.1, libxcb-cursor.so.0" in bootstrap.advice(missing, None)


@pytest.mark.skipif(sys.platform != "linux", reason="system libraries are looked for on Linux alone")
def test_that_a_library_is_found_by_loading_it():
    assert bootstrap.loads("libc.so.6")
    assert not bootstrap.loads("libno-such-thing.so.1")


# ---- when nothing is to be done

def wish(root: Path, old=None, torch=None, extras=(), **more):
    return bootstrap.wished(old or bootstrap.Stamp(), torch, extras, root, **more)


def test_that_a_stamp_holds_while_nothing_changes(checkout: Path):
    first = wish(checkout, extras=["test"])
    assert wish(checkout, first, extras=["test"]) == first
    assert wish(checkout, first) == first, "what the tests brought need not leave for a run"


def test_that_a_change_of_the_project_the_python_the_place_the_torch_or_the_extras_ends_it(checkout: Path):
    first = wish(checkout)
    moved = checkout.with_name("elsewhere")
    shutil.copytree(checkout, moved)
    assert wish(moved, first) != first
    assert wish(checkout, first, python="3.99") != first
    assert wish(checkout, first, torch="cuda") != first
    assert wish(checkout, first, extras=["test"]) != first
    (checkout / "pyproject.toml").write_text('[project]\ndependencies = ["torch~=2.14.0"]\n')
    assert wish(checkout, first) != first


def test_that_a_choice_of_torch_stays_until_another_is_made(checkout: Path):
    chosen = wish(checkout, torch="cpu")
    assert wish(checkout, chosen) == chosen
    assert wish(checkout, chosen, torch="auto").torch == "auto"


@pytest.mark.parametrize("text", ["", "{", "7", "[1]", '["k", "auto", 3, "/"]', '{"key": 1}'])
def test_that_a_damaged_stamp_counts_as_none(tmp_path: Path, text: str):
    (tmp_path / "stamp").write_text(text)
    assert bootstrap.read_stamp(tmp_path / "stamp") == bootstrap.Stamp()
    assert bootstrap.read_stamp(tmp_path / "absent") == bootstrap.Stamp()


# ---- what the user is told

@pytest.mark.parametrize(("log", "words"), [
    ("ERROR: [Errno 28] No space left on device", "disk is full"),
    ("WARNING: Retrying ... NameResolutionError(...)\nERROR: No matching distribution found for x", "network"),
    ("ERROR: No matching distribution found for torch~=2.13.0", "no fitting build"),
    ("Read timed out.\n$ pip install\nERROR: something odd\nbye", "ERROR: something odd")])
def test_that_a_failed_installation_is_explained_by_its_last_command(log: str, words: str):
    assert words in bootstrap.explain(log)


def test_that_an_older_python_can_read_the_file_as_far_as_the_sentence_for_it():
    source = FILE.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    older = source.replace("sys.version_info < (3, 11)", "True", 1)
    answer = subprocess.run([sys.executable, "-c", older], capture_output=True, text=True, timeout=30)
    assert answer.returncode == 1
    assert answer.stderr.startswith("GPT Studio needs Python 3.11 or newer")
    assert len(answer.stderr.splitlines()) == 1


def test_that_help_explains_both_commands_and_sets_nothing_up(checkout: Path):
    answer = start(checkout, "--help")
    assert answer.returncode == 0
    assert {"run", "test", "--torch"} <= set(answer.stdout.replace(",", " ").split())
    assert not (checkout / ".venv").exists()


def test_that_a_damaged_venv_is_made_anew_and_a_failed_set_up_ends_with_plain_words(checkout: Path):
    """Without any package server the set-up gets as far as PyTorch; without PATH it finds no apt to use."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").write_text("half a file")
    answer = start(checkout, "run", "--torch", "default", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull,
                   PIP_FIND_LINKS="", PATH="")
    assert answer.returncode == 1
    assert "PyTorch could not be installed. There is no fitting build" in answer.stderr
    assert str(checkout / ".venv" / "install.log") in answer.stderr
    assert "Traceback" not in answer.stderr
    assert load(checkout / "packaging" / "bootstrap.py").read_stamp().key == "", "an unfinished set-up is not done"


def test_that_the_installed_project_is_found_whatever_the_locale_and_the_path(checkout: Path):
    copy = load(checkout / "packaging" / "bootstrap.py")
    packages = copy.VENV / "lib" / f"python{copy.VERSION}" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "_editable_impl_gptstudio.pth").write_text(str(checkout), encoding="utf-8")
    copy.link_by_relative_path()
    link = (packages / "_editable_impl_gptstudio.pth").read_text(encoding="utf-8").strip()
    assert link.isascii()
    assert (packages / link).resolve() == checkout.resolve()


# ---- what is started

def test_that_torch_may_stand_anywhere_and_all_else_stays_in_order():
    before = bootstrap.read_arguments(["--torch", "cpu", "run", "train", "--steps", "3", "--help"])
    after = bootstrap.read_arguments(["run", "train", "--steps", "3", "--torch=cpu", "--help"])
    assert before == after
    assert before.arguments == ["train", "--steps", "3", "--help"]


def test_that_a_tour_is_the_apps_own_command():
    options = bootstrap.read_arguments(["run", "--tour", "pictures"])
    assert bootstrap.app_arguments(options.arguments) == ["tour", "pictures"]
    assert bootstrap.app_arguments(["train", "--steps", "3"]) == ["train", "--steps", "3"]


def test_that_the_texts_beside_the_checkout_are_named_unless_the_user_did(checkout: Path, monkeypatch):
    copy = load(checkout / "packaging" / "bootstrap.py")
    monkeypatch.delenv("GPTSTUDIO_TEXTS", raising=False)
    assert "GPTSTUDIO_TEXTS" not in copy.environment()
    (checkout.parent / "shared" / "data").mkdir(parents=True)
    assert copy.environment()["GPTSTUDIO_TEXTS"] == str(checkout.parent / "shared" / "data")
    monkeypatch.setenv("GPTSTUDIO_TEXTS", "mine")
    assert copy.environment()["GPTSTUDIO_TEXTS"] == "mine"


@pytest.mark.skipif(os.name == "nt", reason="the stand-in for the installed Python is a shell script")
class TestOnceSetUp:
    """A second start, with a stand-in for the installed Python."""

    def test_that_it_starts_the_app_where_the_user_stands_and_passes_its_exit_code(self, checkout: Path):
        set_up_by_hand(checkout)
        (checkout.parent / "gptstudio.py").write_text(
            "import os, sys\nprint(sys.argv[1:], os.getcwd())\nsys.exit(37)\n")
        begun = time.monotonic()
        answer = start(checkout, "run", "--tour", "a b", LANG="C")
        assert time.monotonic() - begun < 2
        assert answer.stdout == f"{['tour', 'a b']} {checkout.parent}\n"
        assert answer.returncode == 37

    def test_that_all_checks_run_though_one_fails_and_pytest_has_the_last_word(self, checkout: Path):
        set_up_by_hand(checkout, "test")
        for tool in ("ruff", "mypy", "lint-imports", "pytest"):
            file = checkout / ".venv" / "bin" / tool
            file.write_text(f'#!/bin/sh\necho {tool} "$@" "[$OMP_NUM_THREADS]"\n[ {tool} != mypy ]\n')
            file.chmod(0o755)
        answer = start(checkout, "test", OMP_NUM_THREADS="7")
        assert answer.stdout.splitlines() == ["ruff check . []", "mypy []", "lint-imports []", "pytest -n 2 []"]
        assert "Not clean, see above: mypy\n" in answer.stderr
        assert answer.returncode == 1
        only = start(checkout, "test", "-n", "4", "tests/gpt")
        assert (only.stdout, only.returncode) == ("pytest -n 4 tests/gpt []\n", 0)
