"""All labs, in the order of learning. Imports no torch: the module of a lab is imported on request."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from gptstudio.errors import UserError
from gptstudio.i18n import message
from gptstudio.labs.lab import Lab


@dataclass(frozen=True)
class LabEntry:
    """Entry of a lab in a list: its name, its title, and its main question."""

    name: str
    title: str
    idea: str


@dataclass(frozen=True)
class Chapter:
    title: str
    entries: tuple[LabEntry, ...]


CHAPTERS = (
    Chapter(message("From text to numbers"), (
        LabEntry("tokens", message("Tokens and merges"), message(
        "How text is split into tokens, and each token becomes a number.")),
        LabEntry("vocabulary", message("A vocabulary forms"), message(
        "Which pairs of a text become tokens, one merge after the other.")),
        LabEntry("windows", message("Sliding windows"), message("What a model reads, and what it has to predict.")),
        LabEntry(
            "embeddings", message("Embeddings"), message("A token ID becomes a vector, and its position is added.")),
    )),
    Chapter(message("Attention"), (
        LabEntry("attention", message("Attention"), message(
        "Six words attend to each other, from plain dot products to several heads.")),
        LabEntry("dropout", message("Dropout"), message("Numbers are dropped at random, and the rest scaled up.")),
    )),
    Chapter(message("Parts of a block"), (
        LabEntry("layernorm", message("Layer normalisation"), message("Scales each row to mean 0 and variance 1.")),
        LabEntry("gelu", message("GELU"), message("What happens to a negative input.")),
        LabEntry("feedforward", message("Feed-forward network"), message(
        "Each token separately: four times as wide, GELU, back to its width.")),
        LabEntry("shortcuts", message("Shortcuts"), message(
        "Why the first layers of a deep network would learn nothing without them.")),
    )),
    Chapter(message("The whole model"), (
        LabEntry("block", message("Block and model"), message("A token's path through the model, shape by shape.")),
        LabEntry("sizes", message("Sizes"), message("Where the parameters of the four GPT-2 models are.")),
    )),
    Chapter(message("Training and generation"), (
        LabEntry("loss", message("Loss"), message("One number for how wrong a model is.")),
        LabEntry("ngrams", message("From a table to a GPT"), message(
        "What counting alone can do, and why it does not go far.")),
        LabEntry("optimizers", message("Three optimizers"), message(
        "AdamW, SGD with momentum and Muon in the same valley.")),
        LabEntry("scaling", message("Scaling laws"), message(
        "Four sizes, equal compute: how the loss changes with the number of parameters.")),
        LabEntry("sampling", message("Sampling"), message("From nine probabilities to one sampled word.")),
        LabEntry("generate", message("Greedy decoding"), message("From logits to text, one step at a time.")),
    )),
    Chapter(message("Inside a model"), (
        LabEntry("ablation", message("Ablation"), message(
        "A head or feed-forward network off: what the next word loses.")),
        LabEntry("patching", message("Patching"), message(
        "Two sentences that differ in one word: where the model keeps the difference.")),
        LabEntry("beams", message("Beam search"), message(
        "Several texts at once, because the best first word can mislead.")),
    )),
)

ENTRIES = {entry.name: entry for chapter in CHAPTERS for entry in chapter.entries}


def load(name: str) -> Lab:
    """Return a lab by its name.

    Raises:
        UserError: there is no lab of this name; the message lists the labs.
    """
    if name not in ENTRIES:
        raise UserError(message(
            "There is no experiment '{name}'. Available: {known}.", name=name, known=", ".join(ENTRIES)))
    lab: Lab = import_module(f"gptstudio.labs.{name}").LAB
    return lab
