"""The choice of a build of PyTorch and of its source. Nothing here needs a network."""

import platform
import sys
import time
from pathlib import Path

import children
import pytest
import torch_build

TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
REQUIREMENT = "torch~=2.13.0"
REAL_SERVER_FILES = torch_build.server_files


def wheel(version: str, tag: str = TAG, machine: str = platform.machine()) -> str:
    return f"torch-{version}-{tag}-{tag}-manylinux_2_28_{machine}.whl"


def plans(kind: str, *folders: Path, system: str = "linux") -> list:
    return list(torch_build.plans(kind, REQUIREMENT, list(folders), system))


@pytest.fixture(autouse=True)
def server(monkeypatch) -> dict:
    """The answers of PyTorch's server, at first none. The requested pages are listed under asked."""
    answers = {"asked": []}

    def server_files(page: str) -> list:
        answers["asked"].append(page)
        return answers.get(page, [])

    monkeypatch.setattr(torch_build, "server_files", server_files)
    return answers


def test_that_the_projects_own_requirement_can_be_parsed():
    requirement = torch_build.torch_requirement()
    floor = requirement.partition("~=")[2]
    assert torch_build.fits(f"{floor}+cpu", requirement)
    assert not torch_build.fits("1.0", requirement)


@pytest.mark.parametrize(("version", "expected"), [
    ("2.13.0", True), ("2.13.0+cpu", True), ("2.13.4+cu130", True),
    ("2.12.9", False), ("2.14.0", False), ("3.0.0", False), ("", False)])
def test_that_a_version_is_accepted_only_within_its_series(version: str, expected: bool):
    assert torch_build.fits(version, REQUIREMENT) is expected


@pytest.mark.parametrize(("choice", "gpu", "expected"), [
    ("auto", True, "cuda"), ("auto", False, "cpu"), ("cpu", True, "cpu"), ("cuda", False, "cuda"),
    ("default", True, "default")])
def test_that_a_choice_has_priority_over_detection(choice: str, gpu: bool, expected: str, monkeypatch):
    monkeypatch.setattr(torch_build, "has_nvidia_gpu", lambda: gpu)
    assert torch_build.kind_of_build(choice)[0] == expected


def test_that_for_the_cpu_a_wheel_of_this_machine_is_first(tmp_path: Path):
    for version in ("2.12.1+cpu", "2.13.0+cpu", "2.13.10+cpu", "2.13.9+cpu"):
        (tmp_path / wheel(version)).touch()
    words, arguments = plans("cpu", tmp_path)[0]
    assert arguments == ["-f", str(tmp_path), "torch==2.13.10+cpu"]
    assert "CPU" in words


def test_that_a_wheel_for_another_python_or_machine_is_ignored(tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu", tag="cp27")).touch()
    (tmp_path / wheel("2.13.0+cpu", machine="sparc64")).touch()
    (tmp_path / wheel("2.13.0")).touch()
    assert [arguments for _, arguments in plans("cpu", tmp_path)] == [[REQUIREMENT]]


def test_that_pytorchs_server_is_not_asked_while_a_local_wheel_suffices(tmp_path: Path, server: dict):
    (tmp_path / wheel("2.13.0+cpu")).touch()
    ways = torch_build.plans("cpu", REQUIREMENT, [tmp_path], "linux")
    next(ways)
    assert server["asked"] == []
    next(ways)
    assert server["asked"] == ["cpu/torch/"]


def test_that_pytorchs_server_is_second_and_pinned_exactly(server: dict):
    server["cpu/torch/"] = [wheel("2.13.0+cpu")]
    (_, arguments), last = plans("cpu")
    assert arguments == ["--extra-index-url", "https://download.pytorch.org/whl/cpu", "torch==2.13.0+cpu"]
    assert last[1] == [REQUIREMENT]


def test_that_an_unreachable_server_leaves_the_default_build_and_its_size_is_reported():
    (words, arguments), = plans("cpu")
    assert arguments == [REQUIREMENT]
    assert "no CPU build is available" in words
    assert "GB" in words


@pytest.mark.parametrize(("kind", "expected"), [
    ("cuda", ["torch~=2.13.0,!=2.13.0+cpu"]),  # it is not wanted
    ("cpu", ["torch~=2.13.0,!=2.13.0+cpu"]),  # it did not work
    ("default", [REQUIREMENT])])
def test_that_the_default_build_is_a_local_cpu_wheel_only_when_pip_may_choose(
        kind: str, expected: list, tmp_path: Path):
    (tmp_path / wheel("2.13.0+cpu")).touch()
    assert plans(kind, tmp_path)[-1][1] == expected


@pytest.mark.parametrize(("system", "kind"), [("darwin", "cpu"), ("darwin", "cuda"), ("win32", "cpu")])
def test_that_macos_and_a_windows_without_gpu_take_the_default_build(system: str, kind: str):
    assert plans(kind, system=system) == [("the default build", [REQUIREMENT])]


def test_that_a_windows_with_a_gpu_looks_for_cuda_on_pytorchs_server(server: dict, monkeypatch):
    server["torch/"] = [wheel("2.13.0+cpu"), wheel("2.13.0+cu126")]
    monkeypatch.setattr(torch_build, "ask", lambda *command: "CUDA Version: 12.8")
    (_, arguments), last = plans("cuda", system="win32")
    assert arguments == ["--extra-index-url", "https://download.pytorch.org/whl/cu126", "torch==2.13.0+cu126"]
    assert last[1] == [REQUIREMENT]


@pytest.mark.parametrize(("report", "expected"), [
    ("| Driver Version: 560.94   CUDA Version: 12.6 |", ["2.13.0+cu126"]),
    ("| Driver Version: 591.01   CUDA UMD Version: 13.1 |", ["2.13.0+cu130"]),
    ("CUDA Version: 11.8", []), ("", ["2.13.0+cu130"])])
def test_that_windows_takes_the_newest_cuda_that_its_driver_supports(report: str, expected: list):
    assert torch_build.newest_cuda(["2.13.0+cu130", "2.13.0+cu126"], report) == expected


def test_that_the_wheel_folders_are_the_existing_ones_of_pips_configuration(tmp_path: Path):
    config = f""":env:.find-links='{tmp_path}'
global.extra-index-url='file:///somewhere'
global.find-links='\\nfile://{tmp_path}\\n/no/such/folder'"""
    assert torch_build.wheel_folders(config) == [tmp_path]


def test_that_a_server_that_refuses_is_given_up_at_once(monkeypatch):
    monkeypatch.setattr(torch_build, "SERVER", "http://127.0.0.1:9")
    begun = time.monotonic()
    assert REAL_SERVER_FILES("torch/") == []
    assert time.monotonic() - begun < 2


def install_torch(monkeypatch, works: str) -> tuple[str, list]:
    """Install the CPU build where only one plan works; return the installed version and the tried plans."""
    tried = []
    monkeypatch.setattr(torch_build, "ask", lambda *command: "")  # pip has no configuration
    monkeypatch.setattr(torch_build, "plans", lambda *_: iter([("one", ["first"]), ("another", ["second"])]))
    monkeypatch.setattr(torch_build, "pip", lambda _, plan: tried.append(plan) or plan == works)
    monkeypatch.setattr(torch_build, "torch_version", lambda: "2.13.0" if works in tried else "")
    monkeypatch.setattr(torch_build, "torch_requirement", lambda: REQUIREMENT)
    return torch_build.install_torch("cpu"), tried


@pytest.mark.parametrize(("works", "expected"), [("first", ["first"]), ("second", ["first", "second"])])
def test_that_after_a_failed_plan_the_next_is_tried(works: str, expected: list, monkeypatch):
    assert install_torch(monkeypatch, works) == ("2.13.0", expected)


def test_that_it_is_an_error_when_no_plan_works(monkeypatch, tmp_path: Path):
    (tmp_path / "log").write_text("$ pip\nERROR: something odd")
    monkeypatch.setattr(children, "LOG", tmp_path / "log")
    with pytest.raises(children.SetupError, match=r"PyTorch could not be installed\. .* something odd"):
        install_torch(monkeypatch, "none")
