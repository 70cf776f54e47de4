"""Rules for each lab: its code computes its answer, which is frozen, can be written as JSON and a table, and draws only
from its own stream."""

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
import tiktoken
import torch
from lab_output import as_json, ran
from wrong_requests import WRONG

from gptstudio import devices
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import GPT2
from gptstudio.labs import beams, layernorm
from gptstudio.labs.block import MODEL, PLACEHOLDER
from gptstudio.labs.catalogue import ENTRIES, load
from gptstudio.labs.lab import Lab
from gptstudio.labs.shortcuts import ACTIVATIONS
from gptstudio.labs.windows import BOOK_IDS
from gptstudio.training import model_source
from gptstudio.training.model_source import UntrainedModel

SMALL = GPTConfig(context_length=16, emb_dim=12, n_heads=12, n_layers=12)
CHANGES = {
    "attention": {"rate": 0.5}, "shortcuts": {"seeds": 3}, "feedforward": {"width": 64, "text": "日本 one"},
    "loss": {"source": "model"}, "gelu": {"x": 0.3, "misplaced": True},
    "block": {"emb_dim": 12, "n_heads": 3, "n_layers": 2, "context_length": 8, "compute": MODEL},
}


def model_for(lab: Lab) -> list[Any]:
    """Return a small model for a lab that needs one."""
    return [model_source.load(UntrainedModel(SMALL), devices.cpu(), "reference")] if lab.model else []


@pytest.mark.parametrize("name", ENTRIES)
def test_that_an_answer_is_frozen_has_json_and_a_table_and_draws_only_from_its_own_stream(name):
    lab = load(name)
    lab_request = lab.examples[0].request.but(**CHANGES.get(name, {}))
    for each in (lab_request, *(example.request for example in lab.examples)):
        assert type(each).make(as_json(each)) == each
    model, before = model_for(lab), torch.get_rng_state()
    found = lab.answer(lab_request, *model)
    assert torch.equal(before, torch.get_rng_state())
    written = as_json(found)
    for field in (each.name for each in dataclasses.fields(found)):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(found, field, None)
        value = getattr(found, field)
        if isinstance(value, (np.ndarray, int, float)):
            np.testing.assert_array_equal(np.array(written[field], float), np.asarray(value, float))
        assert field in written
    table = lab.table(found)
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert lab.values(found)


@pytest.mark.parametrize(("name", "changes", "field", "words"), [(name, *row) for name in WRONG for row in WRONG[name]])
def test_that_an_error_in_a_request_is_reported_once_at_its_field(name, changes, field, words):
    lab = load(name)
    problems = lab.request.problems(lab.examples[0].request.shallow() | changes)
    assert [(each.field, words in each.message) for each in problems] == [(field, True)], problems


# The code that is shown.


class Shown(NamedTuple):
    """Requests of a lab, as changes of an example, and what their code has to compute.

    Attributes:
        pairs: given the names of the code and the answer, yields pairs of a computed value and that of the answer: they
            must be equal, or with two more numbers, near within this relative and absolute tolerance.
        examples: indices of the examples that are tested as they are.
    """

    changes: list[dict[str, Any]]
    pairs: Callable[[dict[str, Any], Any], Iterator[tuple] | list[tuple]]
    examples: range = range(0)


def of_block(names: dict[str, Any], found: Any) -> Iterator[tuple]:
    if found.logits is None:
        yield from ((names["shapes"][path], step.shape) for path, step in found.model.paths().items()
                    if path in names["shapes"])
        return
    yield names["logits"][..., [0, 1, 2, -3, -2, -1]], found.logits, 1e-5, 0
    assert [len(row) for row in found.next] == [4, 4]


def of_activations(names: dict[str, Any], found: Any) -> Iterator[tuple]:
    yield list(names["curves"]), list(found.curves)
    for name, curve in found.curves.items():
        yield names["curves"][name], curve.y, 1e-7, 2e-6
        yield names["slopes"][name], curve.slope, 1e-7, 2e-6
    assert "relu" in names["printed"]


def of_patching(names: dict[str, Any], found: Any) -> Iterator[tuple]:
    layer, position = found.cell
    yield names["recovered"], found.recovered, 0, 1e-4
    yield names["logits"][layer][position].softmax(-1), found.patched, 0, 1e-5


def of_beams(names: dict[str, Any], found: Any) -> Iterator[tuple]:
    kept = [each for each in found.steps[-1] if each.kept]
    yield [ids for ids, _ in names["beams"]], [each.ids for each in kept]
    yield [total for _, total in names["beams"]], np.array([each.log_probability for each in kept]), 1e-6, 0


def of_windows(names: dict[str, Any], found: Any) -> Iterator[tuple]:
    rows = slice(found.first, found.first + names["loader"].batch_size)
    yield names["inputs"][rows].tolist(), found.inputs.tolist()
    yield names["targets"][rows].tolist(), found.targets.tolist()
    yield (len(names["starts"]), len(names["loader"])), (len(found.starts), found.batches)
    yield from ((inputs.tolist(), found.inputs.tolist()) for i, (inputs, _) in enumerate(names["loader"])
                if i == found.batch)


TINY = {"emb_dim": 12, "n_heads": 3, "n_layers": 2, "context_length": 8, "qkv_bias": True, "seed": 5}
ROWS = {"numbers": ((1.0, -2.0, 0.5), (0.0, 3.0, 4.0)), "rate": 0.3, "seed": 7, "draws": 400}
RATES = {"drop_rate_emb": 0.2, "drop_rate_attn": None, "drop_rate_shortcut": 0.0}
SENTENCE = {"ids": ((2, 3, 5, 1), (3, 3, 0, 4)), "position": 2, "context": 9, "width": 5, "row": 1, "column": 2,
            "seed": 7}
OWN = "one two three one two four one two three five one two three one six " * 20
THAT = "the cat sat on the mat, and the cat that sat there ate that rat."
CODE = {
    "attention": Shown([], lambda n, a: [(n["context"].tolist(), a.context.tolist())], range(5)),
    "block": Shown(
        [TINY, *(TINY | {"compute": each, "drop_rate": 0.2} for each in (PLACEHOLDER, MODEL)),
         TINY | {"compute": MODEL, "norm_shift": "one", "qkv_bias": False}], of_block),
    "dropout": Shown(
        [{}, ROWS, ROWS | {"training": False}, {"draws": 1}, {"rate": 0.0}],
        lambda n, a: [(n["out"].tolist(), a.out.tolist()), (n["average"], a.average, 1e-7, 1e-6)]),
    "dropout in a model": Shown(
        [{"part": "model"} | each for each in ({}, RATES, {"training": False}, {"tokens": 8, "preset": "workshop"})],
        lambda n, a: [(n["dropped"], {place.name: place.dropped for place in a.places})]),
    "embeddings": Shown([SENTENCE], lambda n, a: [
        (n["x"].tolist(), a.out.tolist()), (n["tokens"].tolist(), a.tokens.tolist()), (n["printed"][:4], "True")],
        range(2)),
    "feedforward": Shown([{}, {"width": 48, "batch": 1, "tokens": 7}], lambda n, a: [
        (tuple(tuple(n[each].shape) for each in ("x", "wide", "wide", "out")), a.module.shapes),
        (n["parameters"], a.module.total), (str(a.module.total) in n["printed"], True)]),
    "gelu": Shown([{"reach": 2.5, "points": 11, "misplaced": True}], of_activations, range(2)),
    "ablation": Shown([
        {}, {"component": "0.mlp", "baseline": "mean", "seed": 7}, {"component": "none", "text": "the", "steps": 0},
        {"component": "1.1", "baseline": "mean", "word": "meat", "steps": 20},
    ], lambda n, a: [
        (n["after"].exp(), a.after, 0, 1e-5), (n["words"][n["word"]], a.words[a.word]),
        ([[each.item() for each in row] for row in n["figures"].values()], a.figures, 0, 1e-4)]),
    "patching": Shown([
        {}, {"kind": "attention", "layer": 1, "position": 5}, {"kind": "mlp", "steps": 0, "seed": 2},
        {"clean": "cat", "corrupted": "dog", "position": 0}], of_patching),
    "beams": Shown([
        {}, {"width": 1, "steps": 6}, {"width": 8, "length_penalty": 1.0, "weights": beams.EARLY_END},
        {"width": 3, "weights": ((1.0,) * 5,) * 4, "steps": 3}, {"steps": 1}], of_beams),
    "layernorm": Shown(
        [{"batch": ((1.0, 2.5, -3.0),), "unbiased": True, "eps": 0.01, "scale": -2.0, "shift": 0.3}],
        lambda n, a: [(n["out"], a.out, 1e-5, 1e-6), (n["var"][:, 0], a.rows.variance, 1e-5, 0),
                      ("tensor" in n["printed"], True)], range(3)),
    "ngrams": Shown(
        [{}, {"text": "own", "own": OWN}, {"text": "own", "own": "word"}],
        lambda n, a: [(n["losses"], np.array([each.loss for each in a.tables]), 1e-12, 0)]),
    "optimizers": Shown([{"steps": 3, "x": 1.5}], lambda n, a: [
        (n["printed"][:7], "adamw ["), *((n["weights"][name].detach().diagonal().double(), each.points[-1], 1e-6, 0)
                                         for name, each in a.descents.items())], range(4)),
    "sampling": Shown([
        {}, {"temperature": 0.0}, {"temperature": 5.0, "top_k": None}, {"logits": (1.0,) * 9, "top_k": 4, "seed": 7},
        {"temperature": 0.0, "logits": (2.0,) * 9, "draws": 50},
    ], lambda n, a: [(n["probabilities"], a.probabilities, 1e-6, 0), (n["counts"].tolist(), a.counts.tolist())]),
    "shortcuts": Shown(
        [{"activation": each, "seed": 7, "layer_sizes": (2, 4, 4, 4, 3), "input": (0.5, 2.0)} for each in ACTIVATIONS],
        lambda n, a: [(n["without"], a.without.first, 1e-4, 0), (n["with_shortcuts"], a.with_shortcuts.first, 1e-4, 0)],
        range(3)),
    "sizes": Shown(
        [{"emb_dim": 96, "n_heads": 3, "n_layers": 2, "vocab_size": 500, "tied": True, "number": "bfloat16"}],
        lambda n, a: [(n["parameters"], load("sizes").values(a)["parameters"]),
                      (n["megabytes"], np.array(load("sizes").values(a)["megabytes"]), 1e-12, 0)], range(2)),
    "tokens": Shown(
        [{}, {"special": False, "word": ""}, {"text": "Ein 😀 “Wort”\n", "word": " Schifffahrt"}],
        lambda n, a: [(n["ids"], a.ids), (tuple(n["pieces"]), a.steps[-1].pieces), ("True" in n["printed"], True),
                      (len(re.findall(r"^\[b", n["printed"], re.M)), len(a.steps) - 1)]),
    "vocabulary": Shown([{"text": "own", "own": THAT, "step": 4}], lambda n, a: [
        (n["printed"].splitlines(), [f"{i} {each.left} {each.right} {each.count}"
                                     for i, each in enumerate(a.learned[:4], 1)])]),
    "windows": Shown([
        {}, {"text": "story", "context": 6, "stride": 5, "batch_size": 3, "window": 4, "drop_last": False},
        {"text": "own", "own": "One day it rained.", "context": 2},
        {"text": "ids", "ids": BOOK_IDS, "stride": 2, "batch_size": 2}], of_windows),
}
"""The code for models is tested with the labs ``generate`` and ``loss``, that of the fit with ``scaling``."""
ALONE = ("ablation", "patching")


@pytest.mark.parametrize("key", CODE)
def test_that_the_code_that_is_shown_computes_the_answer(key, verdict, monkeypatch):
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: {"gpt2": GPT2.encoding}[name])  # no network
    lab, shown = load(key.split(" ")[0]), CODE[key]
    first = lab.examples[0].request
    examples = [lab.examples[place].request for place in shown.examples]
    for asked in [*examples, *(first.but(**each) for each in shown.changes)]:
        names, found = ran(lab, asked, seed=1), lab.answer(asked, *model_for(lab))
        assert key not in ALONE or "gptstudio" not in lab.code(asked)
        assert key != "optimizers" or len([line for line in lab.code(asked).splitlines() if line]) <= 18
        for computed, expected, *tolerance in shown.pairs(names, found):
            if tolerance:
                computed = computed.detach() if isinstance(computed, torch.Tensor) else computed
                np.testing.assert_allclose(np.asarray(computed), expected, *tolerance, err_msg=str(asked))
            else:
                assert computed == expected, asked


# Tables and values.


Row = tuple | Callable[[Any], tuple]
FOUND: dict[str, tuple[dict[str, Any], Callable[[Any], dict[str, Any]], int, dict[int | None, Row]]] = {
    "block": (TINY, lambda a: {"parameters": a.model.parameters}, 31, {}),
    "dropout": (ROWS, lambda a: {"zeros": (a.kept == 0).sum()}, 6, {}),
    "embeddings": (SENTENCE, lambda _: {"id": 0, "position": 4}, 8, {
        None: ("sequence", "token", "id", "position", "number 0"), 7: (1, 3, 4, 5)}),
    "feedforward": ({}, lambda a: {"parameters": 4_722_432, "negative": a.outputs.negative}, 60, {
        0: lambda a: (*a.outputs.edges[:2], a.outputs.before[0], a.outputs.after[0])}),
    "gelu": ({"points": 7}, lambda a: {"relu": 0, "gelu": a.curves["gelu"].at}, 7, {
        None: ("x", "gelu_tanh value", "gelu_tanh slope")}),
    "generate": ({"new_tokens": 2}, lambda a: {"last_id": a.ids[-1]}, 20, {
        10: lambda a: (2, 1, a.steps[1].chosen)}),
    "layernorm": ({"batch": layernorm.INPUT, "unbiased": False, "eps": 1e-5, "shift": 1.0},
                  lambda _: {"mean": pytest.approx(1, abs=1e-6), "rows": 2}, 8, {}),
    "loss": ({}, lambda a: {"loss": a.loss}, 6, {0: lambda a: (1, "␣effort", a.probabilities[0], a.logs[0])}),
    "ngrams": ({}, lambda a: {f"loss_{each.order}": each.loss for each in a.tables}, 4, {
        n: lambda a, n=n: (n + 1, a.tables[n].loss) for n in range(4)}),
    "optimizers": ({"steps": 5, "step": 3}, lambda a: {
        "muon_loss": a.descents["muon"].losses[-1], "sgd_x": a.descents["sgd"].points[3, 0],
        "sgd_y": a.descents["sgd"].points[3, 1]}, 6, {
        5: lambda a: (5, *(x for each in a.descents.values() for x in (*each.points[5], each.losses[5])))}),
    "sampling": ({}, lambda _: {"kept": 3}, 9, {n: lambda a, n=n: (a.words[n],) for n in range(9)}),
    "shortcuts": ({}, lambda _: {}, 5, {}),
    "sizes": ({}, lambda _: {}, 5, {}),
    "tokens": ({}, lambda _: {"tokens": 20}, 20, {0: (0, 15496, "Hello", "48 65 6c 6c 6f")}),
    "windows": ({"text": "ids", "stride": 2, "batch_size": 2}, lambda _: {
        "overlap": 2, "windows": 2, "skipped": 0, "repeated": 2}, 2, {
        0: (0, 10, 20, 30, 40, 20, 30, 40, 50), 1: (1, 30, 40, 50, 60, 40, 50, 60, 70)}),
}
"""Changes of the first example, values of the answer, number of rows of its table, and beginnings of rows; None: of the
columns."""


@pytest.mark.parametrize("name", FOUND)
def test_that_the_table_and_the_values_are_of_the_answer(name):
    changes, values, count, rows = FOUND[name]
    lab = load(name)
    found = lab.answer(lab.examples[0].request.but(**changes), *model_for(lab))
    table = lab.table(found)
    assert len(table.rows) == count
    for place, row in rows.items():
        expected = row(found) if callable(row) else row
        assert (table.columns if place is None else table.rows[place])[: len(expected)] == expected
    assert lab.values(found) | values(found) == lab.values(found)


@pytest.mark.parametrize(("name", "changes", "slow"), [
    ("block", TINY, False), *(("block", TINY | {"compute": each}, True) for each in (PLACEHOLDER, MODEL)),
    ("embeddings", {"vocabulary": 50_257, "width": 256}, True),
    ("embeddings", {"ids": ((0,) * 64,) * 32, "context": 64, "width": 1_024, "vocabulary": 195}, False),
    ("shortcuts", {}, False), ("shortcuts", {"activation": "exact GELU"}, False),
    ("shortcuts", {"seeded": "once for both"}, False), ("shortcuts", {"seeds": 500}, True),
])
def test_that_only_long_computations_are_slow(name, changes, slow):
    asked = load(name).examples[0].request.but(**changes)
    if not slow:
        load(name).answer(asked)
    assert load(name).slow(asked) is slow
