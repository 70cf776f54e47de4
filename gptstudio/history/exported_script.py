"""Export of a run as a Python script that trains the same model with only torch and tiktoken. Imports no torch itself.

The script is ``resources/plain_training.py.txt``. It creates modules, draws random numbers and counts steps in the same
order as ``model.py`` and ``trainer.py``, so it reproduces the losses of a run with reference arithmetic. The fast path
draws dropout differently on a CPU; without dropout, its losses agree within float error, too.

A learning rate that was changed by hand during the run changes at the same steps in the script. A run that started from
the weights of another model cannot be exported, because the script would need that model as well; nor can a run with a
vocabulary of its own, because the script has only GPT-2's tokenizer.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from string import Template
from textwrap import fill
from types import MappingProxyType
from typing import Any

from gptstudio import files, paths
from gptstudio.data import texts
from gptstudio.data.texts import Text
from gptstudio.errors import UserError
from gptstudio.gpt import sizing
from gptstudio.gpt.sizing import Part
from gptstudio.gpt.tokenizer import END_OF_TEXT
from gptstudio.i18n import message
from gptstudio.training import corpus
from gptstudio.training.events import RunStarted
from gptstudio.training.optimizers.optimizer_kind import Script
from gptstudio.training.run_folder import Record
from gptstudio.training.spec import TrainSpec

TIE = """\
        self.head.weight = nn.init.normal_(self.tokens.weight, std=0.02)  # one matrix for both
        nn.init.normal_(self.positions.weight, std=0.02)
"""
COSINE = Template("""\
    low, turn = min($lowest, RATE), math.pi * (step - $warmup) / max(1, $planned - 1 - $warmup)
    falling = low + (RATE - low) * (1 + math.cos(turn)) / 2
    optimizer.param_groups[0]["lr"] = RATE * (step + 1) / $warmup if step < $warmup else falling
""")
CONSTANT = """\
    optimizer.param_groups[0]["lr"] = RATE
"""
CHANGE = """\
    RATE = CHANGES.get(step, RATE)
"""
PLANNED = """\
    planned = PLANS[max(first for first in PLANS if first <= step)]
"""
FREEZE = Template("""\
frozen = [f"layers.{i + 1}." for i in range($blocks)]
frozen += "$parts".split()
for name, weight in model.named_parameters():
    weight.requires_grad = not any(part in name for part in frozen)
""")
FROZEN: dict[Part, str] = {
    "token_embedding": "tokens.", "position_embedding": "positions.", "attention": ".query. .key. .value. .out.",
    "feed_forward": ".feed_forward.", "norms": ".norm layers.{last}.", "output_layer": "head.",
}
"""Common part of the names of a component's parameters in the script."""


Steps = Mapping[int, int]
NONE: Mapping[int, Any] = MappingProxyType({})


def export(
    record: Record, path: Path, bf16: bool = False, rates: Mapping[int, float] = NONE, plans: Steps = NONE
) -> tuple[Path, Path]:
    """Write the script to ``path``, and the text of the run next to it, as one file in UTF-8. Return both. See
    ``script``.

    Raises:
        UserError: the run started from other weights or has another vocabulary than GPT-2's, its text is missing or has
            changed, another text would be replaced, or a file cannot be written.
    """
    if record.spec.init_from is not None:
        raise UserError(message(
            "This run started from the weights of {init_from}, but a plain script starts from random weights and "
            "would train a different model. Export the trained model instead.",
            init_from=record.spec.init_from,
        ))
    if record.spec.config.vocabulary != "gpt2":
        raise UserError(message(
            "This run has a vocabulary of its own, but a plain script has only GPT-2's tokenizer and would train a "
            "different model. Export the trained model instead."))
    found = texts.read_all(texts.find_moved(record.spec.text, record.text_sha256))
    if texts.combined(found).sha256 != record.text_sha256:
        raise UserError(message(
            "The text of this run, {text_name}, has changed since then, so a script would train on a different "
            "text. Restore the original text, or run it again with the new text and export that run.",
            text_name=texts.name_in_words(record.text_name),
        ))
    text_path = path.with_suffix(".txt")
    with files.saving(path):
        if text_path.exists() and not _contains(text_path, _joined(found)):
            raise UserError(message(
                "{path} already exists and contains something else, but the text of the run is saved there, beside the "
                "script. Choose another name for the script.", path=text_path))
        with files.written_whole(text_path) as file:
            file.writelines(_joined(found))
        with files.written_whole(path) as file:
            file.write(script(record, text_path.name, _parts(record.spec, found), bf16, rates, plans).encode())
    return path, text_path


def _joined(found: Sequence[Text]) -> Iterator[bytes]:
    """Yield the texts in UTF-8, in blocks, with the end-of-text marker between them."""
    for i, text in enumerate(found):
        if i:
            yield END_OF_TEXT.encode()
        for block, _ in text.blocks():
            yield block.encode()


def _contains(path: Path, blocks: Iterable[bytes]) -> bool:
    """Return whether a file consists of these blocks."""
    with path.open("rb") as file:
        return all(file.read(len(block)) == block for block in blocks) and not file.read(1)


def plans_of(starts: Iterable[RunStarted]) -> dict[int, int]:
    """Return the planned number of steps of a run by the first step for which it held, from all starts of the run. It
    was changed if the run was trained longer, and a cosine schedule with it."""
    plans: dict[int, int] = {}
    for start in starts:
        plans = {first: planned for first, planned in plans.items() if first < start.first_step}
        if start.total_steps not in list(plans.values())[-1:]:
            plans[start.first_step] = start.total_steps
    return plans


def script(
    record: Record, file: str, parts: str, bf16: bool = False, rates: Mapping[int, float] = NONE, plans: Steps = NONE
) -> str:
    """Return the script, which has fewer than 90 lines.

    Args:
        file: name of the text file, in UTF-8.
        parts: training part and validation part, as two expressions of ``text``.
        bf16: whether matrices were multiplied in bf16; given by ``RunStarted.dtype``.
        rates: (peak) learning rates that were set during the run, by the first step that uses each.
        plans: as :func:`plans_of` returns them.
    """
    spec, config = record.spec, record.spec.config
    cosine, clip = spec.schedule == "cosine", spec.gradient_clip
    longer = cosine and len(plans) > 1
    held = sizing.trained(config, spec.freeze, spec.freeze_blocks)
    lines = spec.chosen_optimizer.script(matrices=bool(held.attention or held.feed_forward))
    return Template((paths.resources() / "plain_training.py.txt").read_text(encoding="utf-8")).substitute({
        "version": _in_one_line(record.version),
        "title": _in_one_line(record.title or f"of {record.created:%Y-%m-%d %H:%M}"),
        "text": _in_one_line(record.text_name),
        "file": repr(file),
        "parts": parts,
        "device": '"cuda" if torch.cuda.is_available() else "cpu"' if spec.device == "auto" else repr(spec.device),
        "vocabulary": config.vocab_size, "context": config.context_length, "width": config.emb_dim,
        "heads": config.n_heads, "layers": config.n_layers, "qkv_bias": config.qkv_bias,
        "drop_embedding": config.embedding_dropout, "drop_attention": config.attention_dropout,
        "drop_shortcut": config.shortcut_dropout,
        "batch": spec.batch_size, "accumulation": spec.accumulation, "stride": spec.window_stride,
        "rate": spec.learning_rate, "optimizer": lines.build, "step": lines.step,
        "seed": spec.seed, "total": spec.steps or f"{spec.epochs} * steps_per_epoch",
        "eval_freq": spec.evaluation_interval, "eval_iter": spec.eval_iter, "bf16": bf16,
        "math_import": "import math\n" if cosine else "",
        "tie": TIE if config.tie_weights else "",
        "changes": "".join((
            f"{_changes(rates)}\n" if rates else "",
            f"PLANS = {dict(plans)}  # number of steps that were planned from this step on\n" if longer else "")),
        "schedule": (PLANNED if longer else "") + _schedule(
            spec, bool(rates), lines, "planned" if longer else "total"),
        "freeze": _freeze(spec),
        "clip": f"    nn.utils.clip_grad_norm_(model.parameters(), {clip})\n" if clip else "",
    })


def _schedule(spec: TrainSpec, changed: bool, optimizer: Script, planned: str) -> str:
    """Return the lines that set the learning rate of a step; empty if it never changes. ``planned``: the variable with
    the number of steps."""
    if spec.schedule == "cosine":
        lines = COSINE.substitute(warmup=spec.warmup_steps, lowest=spec.min_learning_rate, planned=planned)
    else:
        lines = CONSTANT if changed else ""
    return (CHANGE if changed else "") + lines + (optimizer.rate if lines else "")


def _changes(rates: Mapping[int, float]) -> str:
    """Return the code that lists the changes of the learning rate."""
    listed = ", ".join(f"{int(step)}: {float(rate)!r}" for step, rate in rates.items())
    return fill(f"CHANGES = {{{listed}}}  # learning rate from this step on", 100, subsequent_indent="    ")


def _freeze(spec: TrainSpec) -> str:
    """Return the lines that freeze parts of the model. A tied output layer has the name of the token embedding."""
    if not (spec.freeze or spec.freeze_blocks):
        return ""
    one = spec.config.tie_weights
    names = ["tokens." if one and part == "output_layer" else FROZEN[part] for part in spec.freeze]
    parts = " ".join(names).format(last=spec.config.n_layers + 1)
    return FREEZE.substitute(parts=parts, blocks=spec.freeze_blocks)


def _in_one_line(message: str) -> str:
    """Make a text from the user safe for a comment or a docstring."""
    plain = "".join(char if char.isprintable() else " " for char in message)
    return plain.replace("\\", "/").replace('"', "'")[:60]


def _parts(spec: TrainSpec, found: list[Text]) -> str:
    """Return both parts of the text, split as in ``corpus.read``. End-of-text markers between texts do not count."""
    if len(found) == 1:
        return f"text[: int({spec.train_ratio} * len(text))], text[int({spec.train_ratio} * len(text)) :]"
    ends = list(accumulate(text.characters for text in found))
    if spec.split == "documents":
        cut = ends[corpus.texts_to_learn_from([text.characters for text in found], spec.train_ratio) - 1]
    else:
        cut = int(spec.train_ratio * ends[-1])
    before = bisect_left(ends, cut)  # texts that end before the cut
    stop = cut + before * len(END_OF_TEXT)
    return f"text[:{stop}], text[{stop + len(END_OF_TEXT) if cut in ends else stop}:]"
