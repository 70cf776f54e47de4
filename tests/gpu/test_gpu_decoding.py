"""Texts generated on a GPU, and analyses of a model there, equal those of the processor."""

import numpy as np
import pytest
from on_gpu import DEVICE, model_on, relative

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.decoder import Decoder
from gptstudio.inference import interpret, intervening, next_token, patching
from gptstudio.inference.beam_search import BeamSpec, search
from gptstudio.inference.generator import generate
from gptstudio.inference.interventions import AttentionPattern, Component, Intervention, Interventions
from gptstudio.inference.prompt_pair import PromptPair
from gptstudio.inference.scoring import score
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.events import TokenDrawn, TokenRead

CFG = GPTConfig(context_length=64, emb_dim=128, n_heads=4, n_layers=4)
TEXT = "Every effort moves you to the cat, and the cat to the mat."
ALLOWED = 1e-4
SETTINGS = {
    "greedy": {"temperature": 0.0},
    "as it is": {},
    "all stages": {
        "temperature": 0.8, "top_k": 40, "top_p": 0.9, "min_p": 0.01, "typical_p": 0.95, "repetition_penalty": 1.2,
        "frequency_penalty": 0.1, "presence_penalty": 0.1,
    },
    "8 texts": {"samples": 8, "temperature": 1.3, "top_k": 100},
}


def decoder_on(device: str) -> Decoder:
    return Decoder(model_on(device, CFG, spread=4.0), weights="fp32")


def drawn(device: str, **settings) -> list[tuple[int, int, int]]:
    spec = GenerateSpec(prompt=TEXT, max_new_tokens=70, device=device, **settings)
    events = generate(spec, lambda: decoder_on(device), Control())
    return [(each.sample, each.position, each.id) for each in events if isinstance(each, TokenDrawn)]


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS.keys())
def test_that_the_same_tokens_are_drawn_as_on_the_processor(settings):
    assert drawn(DEVICE, **settings) == drawn("cpu", **settings)


def test_that_beams_are_those_of_the_processor():
    def beams(device: str) -> list[tuple[int, ...]]:
        *_, last = search(decoder_on(device), [6109, 3626, 6100, 345], BeamSpec(width=4, max_new_tokens=20))
        return [beam.ids for beam in last.kept]

    assert beams(DEVICE) == beams("cpu")


def test_that_a_score_is_that_of_the_processor():
    def read(device: str) -> np.ndarray:
        events = score(TEXT * 8, lambda: decoder_on(device), Control())
        return np.array([
            each.plain_probability for each in events if isinstance(each, TokenRead) and each.plain_probability])

    assert read(DEVICE) == pytest.approx(read("cpu"), rel=1e-3, abs=1e-6)


IDS = list(range(300, 320))


def test_that_attention_and_the_lens_are_those_of_the_processor():
    ours, exact = model_on(DEVICE, CFG), model_on("cpu", CFG)
    for layer in range(CFG.n_layers):
        found, expected = (interpret.attention(model, IDS, layer).weights for model in (ours, exact))
        assert found == pytest.approx(expected, abs=ALLOWED)
    found, expected = (interpret.logit_lens(model, IDS).probabilities for model in (ours, exact))
    assert found == pytest.approx(expected, abs=ALLOWED)


CHANGES = {
    "a head": Intervention.of(Component(1, 2)),
    "half a feed-forward": Intervention.of(Component(2), 0.5),
    "a pattern": AttentionPattern(layer=0, head=1, pattern="previous"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_that_an_intervention_has_the_same_effect_as_on_the_processor(change):
    found, expected = (
        intervening.changed_logits(model_on(device, CFG), IDS, Interventions(changes=(change,)))
        for device in (DEVICE, "cpu")
    )
    assert relative(found, expected) < ALLOWED


def test_that_patching_recovers_the_same_as_on_the_processor():
    pair = PromptPair(tuple(IDS), (*IDS[:-3], 7, *IDS[-2:]))
    found, expected = (patching.patch(model_on(device, CFG, spread=4.0), pair) for device in (DEVICE, "cpu"))
    assert (found.answer, found.wrong) == (expected.answer, expected.wrong)
    assert found.patched.difference == pytest.approx(expected.patched.difference, abs=1e-3)


def test_that_the_effects_of_all_components_are_those_of_the_processor():
    found, expected = (next_token.effects(model_on(device, CFG, spread=4.0), IDS, 7) for device in (DEVICE, "cpu"))
    assert found.ablation == pytest.approx(expected.ablation, abs=1e-3)
