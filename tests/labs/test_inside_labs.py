"""Ablation, patching and beam search: the code of a page, the parts of a sum, and searches compared with
enumeration."""

import math
from itertools import product

import numpy as np
import pytest
import torch

from gptstudio.labs import ablation, beams, patching, small_gpt
from gptstudio.labs.catalogue import load


def request(lab: str, **changes):
    return load(lab).examples[0].request.but(**changes)


# Ablation.


def test_that_the_attributions_and_the_embeddings_add_up_to_the_logit():
    for seed, text in product((0, 123), ("the", "the dog in the field eats")):
        found = ablation.answer(request("ablation", seed=seed, text=text))
        assert found.figures[:, 1].sum() + found.rest == pytest.approx(found.logit, abs=1e-4)


def test_that_the_effect_of_a_component_is_that_of_its_ablation():
    for row, name in enumerate(ablation.COMPONENTS):
        found = ablation.answer(request("ablation", component=name))
        assert ablation.values(found)["change"] == pytest.approx(found.figures[row, 0], abs=1e-4)
    unchanged = ablation.answer(request("ablation", component="none"))
    assert (unchanged.before == unchanged.after).all()


def test_that_the_small_model_learned_the_food_of_each_animal_and_draws_from_no_other_stream():
    before = torch.get_rng_state()
    for animal, food in small_gpt.FOODS.items():
        found = ablation.answer(request("ablation", text=f"the {animal} in the house eats", component="none"))
        assert found.words[found.word] == food
        assert found.before[found.word] > 0.9
    assert torch.equal(before, torch.get_rng_state())


# Patching.


def test_that_the_animal_is_stored_at_its_own_word_and_one_layer_later_at_the_next():
    found = patching.answer(request("patching"))
    assert (found.words[found.right], found.words[found.wrong]) == ("fish", "meat")
    assert found.recovered[0].tolist() == pytest.approx([0, 1, 0, 0, 0, 0], abs=1e-4)
    assert found.recovered[1].argmax() == 2
    assert found.recovered[1, 2] > 0.9
    clean, corrupted, patched = found.differences
    assert (patched - corrupted) / (clean - corrupted) == pytest.approx(1, abs=1e-4)


# Beams.


def test_that_greedy_misses_the_best_text_and_two_beams_find_it():
    found = beams.answer(request("beams"))
    assert (found.greedy.text, found.found.text) == ("the nice dog barks .", "the dog barks .")
    assert found.found.log_probability == pytest.approx(math.log(0.4 * 0.9 * 0.8))
    assert beams.values(found)["is_best"] == 1
    assert beams.values(beams.answer(request("beams", width=1)))["is_best"] == 0


@pytest.mark.parametrize("alpha", [0.0, 0.7, 2.0])
def test_that_the_best_of_all_is_that_of_enumeration_and_no_search_exceeds_it(alpha):
    rows = np.random.default_rng(3).uniform(0, 9, (4, 5)).tolist()
    asked = request("beams", weights=tuple(map(tuple, rows)), steps=4, length_penalty=alpha)
    p = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    texts = [ids for n in range(1, 5) for ids in product(range(5), repeat=n)
             if 4 not in ids[:-1] and (ids[-1] == 4 or n == 4)]
    scores = [sum(math.log(p[pair]) for pair in zip((0, *ids), ids, strict=False)) / len(ids) ** alpha for ids in texts]
    found = beams.answer(asked)
    assert found.texts == len(texts)
    assert found.best.score == pytest.approx(max(scores))
    assert found.best.ids[1:] == texts[int(np.argmax(scores))]
    assert found.found.score <= found.best.score + 1e-12
    wide = beams.answer(asked.but(width=8)).found.score
    assert found.greedy.score <= wide + 1e-12


@pytest.mark.parametrize("lab", ["ablation", "patching", "beams"])
def test_that_each_example_has_a_table_and_finite_figures(lab):
    for example in load(lab).examples:
        answer = load(lab).answer(example.request)
        table = load(lab).table(answer)
        assert {len(row) for row in table.rows} == {len(table.columns)}
        assert all(map(math.isfinite, load(lab).values(answer).values()))
