"""The window, the command line and a computation by hand give the same stages for the same token."""

import json

import pytest
from by_hand import stages_by_hand

from gptstudio.cli.generate import generate_from
from gptstudio.gpt.sampling.params import SamplingParams
from gptstudio.training.events import TokenDrawn
from gptstudio.training.model_source import UntrainedModel

FIRST_PAGE = "generate"

SETTINGS = [
    SamplingParams(temperature=1.4, top_k=25, top_p=0.9),
    SamplingParams(
        temperature=0.7, top_k=40, top_p=0.95, min_p=0.02, repetition_penalty=1.3, typical_p=0.9, frequency_penalty=0.2,
        presence_penalty=0.1, order=("top_p", "repetition_penalty", "min_p", "temperature", "top_k"),
    ),
]


def test_that_window_command_line_and_manual_computation_agree_on_every_stage(writer, tiny, capsys):
    for sampling_params in SETTINGS:
        writer.decoding.clear()
        assert_agreement(writer, tiny, capsys, sampling_params)


def assert_agreement(user, tiny, capsys, sampling_params: SamplingParams) -> None:
    user.generate.set_params(sampling_params)
    user.generate.write(2)
    capsys.readouterr()
    generate_from(user.generate.spec, UntrainedModel(tiny, user.generate.spec.seed), json=True)
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    printed = [each for each in printed if each["event"] == "token_drawn"]
    shown = {each.position: each for each in user.received(TokenDrawn)}
    assert [each["id"] for each in printed] == [each.id for each in shown.values()]
    for token in printed:
        path = user.generate.text.path
        user.generate.choose(token["position"])
        choice = user.generate.choice
        logits = user.generate.text.logits(token["position"])
        hand = stages_by_hand(logits.tolist(), sampling_params, [node.id for node in path[: token["position"]]])
        assert token["probability"] == pytest.approx(hand.probabilities[token["id"]], abs=1e-6)
        for candidate in token["alternatives"]:
            i = candidate["id"]
            assert candidate["probability"] == pytest.approx(hand.plain[i], abs=1e-6)
            assert candidate["after"] == pytest.approx(hand.probabilities[i], abs=1e-6)
            assert choice.stages.probabilities[i] == pytest.approx(hand.probabilities[i], abs=1e-6)
            for step in choice.stages.steps:
                value = hand.after[step.stage.name][i]
                assert float(step.after[i]) == pytest.approx(value, abs=1e-6)
                told = candidate["stages"][step.stage.name]
                assert (told is None) if value == float("-inf") else told == pytest.approx(value, abs=1e-6)
