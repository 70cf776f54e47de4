"""The workflows that run the tests and make the installers: they cannot run here, so their references are checked."""

import os
import re
import subprocess
from importlib import import_module
from pathlib import Path

import build
import macos
import pytest
import yaml  # huggingface_hub brings it
from places import ROOT
from try_artefacts import CHECKS
from windows import signing

from gptstudio import paths
from gptstudio.data import texts

FOLDER = ROOT / ".github" / "workflows"
FILE = FOLDER / "installers.yml"
FILES = sorted(FOLDER.glob("*.yml"))
RUNNERS = {"linux": "ubuntu-22.04", "windows": "windows-2022", "macos": "macos-15"}
TRIED_ON = {
    ("linux", "ubuntu-24.04"), ("windows", "windows-2025"), ("windows", "windows-11-arm"), ("macos", "macos-26"),
}

# Keys of a workflow, a job and a step, and the required ones: GitHub's reference of the workflow syntax.
ON = "on"
WORKFLOW = {"name", "run-name", ON, "permissions", "env", "defaults", "concurrency", "jobs"}
JOB = {
    "name", "permissions", "needs", "if", "runs-on", "environment", "concurrency", "outputs", "env", "defaults",
    "steps", "timeout-minutes", "strategy", "continue-on-error", "container", "services",
}
STEP = {
    "id", "if", "name", "uses", "run", "working-directory", "shell", "with", "env", "continue-on-error",
    "timeout-minutes",
}


def read(file: Path) -> dict:
    """Return a workflow; YAML 1.1 reads its key ``on`` as true."""
    values = yaml.safe_load(file.read_text(encoding="utf-8"))
    return {ON if key is True else key: value for key, value in values.items()}


def steps_of(workflow: dict) -> list[dict]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.fixture(scope="module")
def workflow() -> dict:
    return read(FILE)


@pytest.fixture(scope="module")
def steps(workflow: dict) -> list[dict]:
    return steps_of(workflow)


@pytest.fixture(params=FILES, ids=lambda file: file.name)
def each(request) -> dict:
    """Each of the workflows."""
    return read(request.param)


def commands(steps: list[dict]) -> str:
    return "\n".join(step.get("run", "") for step in steps)


# Both


def test_that_its_keys_are_known_to_github(each: dict):
    assert {ON, "jobs"} <= set(each) <= WORKFLOW
    for job in each["jobs"].values():
        assert {"runs-on", "steps"} <= set(job) <= JOB
        needs = job.get("needs", [])
        assert {*([needs] if isinstance(needs, str) else needs)} <= set(each["jobs"])
        for step in job["steps"]:
            assert set(step) <= STEP
            assert ("uses" in step) != ("run" in step)
            assert ("with" in step) <= ("uses" in step)
            assert ("shell" in step) <= ("run" in step)


def test_that_the_values_it_uses_are_in_its_matrix(each: dict):
    for job in each["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        given = set(matrix) - {"include"} | {key for entry in matrix.get("include", []) for key in entry}
        assert set(re.findall(r"matrix\.(\w+)", str(job))) <= given


def test_that_every_file_that_a_command_starts_exists_and_accepts_its_arguments(each: dict):
    scripts = re.findall(r"^\s*python3? (\S+\.py)(.*)$", commands(steps_of(each)), re.MULTILINE)
    assert scripts
    for script, words in scripts:
        assert (ROOT / script).is_file(), script
        import_module((ROOT / script).stem).read_arguments(words.partition(">")[0].split())


@pytest.mark.skipif(os.name == "nt", reason="Windows' bash is not always there")
def test_that_every_shell_script_in_it_can_be_parsed_by_the_shell(each: dict):
    for step in steps_of(each):
        if "run" in step and step.get("shell") != "pwsh":
            script = re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
            read = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, timeout=20)
            assert read.returncode == 0, f"{step.get('name')}: {read.stderr}"


def test_that_it_uses_the_python_that_the_program_needs(each: dict):
    asked = [step["with"]["python-version"] for step in steps_of(each) if "setup-python" in step.get("uses", "")]
    assert asked
    assert set(asked) <= {"3.11", "${{ matrix.python }}"}


# The tests


def test_that_the_tests_run_on_every_system_at_every_push_and_those_of_a_release_at_a_tag():
    tests = read(FOLDER / "tests.yml")
    assert {"push", "pull_request"} <= set(tests[ON])
    assert not tests[ON]["push"], "whatever is pushed"
    test, release = tests["jobs"]["test"], tests["jobs"]["release"]
    matrix = test["strategy"]["matrix"]
    runners = {*matrix["runner"], *(each["runner"] for each in matrix["include"])}
    assert runners == {*RUNNERS.values(), *(runner for _, runner in TRIED_ON)}
    assert {*matrix["python"], *(each["python"] for each in matrix["include"])} == {"3.11", "3.14"}
    assert not test["strategy"]["fail-fast"]
    assert test["steps"][-1]["run"] == "python packaging/bootstrap.py test"
    assert release["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert release["steps"][-1]["run"].startswith("python packaging/bootstrap.py test -m release")


def test_that_the_tests_have_the_verdict_where_they_look_for_it(monkeypatch, tmp_path):
    tests = read(FOLDER / "tests.yml")
    names = {name: value.replace("${{ github.workspace }}", str(tmp_path)) for name, value in tests["env"].items()}
    monkeypatch.setenv("GPTSTUDIO_HOME", names["GPTSTUDIO_HOME"])
    assert str(paths.texts()) == names["GPTSTUDIO_TEXTS"]
    for job in (tests["jobs"]["test"], tests["jobs"]["release"]):
        scripts = [step.get("run", "") for step in job["steps"]]
        (fetching,) = (number for number, script in enumerate(scripts) if "texts.fetch_verdict()" in script)
        assert fetching < len(scripts) - 1
    assert texts.VERDICT_FILE in commands(steps_of(tests))


# The installers


def test_that_it_builds_on_three_systems_of_which_ubuntu_is_the_oldest_supported(workflow: dict):
    runners = {each["system"]: each["runner"] for each in workflow["jobs"]["make"]["strategy"]["matrix"]["include"]}
    assert runners == RUNNERS


def test_that_they_are_made_by_the_same_command(steps: list[dict]):
    assert "python packaging/build.py" in commands(steps)


def test_that_every_step_is_for_an_existing_system(workflow: dict, steps: list[dict]):
    systems = {each["system"] for each in workflow["jobs"]["make"]["strategy"]["matrix"]["include"]}
    named = {name for step in steps for name in re.findall(r"matrix\.system == '(\w+)'", str(step.get("if", "")))}
    assert named <= systems


def test_that_each_system_installs_tries_and_removes_its_files_and_others_do_the_same(workflow: dict):
    jobs = workflow["jobs"]
    for job in ("make", "try"):
        assert "python packaging/try_artefacts.py" in commands(jobs[job]["steps"])
    others = {(each["system"], each["runner"]) for each in jobs["try"]["strategy"]["matrix"]["include"]}
    assert others == TRIED_ON
    assert set(CHECKS) == set(build.SYSTEMS)


def test_that_a_release_is_a_draft_with_the_notes_of_the_changelog_after_all_trials(workflow: dict):
    job = workflow["jobs"]["release"]
    assert job["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert job["needs"] == ["make", "try"]
    assert "--draft --notes-file notes.md" in commands(job["steps"])


def test_that_the_origin_of_files_is_attested_with_the_needed_rights(workflow: dict, steps: list[dict]):
    assert any("attest-build-provenance" in step.get("uses", "") for step in steps)
    assert workflow["permissions"] == {"contents": "read", "id-token": "write", "attestations": "write"}


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
