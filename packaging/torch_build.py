"""Choice of the PyTorch build to install, and its source: a wheel folder, PyTorch's own server, or pip's default."""

import ast
import os
import platform
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from children import ask, failure, pip, say
from places import PYTHON, ROOT, VERSION

CHOICES = ("auto", "cpu", "cuda", "default")
SERVER = "https://download.pytorch.org/whl"
Plan = tuple[str, list[str]]  # one source of PyTorch: its description for the user, and the arguments of pip


def install_torch(choice: str) -> str:
    """Install PyTorch from the first source that works, unless a suitable build is installed; return its version."""
    requirement = torch_requirement()
    if fits(torch_version(), requirement):
        return torch_version()
    kind, why = kind_of_build(choice)
    folders = wheel_folders(ask(PYTHON, "-m", "pip", "config", "list"))
    for words, arguments in plans(kind, requirement, folders):
        say(f"PyTorch ({why}): installing {words}.\n"
            f"  To choose another build: --torch {'|'.join(CHOICES)}")
        if pip("install", *arguments):
            return torch_version()
    raise failure("PyTorch could not be installed.")


def torch_requirement() -> str:
    """Return the line of pyproject.toml that requires PyTorch."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return next(str(line) for line in project["dependencies"] if re.match(r"torch\b(?!-)", line))


def torch_version() -> str:
    """Return the version of PyTorch in the environment; empty if there is none."""
    return ask(PYTHON, "-c", "from importlib.metadata import version; print(version('torch'))").strip()


def kind_of_build(choice: str) -> tuple[str, str]:
    """Return the kind of build to look for, and the reason."""
    if choice != "auto":
        return choice, "as chosen"
    return ("cuda", "an NVIDIA GPU was found") if has_nvidia_gpu() else ("cpu", "no NVIDIA GPU was found")


def has_nvidia_gpu() -> bool:
    """Return whether an NVIDIA driver is loaded; on Linux this is usually known without starting a program."""
    files = ("/proc/driver/nvidia/version", "/dev/nvidia0")
    return any(Path(file).exists() for file in files) or "GPU 0" in ask("nvidia-smi", "-L")


def plans(kind: str, requirement: str, folders: list[Path], system: str = sys.platform) -> Iterator[Plan]:
    """Yield the possible sources of PyTorch, the best first; a later one is looked up only if the earlier ones
    failed."""
    local, lack = local_builds(folders, requirement), ""
    if (system, kind) == ("linux", "cpu"):
        lack = ", since no CPU build is available"
        for version, folder in local:
            yield f"the CPU build {version} from {folder}", ["-f", str(folder), f"torch=={version}"]
        yield from map(server_plan, builds(server_files("cpu/torch/"), "cpu", requirement)[-1:])
    elif (system, kind) == ("win32", "cuda"):
        lack = ", since no CUDA build is available"
        listed = builds(server_files("torch/"), r"cu\d+", requirement)
        yield from map(server_plan, newest_cuda(listed, ask("nvidia-smi")))
    if system == "linux" and kind != "default":  # pip would prefer a local 2.13.0+cpu to 2.13.0
        requirement = ",!=".join([requirement, *dict.fromkeys(version for version, _ in local)])
    # Of the default builds, only the one for Linux includes CUDA.
    size = " (with CUDA, 2.7 GB to download)" if system == "linux" else ""
    yield f"the default build{size}{lack}", [requirement]


def server_plan(version: str) -> Plan:
    """Return the source for a build from the folder of PyTorch's server for its kind."""
    index = f"{SERVER}/{version.partition('+')[2]}"
    return f"the build {version} from {index}", ["--extra-index-url", index, f"torch=={version}"]


def wheel_folders(pip_config: str) -> list[Path]:
    """Return the wheel folders in the output of `pip config list`, from its settings and PIP_FIND_LINKS."""
    values = re.findall(r"^\S*\.find-links=(.+)$", pip_config, re.MULTILINE)
    places = [place.removeprefix("file://") for value in values for place in ast.literal_eval(value).split()]
    return [Path(place) for place in dict.fromkeys(places) if os.path.isdir(place) and os.access(place, os.R_OK)]


def local_builds(folders: list[Path], requirement: str) -> list[tuple[str, Path]]:
    """Return the CPU builds in wheel folders, the newest first."""
    found = [(version, folder) for folder in folders for version in builds(os.listdir(folder), "cpu", requirement)]
    return sorted(found, key=lambda pair: release(pair[0]), reverse=True)


def server_files(page: str) -> list[str]:
    """Return the wheel files on a page of PyTorch's server; none if it does not answer in time."""
    from http.client import HTTPException  # imported here, since later starts do not need it
    from urllib.parse import unquote
    from urllib.request import Request, urlopen

    try:
        headers = {"User-Agent": "GPT Studio"}
        with urlopen(Request(f"{SERVER}/{page}", headers=headers), timeout=5) as answer:  # noqa: S310 - SERVER is https
            text = answer.read().decode("utf-8", "replace")
    except (OSError, HTTPException):
        return []
    return [unquote(name) for name in re.findall(r"torch-[^\"'<>#/]+\.whl", text)]


def builds(files: list[str], label: str, requirement: str) -> list[str]:
    """Return the versions of torch among suitable wheel files, the newest last. ``label`` follows the plus sign."""
    python = f"cp{VERSION.replace('.', '')}"
    wheel = re.compile(rf"torch-([\d.]+\+{label})-{python}-{python}-(?:[\w.]+_)?{platform.machine()}\.whl", re.I)
    versions = {match[1] for match in map(wheel.fullmatch, files) if match}
    return sorted((version for version in versions if fits(version, requirement)), key=release)


def newest_cuda(versions: list[str], driver_report: str) -> list[str]:
    """Return the build (one or none) with the newest CUDA that the driver supports according to nvidia-smi."""
    known = re.search(r"CUDA (?:\w+ )?Version:\s*(\d+)\.(\d+)", driver_report)
    limit = int(known[1] + known[2]) if known else 9999
    numbers = {int(version.partition("+cu")[2]): version for version in versions}  # 2.13.0+cu126: 126
    return [numbers[number] for number in sorted(numbers) if number <= limit][-1:]


def fits(version: str, requirement: str) -> bool:
    """Return whether a version satisfies a requirement of the form torch~=2.13.0."""
    floor = release(requirement.partition("~=")[2])
    return bool(floor) and release(version)[:len(floor) - 1] == floor[:-1] and release(version) >= floor


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of a version: (2, 13, 0) for 2.13.0+cpu."""
    return tuple(int(part) for part in re.findall(r"\d+", re.split(r"[^\d.]", version.strip())[0]))
