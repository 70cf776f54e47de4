"""``gptstudio size``: the size of a model, before it is built. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

from cyclopts import Parameter
from rich import box
from rich.progress_bar import ProgressBar
from rich.table import Table

from gptstudio import devices
from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_BATCH, SAME_MODEL, BatchFlags, Json, ModelFlags, Preset, called, shape_of
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.gpt.memory import TrainMemory, generate_memory, train_memory
from gptstudio.i18n import percent
from gptstudio.training.forecast import CostHistory, predicted_bytes
from gptstudio.training.spec import TrainSpec
from gptstudio.units import MB

BAR = 20
MOST_ROWS = 1_024
"""Largest batch size to try."""
Device = Annotated[
    str | None, Parameter(help="Show which presets this device has memory for, and at which batch size: cpu, cuda.")]


def size(
    *,
    preset: Preset = DEFAULT_PRESET,
    model: ModelFlags = SAME_MODEL,
    training: BatchFlags = SAME_BATCH,
    device: Device = None,
    json: Json = False,
) -> None:
    """Count a model's parameters and the memory it needs, or show which models a device has memory for."""
    if device:
        if preset != DEFAULT_PRESET or model.given() or training.given():
            raise UserError(
                "--device shows every preset, trained with AdamW. Leave out the options of the model and of training, "
                "or leave out --device to see the memory that they need.")
        chosen = devices.choose(device)
        found = {name: fitting(config, chosen) for name, config in PRESETS.items()}
        if json:
            output.print_json({name: asdict(each) for name, each in found.items()})
        else:
            show_fitting(chosen, found)
        return
    spec = TrainSpec.make(training.given(), config=PRESETS[preset].but(**model.given()))
    for unused in spec.unused_settings:
        output.note(unused, "yellow")
    if json:
        output.print_json(as_json(spec))
    else:
        show(spec)


@dataclass(frozen=True)
class Fitting:
    """Memory needed for a model on a device.

    Attributes:
        generates: whether the device has enough memory to generate with the model.
        largest_batch: largest batch size for training, a power of two; 0 if there is none.
    """

    generate_bytes: int
    generates: bool
    largest_batch: int
    train_bytes: int


def fitting(config: GPTConfig, device: devices.Device) -> Fitting:
    """Return whether the free memory of a device suffices for a model, at the full context length."""

    def needed(batch: int) -> int:
        return train_memory(config, batch, bf16=device.fast_bf16, kind=device.kind).total

    batch = 1
    while batch <= MOST_ROWS and needed(batch) <= device.free_bytes:
        batch *= 2
    generate = generate_memory(config, kind=device.kind).least
    return Fitting(generate, generate <= device.free_bytes, batch // 2, needed(max(1, batch // 2)))


def show_fitting(device: devices.Device, found: Mapping[str, Fitting]) -> None:
    """Print these results as a table."""
    table = Table(box=box.SIMPLE_HEAD)
    for title in ("Preset", "Generating", "Training, largest batch", "Memory at that batch"):
        table.add_column(title, justify="left" if title == "Preset" else "right")
    for name, each in found.items():
        generates = _megabytes(each.generate_bytes) if each.generates else "too large"
        largest = f"{each.largest_batch:,}" if each.largest_batch else "too large"
        table.add_row(name, generates, largest, _megabytes(each.train_bytes))
    free, total = _megabytes(device.free_bytes), _megabytes(device.total_bytes)
    console, precision = output.results(), "bf16" if device.fast_bf16 else "fp32"
    console.print(f"{device.name} ({device.key}): {free} of {total} free\n", style="bold", soft_wrap=True)
    console.print(table)
    console.print(
        f"  Training in {precision} with AdamW; batches are powers of two, up to {MOST_ROWS:,}.", soft_wrap=True)


def as_json(spec: TrainSpec) -> dict[str, object]:
    """Return all figures of a model; ``weights_mb`` is calculated as in the book: float32, including the output layer.

    ``train_bytes`` follows the formula; ``train_bytes_estimated`` is corrected by the runs on this computer, as on
    Train.
    """
    config = spec.config
    counted = sizing.parameters(config)
    return {
        "parameters": counted.total,
        "parameters_tied": counted.total_tied,
        "weights_mb": round(counted.total * sizing.FLOAT32 / MB, 2),
        "components": counted.components(),
        "train_bytes": _train_memory(spec).total,
        "train_bytes_estimated": _estimated(spec)[0],
        "generate_bytes": generate_memory(config).total,
    }


def _train_memory(spec: TrainSpec) -> TrainMemory:
    return train_memory(spec.config, spec.batch_size, optimizer=spec.chosen_optimizer.memory(spec.config))


def _estimated(spec: TrainSpec) -> tuple[int, str]:
    return predicted_bytes(spec, devices.cpu(), CostHistory.read())


def show(spec: TrainSpec) -> None:
    """Print the parameters and the memory of each part as tables, with their shares."""
    config, console, counted = spec.config, output.results(), sizing.parameters(spec.config)
    shape = f"{called(config)}: {shape_of(config)}, vocabulary {config.vocab_size:,}"
    console.print(f"{shape}\n", style="bold", soft_wrap=True)
    console.print(_table("Parameters", counted.components(), "{:,}".format, counted.total_tied))
    console.print(_table(
        f"Memory for training, batch size {spec.batch_size:,}", asdict(_train_memory(spec))))
    estimated, source = _estimated(spec)
    console.print(f"  On this computer's CPU: {_megabytes(estimated)} ({source}).\n", soft_wrap=True)
    console.print(_table("Memory for generating", asdict(generate_memory(config))))


def _megabytes(size: int) -> str:
    return f"{size / MB:,.1f} MB"


def _table(
    title: str, parts: Mapping[str, int], shown: Callable[[int], str] = _megabytes, tied: int | None = None
) -> Table:
    total = sum(parts.values())
    below = ("Total\n… with the output layer tied", f"{shown(total)}\n{tied:,}") if tied else ("Total", shown(total))
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, footer_style="bold")
    table.add_column(title, below[0], min_width=32)
    table.add_column("", below[1], justify="right", min_width=15)
    table.add_column("", "", justify="right", min_width=7)
    table.add_column("", "", width=BAR)
    for name, part in parts.items():
        bar = ProgressBar(total=total, completed=part, width=BAR)
        table.add_row(name.replace("_", " ").capitalize().replace("Kv", "KV"), shown(part), percent(part / total), bar)
    return table
