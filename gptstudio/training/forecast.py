"""Will it fit, and how long: what a run is expected to hold and to take, before it is started. No torch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gptstudio import files
from gptstudio.devices import Device
from gptstudio.fields import SpecError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, config_name
from gptstudio.i18n import Message, message
from gptstudio.training import checkpoint_files
from gptstudio.training.cost_history import (
    MAX_CORRECTION,
    MIN_CORRECTION,
    CostHistory,
    Workload,
    sample_tokens,
    step_equivalents,
)
from gptstudio.training.spec import TrainSpec

if TYPE_CHECKING:  # brings numpy, which a command line can do without
    from gptstudio.training.corpus import Plan

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
class Measured:
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
