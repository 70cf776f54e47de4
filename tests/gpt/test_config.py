"""A configuration reports all its errors at once, with messages; and it never changes."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.errors import UserError
from gptstudio.fields import SpecError, allowed, fields_of
from gptstudio.gpt.config import DEFAULT_PRESET, PRESETS, GPTConfig
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.spec import TrainSpec

WRONG = [
    # field, value, the displayed value, a part of the allowed range
    ("vocab_size", 0, "0", "a whole number between 1 and 1,000,000"),
    ("context_length", -1, "-1", "a whole number between 1 and 131,072"),
    ("emb_dim", 10**30, "1,000,000,000,000,000,000,000,000,000,000", "a whole number between 1 and 65,536"),
    ("n_heads", 1.5, "1.5", "a whole number between 1 and 1,024"),
    ("n_layers", "twelve", "'twelve'", "a whole number between 1 and 1,000"),
    ("n_layers", None, "None", "a whole number between 1 and 1,000"),
    ("n_layers", [12], "[12]", "a whole number between 1 and 1,000"),
    ("drop_rate", 1.0, "1.0", "a number between 0.0 and 0.99"),
    ("drop_rate", -0.1, "-0.1", "a number between 0.0 and 0.99"),
    ("drop_rate", math.nan, "nan", "a number between 0.0 and 0.99"),
    ("drop_rate", math.inf, "inf", "a number between 0.0 and 0.99"),
    ("drop_rate_attn", 2, "2", "a number between 0.0 and 0.99, or empty"),
    ("qkv_bias", "perhaps", "'perhaps'", "true or false"),
]


@pytest.mark.parametrize(("field", "value", "shown", "may"), WRONG, ids=[f"{w[0]}={w[1]}" for w in WRONG])
def test_that_a_problem_names_the_field_the_value_and_the_allowed_range(field, value, shown, may):
    problems = GPTConfig.problems({field: value})
    assert [problem.field for problem in problems] == [field]
    assert problems[0].message == f"{field} is {shown}; it must be {may}."


def test_that_all_problems_are_found_at_once():
    values = {"vocab_size": 0, "n_heads": "many", "drop_rate": 7, "emb_dim": 100, "n_layer": 3}
    with pytest.raises(SpecError) as caught:
        GPTConfig.make(values)
    assert {problem.field for problem in caught.value.problems} == {"vocab_size", "n_heads", "drop_rate", "n_layer"}
    assert all(problem.message in str(caught.value) for problem in caught.value.problems)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, UserError)


def test_that_a_width_that_does_not_divide_is_found_beside_another_problem():
    problems = GPTConfig.problems({"emb_dim": 100, "n_heads": 3, "n_layers": 0})
    assert [problem.field for problem in problems] == ["n_layers", "emb_dim"]
    assert problems[1].message == (
        "Width (100) must be a multiple of Heads (3), for example 99."
    )


@given(st.integers(1, 65_536), st.integers(1, 1_024))
def test_that_the_suggested_width_is_allowed(emb_dim, n_heads):
    problems = GPTConfig.problems({"emb_dim": emb_dim, "n_heads": n_heads})
    assert bool(problems) == bool(emb_dim % n_heads)
    if problems:
        suggested = int(re.findall(r"[\d,]+", problems[0].message)[-1].replace(",", ""))
        assert not GPTConfig.problems({"emb_dim": suggested, "n_heads": n_heads})


def test_that_an_unknown_field_is_named_with_the_known_ones():
    [problem] = GPTConfig.problems({"n_layer": 12})
    assert problem.field == "n_layer"
    assert problem.message.startswith("n_layer is not a setting. The settings are: vocabulary, vocab_size, context")


ABSURD = {
    "huge": 10**5_000, "negative": -(10**5_000), "long": "x" * 10_000, "list": list(range(10_000)), "object": object(),
}


@pytest.mark.parametrize("value", ABSURD.values(), ids=ABSURD)
@pytest.mark.parametrize("field", ["n_layers", "drop_rate", "qkv_bias"])
def test_that_no_absurd_value_gives_more_than_a_line(field, value):
    [problem] = GPTConfig.problems({field: value})
    assert problem.message.startswith(f"{field} is ")
    assert len(problem.message) < 200


@given(st.dictionaries(
    st.sampled_from([*GPTConfig.model_fields, "other"]),
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
))
def test_that_problems_are_found_exactly_when_no_config_can_be_made(values):
    problems = GPTConfig.problems(values)
    if problems:
        with pytest.raises(SpecError):
            GPTConfig.make(values)
    else:
        assert GPTConfig.problems(GPTConfig.make(values).shallow()) == []


@pytest.mark.parametrize("wrong", [{"emb_dim": -3}, {"emb_dim": 10, "n_heads": 3}, {"n_layer": 1}])
def test_that_a_problem_inside_a_run_has_the_same_message_as_alone(wrong):
    inside = TrainSpec.problems({"config": wrong, "epochs": 0})
    assert GPTConfig.problems(wrong)[0] in inside
    assert "epochs" in {problem.field for problem in inside}
    with pytest.raises(SpecError):
        TrainSpec.make({"config": wrong})


def test_that_a_run_without_a_usable_config_is_reported():
    [problem] = TrainSpec.problems({"config": 5})
    assert problem.message.startswith("config is 5; it must be ")
    assert "text" not in problem.message


@pytest.mark.parametrize(
    ("values", "field", "part"),
    [
        ({"config": GPTConfig(vocab_size=50_256)}, "vocab_size", "at least 50,257 for GPT-2's tokenizer to read"),
        ({"reference": True, "precision": "bf16"}, "precision", "Precision is bf16;"),
        ({"precision": "fp64"}, "precision", "'fp64'; it must be one of auto, fp32, bf16"),
        ({"sample_prompt": ""}, "sample_prompt", "empty"),
        ({"steps": 0}, "steps", "a whole number between 1 and 100,000,000, or empty"),
        ({"train_ratio": 1.0}, "train_ratio", "a number between 0.01 and 0.99"),
        ({"learning_rate": -1e-4}, "learning_rate", "a number between 0.0 and 10.0"),
        ({"seed": 2**63}, "seed", "a whole number between 0 and 9,223,372,036,854,775,807"),
    ],
)
def test_that_an_impossible_run_is_refused_with_a_message(values, field, part):
    [problem] = TrainSpec.problems(values)
    assert problem.field == field
    assert part in problem.message


def test_that_no_sample_needs_no_prompt():
    assert TrainSpec.problems({"sample_prompt": "", "sample_tokens": 0}) == []


@pytest.mark.parametrize("spec", [GPTConfig(), TrainSpec(), GenerateSpec()], ids=lambda spec: type(spec).__name__)
def test_that_a_spec_is_frozen_and_can_be_a_key(spec):
    with pytest.raises(SpecError, match="cannot be changed"):
        setattr(spec, next(iter(type(spec).model_fields)), 1)
    assert {spec: 1}[type(spec)()] == 1


@pytest.mark.parametrize("cfg", PRESETS.values(), ids=PRESETS)
def test_that_a_preset_survives_json(cfg):
    assert GPTConfig.model_validate_json(cfg.model_dump_json()) == cfg


def test_that_a_run_survives_json_with_all_that_was_changed():
    spec = TrainSpec(
        config=GPTConfig(emb_dim=48, n_heads=4, drop_rate_attn=0.25, qkv_bias=True), learning_rate=1 / 3, steps=7,
        text="/a text/mit Umlaut ä.txt", seed=2**63 - 1, precision="bf16",
    )
    assert TrainSpec.model_validate_json(spec.model_dump_json()) == spec
    assert json.loads(spec.model_dump_json())["config"]["drop_rate_attn"] == 0.25


def test_that_a_spec_is_changed_by_making_another():
    cfg = GPTConfig()
    assert cfg.but(n_layers=3).n_layers == 3
    assert cfg.n_layers == 12
    with pytest.raises(SpecError, match="n_layers is 0"):
        cfg.but(n_layers=0)
    assert TrainSpec().but(epochs=3).config == PRESETS[DEFAULT_PRESET]


@pytest.mark.parametrize("spec", [GPTConfig, TrainSpec, GenerateSpec])
def test_that_every_field_has_a_description_and_an_allowed_default(spec):
    assert spec.problems({}) == []
    # The largest model: any number of its blocks may be frozen.
    beside = {"config": PRESETS[DEFAULT_PRESET].but(n_layers=1_000)} if spec is TrainSpec else {}
    for view in fields_of(spec):
        assert view.label, view.name
        assert view.help.endswith((".", ".”")), view.name
        assert allowed(view)
        if view.kind in ("int", "float"):
            assert view.low is not None, view.name
            assert view.high is not None, view.name
            for edge in (view.low, view.high):
                values = {view.name: edge, **beside}
                assert not [p for p in spec.problems(values) if p.message.startswith(f"{view.name} is ")], view.name


def test_that_the_defaults_are_the_books():
    cfg, run = GPTConfig(), TrainSpec()
    assert (cfg.vocab_size, cfg.context_length, cfg.emb_dim, cfg.n_heads, cfg.n_layers) == (50_257, 256, 768, 12, 12)
    assert (cfg.drop_rate, cfg.qkv_bias, cfg.tie_weights) == (0.1, False, False)
    assert (run.epochs, run.batch_size, run.learning_rate, run.weight_decay) == (10, 2, 4e-4, 0.1)
    assert (run.eval_iter, run.seed, run.train_ratio) == (5, 123, 0.9)
    assert TrainSpec(config=cfg).evaluation_interval == 5
    assert run.evaluation_interval == 15, "the steps of `workshop` are short"
    assert (run.sample_prompt, run.window_stride) == ("Every effort moves you", run.config.context_length)
