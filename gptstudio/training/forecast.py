"""Forecast of the memory and time of a run, from measured costs of earlier runs on this computer. No torch."""

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
from gptstudio.units import bytes_text

if TYPE_CHECKING:
    from gptstudio.training.corpus import Plan

MAX_ENTRIES = 200
"""Maximum number of entries (about 100 kB); the oldest are dropped."""
MIN_CORRECTION, MAX_CORRECTION = 0.5, 2.0
"""Bounds of a correction. The formula was never this far off; such a measurement has another cause."""
MAX_SIZE_RATIO = 10
"""A run corrects the memory of runs up to this factor larger; beyond it, constant costs have too much weight."""

MIN_STEPS = 10
"""Minimum number of steps of a run from which costs are learned."""

EVALUATED_TOKENS = 1_024
"""Number of tokens that an evaluation on the fast path reads in one pass (at least a batch), chosen so that the output
of a layer stays in the processor's cache."""

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Workload(_Kept):
    """Everything that determines the cost of a training step on a given device."""

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

    def memory(self, kind: str, alone: bool = True) -> TrainMemory:
        """Return the memory according to the formula, without correction; ``alone``: as for :func:`train_memory`."""
        return train_memory(
            self.config, self.batch_size, path=self.path, bf16=self.bf16, kind=kind, accumulation=self.accumulation,
            freeze=self.freeze, freeze_blocks=self.freeze_blocks, recompute=self.recompute_activations, alone=alone,
            optimizer=chosen(self.optimizer, vars(self)).memory(self.config, self.freeze, self.freeze_blocks),
        )


def _from_file(source: object) -> str:
    return source if isinstance(source, Message) else from_parts(source) or str(source)


def _to_file(source: str) -> object:
    return to_parts(source) if isinstance(source, Message) else source


class Speed(_Kept):
    """Seconds per step and per sampled token, and the source of both for display."""

    step_s: Seconds
    token_s: Seconds = 0.0
    source: Annotated[str, PlainValidator(_from_file), PlainSerializer(_to_file)] = ""
    measured_whole: bool = False  # measured in a run, including everything besides its steps


class CostEntry(_Kept):
    """Cost of a workload on a device with this number of threads."""

    device: str
    kind: str
    threads: int
    work: Workload
    peak_bytes: int | None = Field(None, gt=0)
    speed: Speed | None = None

    @property
    def ratio(self) -> float | None:
        """Ratio of measured to predicted memory."""
        return self.peak_bytes / self.work.memory(self.kind).total if self.peak_bytes else None


class CostHistory(_Kept):
    """History of costs, newest last. It is immutable: adding an entry returns a new history."""

    format: Literal[1] = 1
    entries: tuple[CostEntry, ...] = ()

    @classmethod
    def read(cls) -> CostHistory:
        """Return the user's history; empty if it is missing or unreadable."""
        try:
            return cls.model_validate_json(file().read_bytes())
        except (OSError, ValidationError):
            return cls()

    def write(self) -> None:
        """Save the history. If that fails, the next prediction merely lacks its correction."""
        with suppress(OSError):
            file().parent.mkdir(parents=True, exist_ok=True)
            files.write_whole(file(), self.model_dump_json().encode())

    def of(self, work: Workload, device: Device) -> CostEntry | None:
        """Return the cost of exactly this workload on this device, or None."""
        return next((entry for entry in self._on(device) if entry.work == work), None)

    def correction(self, work: Workload, device: Device) -> tuple[float, int]:
        """Return the factor by which to multiply the formula's memory, and the number of runs that it is based on.

        It is the ratio of the same workload; otherwise the median over runs with the same path and precision that are
        not much smaller.
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
        """Return this history with the cost of a run of ``steps`` steps, which replaces an entry for the same workload.

        Args:
            peak_bytes: peak memory of the run itself (``devices.MemoryMeter``).
            elapsed_s: seconds of these steps with their evaluations, samples and saves, without pauses.
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
        """Return the entries for this device and number of threads, newest first."""
        key = (device.name, device.kind, threads())
        return (entry for entry in reversed(self.entries) if (entry.device, entry.kind, entry.threads) == key)


class CostRecorder:
    """Sink that records the cost of a run for later forecasts. Runs that are short, or that had single steps with
    reports (which take more memory and time), are ignored."""

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
    """Return the number of steps that cost as much as ``steps`` steps with their evaluations.

    The backward pass costs twice the forward pass (Kaplan et al., 2020), so a batch of an evaluation costs a third of a
    batch of a step. If several are joined in one pass it costs a sixth, including the other measurements of an
    evaluation (``tests/bench/README.md``).
    """
    evaluations = -(-steps // spec.evaluation_interval)  # the first at step 0
    validation = -(-plan.val_windows // spec.batch_size)
    training = plan.steps_per_epoch * spec.accumulation
    batches = min(spec.eval_iter, training) + min(spec.eval_iter, validation)
    joined = not spec.reference and 2 * spec.batch_size * spec.config.context_length <= EVALUATED_TOKENS
    return steps + evaluations * batches / ((6 if joined else 3) * spec.accumulation)


def sample_tokens(spec: TrainSpec, plan: Plan, steps: int) -> int:
    """Return the number of sampled tokens, with one sample after each epoch."""
    return -(-steps // plan.steps_per_epoch) * spec.sample_tokens


def file() -> Path:
    return paths.user_data() / "calibration.json"


def threads() -> int:
    """Return the number of threads that torch will use, estimated without importing it."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdigit() and int(asked) else os.cpu_count() or 1


def _bounded(ratio: float) -> float:
    return min(max(ratio, MIN_CORRECTION), MAX_CORRECTION)


TIGHT = 0.8
"""Fraction of the free memory above which a run is tight, because other programs need some memory too."""
SHORTEST_CONTEXT = 32

Level = Literal["fits", "tight", "too large"]


@dataclass(frozen=True)
class Forecast:
    """Expected memory and time of a run, and the source of each number.

    Attributes:
        predicted_bytes: peak memory of training, in addition to the memory already used by the program.
        seconds: time of the whole run; None until such a run was calibrated or trained on this computer.
        tokens_per_second: training throughput, including evaluations and samples; None as above.
        memory_from, time_from: sources of the numbers, for display.
        smaller: if the run is too large, settings that fit by the same calculation; None if there are none.
        smaller_words: the differences of these settings, and the memory they need.
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
        """Predicted memory as a fraction of the free memory; infinite if none is free."""
        return self.predicted_bytes / self.free_bytes if self.free_bytes > 0 else float("inf")

    @property
    def level(self) -> Level:
        return "too large" if self.share > 1 else "tight" if self.share > TIGHT else "fits"


@dataclass(frozen=True)
class MeasuredRun:
    """Time and peak memory of the last run, and their predictions; 0 if unknown."""

    took_s: float
    peak_bytes: int
    expected_s: float
    expected_bytes: int


def forecast(
    spec: TrainSpec, plan: Plan | None, device: Device, costs: CostHistory, folder: Path | None = None
) -> Forecast:
    """Return the forecast for ``spec``, without long computations. ``plan``: None while the text is unknown;
    ``folder``: folder of the runs, None if nothing will be saved."""
    needed, memory_from = predicted_bytes(spec, device, costs)
    seconds, time_from = _seconds(spec, plan, device, costs)
    smaller, different = None, ""
    if needed > device.free_bytes:
        most = TIGHT * device.free_bytes
        smaller = next((each for each in _smaller(spec) if predicted_bytes(each, device, costs)[0] <= most), None)
        different = _differences(spec, smaller, device, costs)
    checkpoint = checkpoint_files.needed_bytes(spec)
    return Forecast(
        predicted_bytes=needed, free_bytes=device.free_bytes, total_bytes=device.total_bytes, seconds=seconds,
        tokens_per_second=plan.total_steps * spec.tokens_per_step / seconds if plan and seconds else None,
        memory_from=memory_from, time_from=time_from, smaller=smaller, smaller_words=different,
        space_warning=checkpoint_files.space_warning(checkpoint, files.free_bytes(folder), folder) if folder else "",
    )


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
    """Yield settings that need less memory, the smallest changes first: smaller batches with the same tokens per step;
    then recomputed activations; then also a smaller context; then a smaller preset, unless the run starts from other
    weights, which would not fit it."""
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
    """Yield settings with the batch size divided and the accumulation multiplied by the same factor."""
    for batch in range(spec.batch_size // 2, 0, -1):
        if spec.batch_size % batch == 0:
            yield from _allowed(spec, batch_size=batch, accumulation=spec.accumulation * (spec.batch_size // batch))


def _allowed(spec: TrainSpec, **changes: object) -> Iterator[TrainSpec]:
    """Yield the spec with these changes, if it is valid."""
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
    return message("With {what}, training needs {size}.", what=what, size=bytes_text(needed))


def _corrected(runs: int) -> Message:
    if runs == 1:
        return message("corrected by an earlier run on this computer")
    return message("corrected by {n} earlier runs on this computer", n=runs)
