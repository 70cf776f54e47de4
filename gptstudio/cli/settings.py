"""``gptstudio settings``: the settings for all users of this computer, and their faults. No Qt, no torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich import box
from rich.prompt import Confirm
from rich.table import Table
from rich.text import Text

from gptstudio import paths, settings_file
from gptstudio import settings as computer
from gptstudio.app import computer_check
from gptstudio.app.computer_check import Finding, lesson_faults
from gptstudio.cli import output
from gptstudio.cli.arguments import Json, check_used, switch, user_path
from gptstudio.errors import Fault

WRONG = 2
"""Exit code for a file with faults, or a computer that is not ready."""

Which = Annotated[Path | None, Parameter(
    help="The file to check; by default, the file in use.", converter=user_path)]
Check = Annotated[bool, switch(
    "Check if this computer is ready for a class: settings, texts, all steps and runs of the lesson, disk, memory.")]
Measure = Annotated[bool, switch("As --check, and measure how long the lesson's runs take here, in some seconds.")]
Rehearse = Annotated[bool, switch(
    "As --check, and go through the lesson in a hidden window as a learner would; takes as long as its runs.")]
ResetClass = Annotated[bool, switch(
    "Pack runs, session and progress in lessons into one zip in the folder that the settings name as reset, and remove "
    "them.")]
Yes = Annotated[bool, switch("Do not ask before --reset-class.")]
Controls = Annotated[bool, switch("List the names of all controls that can be locked or hidden.")]


def settings(
    file: Which = None, *, check: Check = False, measure: Measure = False, rehearse: Rehearse = False,
    reset_class: ResetClass = False, yes: Yes = False, controls: Controls = False, json: Json = False,
) -> int:
    """Show and check the settings for all users of this computer."""
    checks = {"--check": check, "--measure": measure, "--rehearse": rehearse}
    check_used({"--yes": yes and not reset_class}, needed="--reset-class")
    if controls:
        check_used({str(file): file, **checks, "--reset-class": reset_class}, beside="--controls")
        _print_controls(json)
        return 0
    found = computer.load(file) if file else computer.in_force()
    if reset_class:
        check_used({**checks, "--json": json}, beside="--reset-class")
        return _reset(found, yes)
    if check or measure or rehearse:
        if measure:
            computer_check.measure(found)
        ready = _check(found, json)
        return _rehearse(found, json) or ready if rehearse else ready
    faults = sorted((*found.faults, *found.missing_paths(), *lesson_faults(found)))
    _print_json(found, faults) if json else _print(found, faults)
    return WRONG if faults else 0


def _check(found: computer.Settings, json: bool) -> int:
    """Print the findings about this computer; return the exit code, 0 if it is ready."""
    findings = computer_check.check(found)
    ready = all(finding.ready for finding in findings)
    if json:
        output.print_json({"ready": ready, "findings": [_as_json(finding) for finding in findings]})
        return 0 if ready else WRONG
    for finding in findings:
        output.line(f"{finding.name}: {finding.seen}", "" if finding.ready else "red")
        if finding.problem:
            output.line(f"  {finding.problem}", "red")
        apart = finding.faults and str(finding.file) != finding.seen
        if apart:
            output.line(f"  {finding.file}", "red")
        for line in _lines(finding):
            output.line(f"    {line}" if apart else f"  {line}", "red")
    output.line(*("This computer is ready.", "green") if ready else ("This computer is not ready: see above.", "red"))
    return 0 if ready else WRONG


def _rehearse(found: computer.Settings, json: bool) -> int:
    """Run through the lesson in a separate process with these settings and its own home folder; return the exit
    code."""
    if not found.file:
        output.note("No settings file is in use, so there is no lesson to rehearse.", "red")
        return WRONG
    output.flush()
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "gptstudio"]
    command = [*program, "--rehearse", str(found.file), *(["--json"] if json else [])]
    return subprocess.run(command, check=False).returncode  # noqa: S603


def _reset(found: computer.Settings, yes: bool) -> int:
    """Move the work of a class away; return the exit code, 0 if that was done."""
    from gptstudio.app import class_reset

    if not found.reset:
        output.note("The settings do not name where to: add reset = \"FOLDER\" or reset = \"trash\".", "red")
        return WRONG
    if found.reset == class_reset.TRASH:
        output.note("Only the window moves to the trash: use Reset for the next class in its File menu, or name a "
                    "folder as reset in the settings.", "red")
        return WRONG
    work = class_reset.find()
    output.line(str(work.summary()))
    if not (yes or Confirm.ask(f"Move all of this to {found.reset}?", default=False)):
        return WRONG
    path = class_reset.pack(work, Path(found.reset))
    output.line(str(path))
    class_reset.remove(work, path)
    output.line("This computer is ready for the next class.", "green")
    return 0


def _lines(finding: Finding) -> list[str]:
    return [str(fault.message()) for fault in finding.faults]


def _as_json(finding: Finding) -> dict[str, Any]:
    """Return a finding with its faults, whose text is also in ``problem``."""
    return {
        "name": finding.name, "seen": finding.seen,
        "problem": "\n".join(filter(None, [finding.problem, *_lines(finding)])),
        "faults": [{"file": str(finding.file), **_fault(fault)} for fault in finding.faults],
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {"line": fault.line or None, "message": str(fault.what)}


def _values(found: computer.Settings) -> dict[str, Any]:
    """Return the settings that have values, keyed as in the file."""
    return {key: value for key in computer.KEYS if (value := getattr(found, key))}


def _print(found: computer.Settings, faults: list[Fault]) -> None:
    console = output.results()
    if not found.file:
        console.print("No settings file is in use. GPT Studio looks for one at:")
        for place in paths.settings():
            output.line(f"  {place}")
        return
    output.line(str(found.file), "bold")
    console.print(_table(
        (name, ", ".join(value) if isinstance(value, tuple) else str(value)) for name, value in _values(found).items()
    ))
    for fault in faults:
        output.line(fault.message(), "red")
    if not faults:
        console.print("No problems found in this file.", style="green")


def _print_json(found: computer.Settings, faults: list[Fault]) -> None:
    output.print_json({
        "file": found.file and str(found.file), **_values(found),
        "faults": [_fault(fault) for fault in faults],
    })


def _print_controls(json: bool) -> None:
    if json:
        for heading, names in settings_file.controls().items():
            for name, message in names.items():
                output.print_json({"place": heading, "name": name, "control": message})
        return
    console = output.results()
    for heading, names in settings_file.controls().items():
        console.print(Text(heading, "bold"))
        console.print(_table(names.items()))


def _table(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table(box=box.SIMPLE, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, message in rows:
        table.add_row(Text(name), Text(message))
    return table
