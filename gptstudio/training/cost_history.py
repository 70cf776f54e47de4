"""Measured costs of earlier runs and calibrations on this computer: memory and seconds per step. No torch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, ValidationError

from gptstudio import devices, files, paths
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import TrainMemory, train_memory
from gptstudio.i18n import Message, from_parts, message, to_parts
from gptstudio.training.events import Ended, Event
from gptstudio.training.optimizers import OptimizerName, chosen
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:  # brings numpy, which a command line can do without
    from gptstudio.training.corpus import Plan

MAX_ENTRIES = 200
"""Entries kept, the newest; some 100 kB."""
MIN_CORRECTION, MAX_CORRECTION = 0.5, 2.0
"""Bounds of a correction. The formula was never so far off; a measurement that says so met something else."""
MAX_SIZE_RATIO = 10
"""Factor up to which a run corrects the times of larger runs: in a small one, constant costs weigh too much."""

MIN_STEPS = 10
"""A run of fewer steps says little of how long another takes."""

EVALUATED_TOKENS = 1_024
"""Tokens that an evaluation on the fast path reads in one pass, at least a batch: what a layer computes of them stays
in the processor's cache."""

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Workload(_Kept):
    """All that decides what a training step costs on one device."""

    config: GPTConfig
    batch_size: int
    accumulation: int
    path: Literal["reference", "fast"]
    bf16: bool
    freeze: tuple[sizing.Part, ...] = ()
    freeze_blocks: int = 0
    recompute_activations: bool = False
    optimizer: OptimizerName = "adamw"
    momentum: float = 0.9
    nesterov: bool = False

    @classmethod
    def of(cls, spec: TrainSpec, device: Device) -> Workload:
        made = {"bf16": spec.uses_bf16(device.fast_bf16)} | spec.chosen_optimizer.cost_settings()
        apart = {"bf16", "momentum", "nesterov"}
        return cls(**{name: getattr(spec, name) for name in cls.model_fields if name not in apart} | made)

    def memory(self, kind: str) -> TrainMemory:
        """By the formula alone."""
        return train_memory(
            self.config, self.batch_size, path=self.path, bf16=self.bf16, kind=kind, accumulation=self.accumulation,
            freeze=self.freeze, freeze_blocks=self.freeze_blocks, recompute=self.recompute_activations,
            optimizer=chosen(self.optimizer, vars(self)).memory(self.config, self.freeze, self.freeze_blocks),
        )


def _from_file(source: object) -> str:
    return source if isinstance(source, Message) else from_parts(source) or str(source)


def _to_file(source: str) -> object:
    return to_parts(source) if isinstance(source, Message) else source


class Speed(_Kept):
    """Seconds per step and per token of a sample, and the source of both, for display."""

    step_s: Seconds
    token_s: Seconds = 0.0
    source: Annotated[str, PlainValidator(_from_file), PlainSerializer(_to_file)] = ""
    measured_whole: bool = False  # a run's, with all that it did besides


class CostEntry(_Kept):
    """Cost of one kind of work on one device with this many threads."""

    device: str
    kind: str
    threads: int
    work: Workload
    peak_bytes: int | None = Field(None, gt=0)
    speed: Speed | None = None

    @property
    def ratio(self) -> float | None:
        """Measured over predicted memory."""
        return self.peak_bytes / self.work.memory(self.kind).total if self.peak_bytes else None


class CostHistory(_Kept):
    """All entries, the newest last. Frozen: what is learned gives another."""

    format: Literal[1] = 1
    entries: tuple[CostEntry, ...] = ()

    @classmethod
    def read(cls) -> CostHistory:
        """The user's; empty where there is none that can be read."""
        try:
            return cls.model_validate_json(file().read_bytes())
        except (OSError, ValidationError):
            return cls()

    def write(self) -> None:
        """Keep it. A disk that refuses costs the next prediction its correction, and nothing else."""
        with suppress(OSError):
            file().parent.mkdir(parents=True, exist_ok=True)
            files.write_whole(file(), self.model_dump_json().encode())

    def of(self, work: Workload, device: Device) -> CostEntry | None:
        """Return the cost of exactly this work on this device."""
        return next((entry for entry in self._on(device) if entry.work == work), None)

    def correction(self, work: Workload, device: Device) -> tuple[float, int]:
        """By what the formula's memory is to be multiplied, and how many runs say so.

        The same work's own ratio; else the median over runs of the same path and precision that are not much smaller.
        """
        same = self.of(work, device)
        if same and same.ratio:
            return _bounded(same.ratio), 1
        size = work.memory(device.kind).total
        ratios = [
            entry.ratio for entry in self._on(device)
            if entry.ratio and (entry.work.path, entry.work.bf16) == (work.path, work.bf16)
            and entry.work.memory(device.kind).total * MAX_SIZE_RATIO >= size
        ]
        return (_bounded(median(ratios)), len(ratios)) if ratios else (1.0, 0)

    def with_run(
        self, spec: TrainSpec, device: Device, plan: Plan, peak_bytes: int, steps: int, elapsed_s: float
    ) -> CostHistory:
        """Return this history with what a run of ``steps`` steps took. It replaces what was known of the same work.

        Args:
            peak_bytes: the most that the run itself held (``devices.MemoryMeter``).
            elapsed_s: for these steps with their evaluations, samples and saves, pauses left out.
        """
        before = self.of(Workload.of(spec, device), device)
        token_s = before.speed.token_s if before and before.speed else 0.0
        rest = elapsed_s - sample_tokens(spec, plan, steps) * token_s
        step_s = max(0.0, rest) / step_equivalents(spec, plan, steps)
        source = message("as in the run of {day}", day=date.today())
        speed = Speed(step_s=step_s, token_s=token_s, source=source, measured_whole=True)
        return self.with_cost(spec, device, speed=speed, peak_bytes=peak_bytes or None)

    def with_cost(
        self, spec: TrainSpec, device: Device, speed: Speed | None = None, peak_bytes: int | None = None
    ) -> CostHistory:
        work = Workload.of(spec, device)
        old = self.of(work, device)
        entry = CostEntry(
            device=device.name, kind=device.kind, threads=threads(), work=work,
            peak_bytes=peak_bytes or (old.peak_bytes if old else None), speed=speed or (old.speed if old else None),
        )
        return CostHistory(entries=(*(kept for kept in self.entries if kept != old), entry)[-MAX_ENTRIES:])

    def _on(self, device: Device) -> Iterator[CostEntry]:
        """Entries of this device and number of threads, the newest first."""
        key = (device.name, device.kind, threads())
        return (entry for entry in reversed(self.entries) if (entry.device, entry.kind, entry.threads) == key)


class CostRecorder:
    """A sink that learns from a run what the same work will take the next time. A short run tells little, and one that
    was stepped through held a copy of its weights and took its time: neither is a measure."""

    def __init__(self, spec: TrainSpec, plan: Plan):
        self._spec, self._plan = spec, plan
        self._metrics = RunMetrics()

    def __call__(self, event: Event) -> None:
        metrics = self._metrics
        metrics.take(event)
        steps = metrics.last.step + 1 if metrics.last else 0
        if isinstance(event, Ended) and event.outcome != "failed" and steps >= MIN_STEPS and not metrics.inspected:
            device = devices.choose(self._spec.device)
            CostHistory.read().with_run(
                self._spec, device, self._plan, metrics.run_peak_bytes, steps, metrics.elapsed_s
            ).write()


def step_equivalents(spec: TrainSpec, plan: Plan, steps: int) -> float:
    """Return the number of steps that cost as much as these ``steps`` and their evaluations.

    A step is forward and backward, and backward costs twice the forward (Kaplan et al., 2020): a batch of an
    evaluation is a third of one of a step. Where several fit into one pass it is a sixth, with what else is measured
    at an evaluation (``tests/bench/README.md``).
    """
    evaluations = -(-steps // spec.evaluation_interval)  # the first at step 0
    validation = -(-plan.val_windows // spec.batch_size)
    training = plan.steps_per_epoch * spec.accumulation
    batches = min(spec.eval_iter, training) + min(spec.eval_iter, validation)
    joined = not spec.reference and 2 * spec.batch_size * spec.config.context_length <= EVALUATED_TOKENS
    return steps + evaluations * batches / ((6 if joined else 3) * spec.accumulation)


def sample_tokens(spec: TrainSpec, plan: Plan, steps: int) -> int:
    """Tokens written as samples: one sample after each epoch."""
    return -(-steps // plan.steps_per_epoch) * spec.sample_tokens


def file() -> Path:
    return paths.user_data() / "calibration.json"


def threads() -> int:
    """Return the number of threads that torch will use, as far as that is known without it."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdigit() and int(asked) else os.cpu_count() or 1


def _bounded(ratio: float) -> float:
    return min(max(ratio, MIN_CORRECTION), MAX_CORRECTION)
