"""All labs, in the order in which one learns. No torch: a lab is loaded when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.labs.lab import Lab


@dataclass(frozen=True)
class Entry:
    """A lab as a list shows it: its name, its title, and what one finds out there."""

    name: str
    title: str
    idea: str


@dataclass(frozen=True)
class Chapter:
    title: str
    entries: tuple[Entry, ...]


CHAPTERS = (
    Chapter(message("Text becomes numbers"), (
        Entry("tokens", message("Tokens and merges"), message("How a text falls into pieces, and each becomes a number.")),
        Entry("windows", message("Sliding windows"), message("What a model is shown, and what it is to say.")),
        Entry("embeddings", message("Embeddings"), message("A number becomes a row of numbers, and its place is added.")),
    )),
    Chapter(message("Attention"), (
        Entry("attention", message("Attention"), message("Six words look at each other, from nothing to several heads.")),
        Entry("dropout", message("Dropout"), message("Numbers are struck out by chance, and the rest made larger.")),
    )),
    Chapter(message("The parts of a block"), (
        Entry("layernorm", message("Layer normalisation"), message("Each row to mean 0 and variance 1.")),
        Entry("gelu", message("GELU"), message("What becomes of a negative input.")),
        Entry("feedforward", message("Feed forward"), message("Each token by itself: wide, bent, narrow again.")),
        Entry("shortcuts", message("Shortcuts"), message("Why the first layers of a deep network would learn nothing.")),
    )),
    Chapter(message("The whole model"), (
        Entry("block", message("Block and model"), message("One token's way through the model, shape by shape.")),
        Entry("sizes", message("Sizes"), message("Where the parameters of the four GPT-2 are.")),
    )),
    Chapter(message("Learning and writing"), (
        Entry("loss", message("Loss"), message("One number for how wrong a model is.")),
        Entry("sampling", message("Sampling"), message("From nine probabilities to a drawn word.")),
        Entry("generate", message("Greedy by hand"), message("From logits to a text, one step at a time.")),
    )),
)

ENTRIES = {entry.name: entry for chapter in CHAPTERS for entry in chapter.entries}


def load(name: str) -> Lab:
    """A lab by its name.

    Raises:
        UserError: there is none of this name, with what there is.
    """
    if name not in ENTRIES:
        raise UserError(f"There is no lab '{name}'. The labs are {', '.join(ENTRIES)}.")
    lab: Lab = import_module(f"gptstudio.labs.{name}").LAB
    return lab
