"""Every field of a spec is a flag, and a typed value reaches the field."""

import pytest

from gptstudio.cli.arguments import Flags, GenerateFlags, ModelFlags, TrainFlags, train_spec_from
from gptstudio.fields import SpecError, fields_of
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.spec import TrainSpec

SPECS = {"train": (GPTConfig, TrainSpec), "generate": (GPTConfig, GenerateSpec), "size": (GPTConfig,)}


@pytest.mark.parametrize("command", SPECS)
def test_that_the_help_of_a_command_describes_every_field_with_range_unit_and_default(cli, command):
    output = " ".join(cli(command, "--help").out.replace("│", " ").split())
    for spec in SPECS[command]:
        for field in fields_of(spec):
            assert f"--{field.name.replace('_', '-')} " in output
            assert field.help.split(":")[0].split(". ")[0][:30] in output
    if command == "train":
        assert "Number of text windows in one step. From 1 to 65,536 windows. [default: 2]" in output
        assert "'none' for all epochs. From 1 to 100,000,000. [default: none]" in output
        parts = "token_embedding, position_embedding, attention, feed_forward, norms,"
        assert f"A comma-separated list of: {parts}" in output
        assert "Up to eight prompts. <validation> stands" in output
        assert "Can be given several times. 'none' for an empty list. [default: 'Every effort moves you' 'I" in output


@pytest.mark.parametrize("flags", [ModelFlags, TrainFlags, GenerateFlags])
def test_that_flags_not_given_change_nothing(flags: type[Flags]):
    assert flags().given() == {}


def test_that_a_flag_changes_its_field_and_leaves_the_preset_otherwise():
    spec = train_spec_from("book", ModelFlags(n_layers="3", qkv_bias=True), TrainFlags(batch_size="4", stride="none"))
    assert spec.config == PRESETS["book"].but(n_layers=3, qkv_bias=True)
    assert (spec.batch_size, spec.stride, spec.epochs) == (4, None, TrainSpec().epochs)


def test_that_none_means_all_tokens_for_top_k():
    assert GenerateFlags(top_k="none").given() == GenerateFlags(top_k="").given() == {"top_k": None}
    assert GenerateFlags(prompt="none").given() == {"prompt": "none"}


def test_that_a_prompt_of_digits_stays_a_text():
    assert GenerateSpec.make(GenerateFlags(prompt="42").given()).prompt == "42"


def test_that_the_problems_of_model_and_training_are_reported_together():
    with pytest.raises(SpecError) as caught:
        train_spec_from("book", ModelFlags(n_heads="5", n_layers="x"), TrainFlags(epochs="0"))
    assert {problem.field for problem in caught.value.problems} == {"n_layers", "emb_dim", "epochs"}


def test_that_several_parts_are_named_with_commas_between_them(refused):
    assert TrainFlags(freeze="attention, norms").given() == {"freeze": ("attention", "norms")}
    assert TrainFlags(freeze="").given() == {"freeze": ()}
    reason = refused("train", "--freeze", "attention,heads", "--freeze-blocks", "9")
    assert "Freeze, item 2, is 'heads'; it must be one of token_embedding," in reason


def test_that_steps_and_epochs_exclude_each_other():
    with pytest.raises(SpecError, match=r"Set either steps or epochs, not both\."):
        train_spec_from("book", ModelFlags(), TrainFlags(epochs="1", steps="5"))
