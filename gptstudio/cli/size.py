"""``gptstudio size``: how large a model is, before it is built. Needs no torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict

from rich import box
from rich.progress_bar import ProgressBar
from rich.table import Table

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_BATCH, SAME_MODEL, BatchFlags, Json, ModelFlags, Preset, called, config_from
from gptstudio.gpt import sizing
from gptstudio.gpt.config import DEFAULT_PRESET, GPTConfig
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.training.spec import TrainSpec

BAR = 20


def size(
    *,
    preset: Preset = DEFAULT_PRESET,
    model: ModelFlags = SAME_MODEL,
    training: BatchFlags = SAME_BATCH,
    json: Json = False,
) -> None:
    """Count a model's parameters and the memory it needs."""
    config = config_from(preset, model)
    batch_size = TrainSpec.make(training.given()).batch_size
    if json:
        output.print_json(as_json(config, batch_size))
    else:
        show(config, batch_size)


def as_json(config: GPTConfig, batch_size: int) -> dict[str, object]:
    """All figures of a model; ``weights_mb`` is the book's: float32, output layer counted."""
    counted = sizing.parameters(config)
    return {
        "parameters": counted.total,
        "parameters_tied": counted.total_tied,
        "weights_mb": round(counted.total * sizing.FLOAT32 / sizing.MB, 2),
        "components": counted.components(),
        "train_bytes": train_memory(config, batch_size).total,
        "generate_bytes": generate_memory(config).total,
    }


def show(config: GPTConfig, batch_size: int) -> None:
    """The same for people: what each part takes, and its share."""
    console, counted = output.results(), sizing.parameters(config)
    console.print(f"{_shape(config)}\n", style="bold", soft_wrap=True)
    console.print(_table("Parameters", counted.components(), "{:,}".format, counted.total_tied))
    console.print(_table(
        f"Memory for training, batch size {batch_size:,}", asdict(train_memory(config, batch_size))))
    console.print(_table("Memory for generating", asdict(generate_memory(config))))


def _shape(config: GPTConfig) -> str:
    return (
        f"{called(config)}: context length {config.context_length:,}, width {config.emb_dim:,}, heads "
        f"{config.n_heads:,}, layers {config.n_layers:,}, vocabulary {config.vocab_size:,}"
    )


def _megabytes(size: int) -> str:
    return f"{size / sizing.MB:,.1f} MB"


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
        table.add_row(name.replace("_", " ").capitalize().replace("Kv", "KV"), shown(part), f"{part / total:.1%}", bar)
    return table
