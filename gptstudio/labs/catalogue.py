"""All labs, in the order in which one learns. No torch: a lab is loaded when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from gptstudio.errors import UserError
from gptstudio.labs.lab import Lab
from gptstudio.words import words


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
    Chapter(words("Text becomes numbers"), (
        Entry("tokens", words("Tokens and merges"), words("How a text falls into pieces, and each becomes a number.")),
        Entry("windows", words("Sliding windows"), words("What a model is shown, and what it is to say.")),
        Entry("embeddings", words("Embeddings"), words("A number becomes a row of numbers, and its place is added.")),
    )),
    Chapter(words("Attention"), (
        Entry("attention", words("Attention"), words("Six words look at each other, from nothing to several heads.")),
        Entry("dropout", words("Dropout"), words("Numbers are struck out by chance, and the rest made larger.")),
    )),
    Chapter(words("The parts of a block"), (
        Entry("layernorm", words("Layer normalisation"), words("Each row to mean 0 and variance 1.")),
        Entry("gelu", words("GELU"), words("What becomes of a negative input.")),
        Entry("feedforward", words("Feed forward"), words("Each token by itself: wide, bent, narrow again.")),
        Entry("shortcuts", words("Shortcuts"), words("Why the first layers of a deep network would learn nothing.")),
    )),
    Chapter(words("The whole model"), (
        Entry("block", words("Block and model"), words("One token's way through the model, shape by shape.")),
        Entry("sizes", words("Sizes"), words("Where the parameters of the four GPT-2 are.")),
    )),
    Chapter(words("Learning and writing"), (
        Entry("loss", words("Loss"), words("One number for how wrong a model is.")),
        Entry("sampling", words("Sampling"), words("From nine probabilities to a drawn word.")),
        Entry("generate", words("Greedy by hand"), words("From logits to a text, one step at a time.")),
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
