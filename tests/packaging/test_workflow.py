"""The workflow that makes the installers: it runs nowhere here, so it is held to what it names."""

import os
import re
import subprocess
from importlib import import_module

import macos
import pytest
import yaml  # huggingface_hub brings it
from places import ROOT
from windows import signing

FILE = ROOT / ".github" / "workflows" / "installers.yml"


@pytest.fixture(scope="module")
def workflow() -> dict:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def steps(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def commands(steps: list[dict]) -> str:
    return "\n".join(step.get("run", "") for step in steps)


def test_that_it_builds_on_three_systems_of_which_ubuntu_is_the_oldest_supported(workflow: dict):
    runners = {each["system"]: each["runner"] for each in workflow["jobs"]["make"]["strategy"]["matrix"]["include"]}
    assert runners == {"linux": "ubuntu-22.04", "windows": "windows-latest", "macos": "macos-15"}


def test_that_every_file_that_a_command_starts_is_there_and_takes_its_words(steps: list[dict]):
    scripts = re.findall(r"^\s*python3? (\S+\.py)(.*)$", commands(steps), re.MULTILINE)
    assert ("packaging/build.py", "") in scripts
    for script, words in scripts:
        assert (ROOT / script).is_file(), script
        import_module((ROOT / script).stem).read_arguments(words.split())


def test_that_every_step_is_for_a_system_that_there_is(workflow: dict, steps: list[dict]):
    systems = {each["system"] for each in workflow["jobs"]["make"]["strategy"]["matrix"]["include"]}
    named = {name for step in steps for name in re.findall(r"matrix\.system == '(\w+)'", str(step.get("if", "")))}
    assert named == systems
    assert set(re.search(r"for system in ([\w ]+);", commands(steps))[1].split()) == systems


def test_that_each_system_installs_tries_and_removes_what_it_made(steps: list[dict]):
    tried = [step["run"] for step in steps if step.get("name", "").startswith("Install without a word")]
    assert len(tried) == 4
    assert all("--selftest" in run for run in tried)
    artefacts = "\n".join(tried)
    for pattern in ("gptstudio_*_amd64.deb", "gptstudio-*-linux-x86_64.run", "gptstudio-*-windows-x86_64.exe",
                    "gptstudio-*-macos-arm64.dmg"):
        assert pattern in artefacts


def test_that_the_variables_it_sets_are_those_that_the_signing_steps_read(steps: list[dict]):
    given = set(re.findall(r'"(GPTSTUDIO_\w+)=', commands(steps)))
    read = {*re.findall(r"GPTSTUDIO_\w+", signing.__doc__), *re.findall(r"GPTSTUDIO_\w+", macos.__doc__)}
    assert given <= read
    assert {"GPTSTUDIO_CERTIFICATE", "GPTSTUDIO_MAC_IDENTITY", *macos.NOTARY} <= given


def test_that_the_secrets_are_named_in_the_readme(steps: list[dict]):
    readme = (ROOT / "packaging" / "README.md").read_text(encoding="utf-8")
    secrets = set(re.findall(r"secrets\.(\w+)", FILE.read_text(encoding="utf-8")))
    assert len(secrets) == 8
    assert [name for name in secrets if f"`{name}`" not in readme] == []


@pytest.mark.skipif(os.name == "nt", reason="Windows' bash is not always there")
def test_that_every_shell_script_in_it_can_be_read_by_the_shell(steps: list[dict]):
    for step in steps:
        if "run" in step and step.get("shell") != "pwsh":
            script = re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
            read = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, timeout=20)
            assert read.returncode == 0, f"{step.get('name')}: {read.stderr}"


def test_that_it_asks_for_the_python_that_the_program_needs(steps: list[dict]):
    asked = next(step["with"]["python-version"] for step in steps if "setup-python" in step.get("uses", ""))
    assert asked == "3.11"
