"""Expected memory and time of a run, from the measured costs of earlier runs on this computer. No torch."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import reduce
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator, ValidationError

from gptstudio import devices, files, paths
from gptstudio.devices import Device
from gptstudio.fields import SpecError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig, config_name
from gptstudio.gpt.memory import TrainMemory, train_memory
from gptstudio.i18n import Message, from_parts, message, to_parts
from gptstudio.training import checkpoint_files
from gptstudio.training.events import Ended, Event
from gptstudio.training.optimizers import OptimizerName, chosen
from gptstudio.training.run_metrics import RunMetrics
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:
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


TIGHT = 0.8
"""The share of free memory from which on a run is tight: others want some too."""
SHORTEST_CONTEXT = 32

Level = Literal["fits", "tight", "too large"]


@dataclass(frozen=True)
class Forecast:
    """Expected memory and time of a run, and the source of each number.

    Attributes:
        predicted_bytes: peak memory of training, besides the memory in use by the program already.
        seconds: for the whole run; None until this kind of work was calibrated or trained here.
        tokens_per_second: training throughput, evaluations and samples included; None as above.
        memory_from, time_from: for display.
        smaller: if it is too large, a setting that fits by the same calculation; None if there is none.
        smaller_words: its differences, and the memory it needs.
        space_warning: message that not even one checkpoint fits on the disk; empty if one does.
    """

    predicted_bytes: int
    free_bytes: int
    total_bytes: int
    seconds: float | None
    tokens_per_second: float | None
    memory_from: str
    time_from: str
    smaller: TrainSpec | None = None
    smaller_words: str = ""
    space_warning: str = ""

    @property
    def share(self) -> float:
        """Share of the free memory. Infinite if none is free."""
        return self.predicted_bytes / self.free_bytes if self.free_bytes > 0 else float("inf")

    @property
    def level(self) -> Level:
        return "too large" if self.share > 1 else "tight" if self.share > TIGHT else "fits"


@dataclass(frozen=True)
class MeasuredRun:
    """Time and peak memory of the last run, and what was expected of them; 0 where it is not known."""

    took_s: float
    peak_bytes: int
    expected_s: float
    expected_bytes: int


def forecast(
    spec: TrainSpec, plan: Plan | None, device: Device, costs: CostHistory, folder: Path | None = None
) -> Forecast:
    """Return the forecast of ``spec``, at once; ``plan`` may be missing while the text is not known, and ``folder``,
    of the runs, if nothing is to be saved."""
    needed, memory_from = predicted_bytes(spec, device, costs)
    seconds, time_from = _seconds(spec, plan, device, costs)
    smaller, different = None, ""
    if needed > device.free_bytes:
        most = TIGHT * device.free_bytes
        smaller = next((each for each in _smaller(spec) if predicted_bytes(each, device, costs)[0] <= most), None)
        different = _differences(spec, smaller, device, costs)
    return Forecast(
        predicted_bytes=needed, free_bytes=device.free_bytes, total_bytes=device.total_bytes, seconds=seconds,
        tokens_per_second=plan.total_steps * spec.tokens_per_step / seconds if plan and seconds else None,
        memory_from=memory_from, time_from=time_from, smaller=smaller, smaller_words=different,
        space_warning=_space_warning(spec, folder) if folder else "",
    )


def _space_warning(spec: TrainSpec, folder: Path) -> str:
    needed = checkpoint_files.needed_bytes(spec)
    return checkpoint_files.space_warning(needed, files.free_bytes(folder), folder)


def predicted_bytes(spec: TrainSpec, device: Device, costs: CostHistory) -> tuple[int, str]:
    """Return the peak memory of training, and a description of the source of that number."""
    work = Workload.of(spec, device)
    ratio, runs = costs.correction(work, device)
    known = message("estimated by formula")
    if runs:
        same = costs.of(work, device)
        known = message("measured in an earlier run of the same kind") if same and same.ratio else _corrected(runs)
    if ratio in (MIN_CORRECTION, MAX_CORRECTION):
        known = message("{known}, limited to a factor of {most}", known=known, most=f"{MAX_CORRECTION:g}")
    return round(work.memory(device.kind).total * ratio), known


def _seconds(spec: TrainSpec, plan: Plan | None, device: Device, costs: CostHistory) -> tuple[float | None, str]:
    entry = costs.of(Workload.of(spec, device), device)
    if not (entry and entry.speed):
        return None, message("not measured on this computer yet")
    speed, known = entry.speed, entry.speed.source
    if not plan:
        return None, known
    steps = plan.total_steps
    seconds = step_equivalents(spec, plan, steps) * speed.step_s + sample_tokens(spec, plan, steps) * speed.token_s
    return seconds, known if speed.measured_whole else message("{known}, without saving checkpoints", known=known)


def _smaller(spec: TrainSpec) -> Iterator[TrainSpec]:
    """Smaller settings, the least painful first: the same tokens in each step out of smaller batches; then activations
    that are recomputed; then a smaller context as well; then a smaller preset, which cannot begin with the weights of a
    larger one."""
    yield from _smaller_batches(spec)
    recomputed = next(_allowed(spec, recompute_activations=True), None)
    if recomputed:
        yield recomputed
        yield from _smaller_batches(recomputed)
    context, batches = spec.config.context_length // 2, spec.batch_size * spec.accumulation
    while context >= SHORTEST_CONTEXT:
        smaller = spec.config.but(context_length=context)
        yield from _allowed(recomputed or spec, config=smaller, batch_size=1, accumulation=batches)
        context //= 2
    presets = sorted(PRESETS.values(), key=sizing.parameter_count, reverse=True)
    for preset in presets if spec.init_from is None else ():
        if sizing.parameter_count(preset) < sizing.parameter_count(spec.config):
            for other in _allowed(spec, config=preset):
                yield other
                yield from _smaller_batches(other)


def _smaller_batches(spec: TrainSpec) -> Iterator[TrainSpec]:
    """The batch divided, and the accumulation multiplied by as much."""
    for batch in range(spec.batch_size // 2, 0, -1):
        if spec.batch_size % batch == 0:
            yield from _allowed(spec, batch_size=batch, accumulation=spec.accumulation * (spec.batch_size // batch))


def _allowed(spec: TrainSpec, **changes: object) -> Iterator[TrainSpec]:
    """The spec with these changes, where it may be so."""
    try:
        yield spec.but(**changes)
    except SpecError:
        return


def _differences(spec: TrainSpec, smaller: TrainSpec | None, device: Device, costs: CostHistory) -> str:
    if smaller is None:
        return message("No smaller settings fit into the free memory. Close other programs.")
    parts = []
    if config_name(smaller.config) != config_name(spec.config) and config_name(smaller.config) in PRESETS:
        parts.append(message("the preset {name}", name=config_name(smaller.config)))
    elif smaller.config != spec.config:
        parts.append(message("context length {n}", n=f"{smaller.config.context_length:,}"))
    if smaller.batch_size != spec.batch_size:
        parts.append(message(
            "batch size {batch} accumulated {times} times",
            batch=f"{smaller.batch_size:,}", times=f"{smaller.accumulation:,}",
        ))
    if smaller.recompute_activations != spec.recompute_activations:
        parts.append(message("activations that are recomputed"))
    what = reduce(lambda first, second: message("{first}, {second}", first=first, second=second), parts[:-1] or parts)
    if parts[1:]:
        what = message("{first} and {second}", first=what, second=parts[-1])
    needed = predicted_bytes(smaller, device, costs)[0]
    return message("With {what}, training needs {gb} GB.", what=what, gb=f"{needed / 2**30:,.1f}")


def _corrected(runs: int) -> Message:
    if runs == 1:
        return message("corrected by an earlier run on this computer")
    return message("corrected by {n} earlier runs on this computer", n=runs)
