"""A small sweep, trained as the program trains one, and its results."""

import json
from collections.abc import Callable
from pathlib import Path

from gptstudio.training.control import Control
from gptstudio.training.events import Event, StepDone
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_runner import MemberEnd, SweepFolder, SweepRunner
from gptstudio.training.sweep_spec import SweepSpec, members

RATES = (0.001, 0.01)


def small_sweep(base: TrainSpec, name: str = "rates", seeds: tuple[int, ...] = (1, 2), **vary) -> SweepFolder:
    """Return a sweep of two learning rates with two seeds, unless other values are given."""
    return SweepFolder.open_or_create(SweepSpec.make(name, base, vary or {"learning_rate": RATES}, seeds))


def sweep_file(folder: Path, name: str = "rates", text: str = "story", **training: object) -> Path:
    """Write the same sweep as a file for the command, and return its path."""
    settings = {"text": [text], "steps": 3, "eval_freq": 2, "sample_tokens": 1, "device": "cpu"} | training
    parts = {
        "model": {"context_length": 16, "emb_dim": 8, "n_heads": 2, "n_layers": 1}, "training": settings,
        "vary": {"learning_rate": RATES},
    }
    lines = [f"name = {json.dumps(name)}", "seeds = [1, 2]"]
    for part, values in parts.items():
        lines += [f"[{part}]", *(f"{key} = {json.dumps(value)}" for key, value in values.items())]
    file = folder / "sweep.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def train_all(
    sweep: SweepFolder, sink: Callable[[Event], object] = lambda _: None, control: Control | None = None
) -> list[MemberEnd]:
    """Train the open members, as the command does, until the queue waits or is stopped; ``control`` is of the first
    run."""
    runner, ends = SweepRunner(sweep), []
    with sweep.writing():
        while member := runner.next():
            start = runner.prepare(member)
            end = start if isinstance(start, MemberEnd) else runner.train(
                member, start, control or Control(), [lambda event: sink(event) and None])
            ends.append(end)
            control = None
            if not runner.may_go_on_after(end):
                break
    return ends


def stop_in_the_middle(sweep: SweepFolder) -> None:
    """Train the first step of the sweep, and stop."""
    control = Control()
    train_all(sweep, lambda event: isinstance(event, StepDone) and control.stop(), control)


def statuses(sweep: SweepFolder) -> list[str]:
    """Return the status of each member in the planned order."""
    queue = sweep.queue()
    return [queue.status(member.id) for member in members(sweep.record().spec)]


def journals(sweep: SweepFolder) -> dict[str, list[str]]:
    """Return the lines of each member's journal, except clocks and memory."""
    from whole_runs import journal_lines  # a module of the tests of training

    queue, found = sweep.queue(), {}
    for member in members(sweep.record().spec):
        run = sweep.run_of(queue, member)
        assert run, member.label
        found[member.label] = journal_lines(run)
    return found
