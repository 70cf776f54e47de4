"""The description of a sweep: values, ranges, seeds and order; invalid values are refused with their name and range."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gptstudio.fields import SpecError
from gptstudio.toml_file import FileError
from gptstudio.training import sweep_toml
from gptstudio.training.spec import TrainSpec
from gptstudio.training.sweep_spec import SweepSpec, linear_range, log_range, members

FILE = b"""
name = "rate and layers"
seeds = [1, 2]
[model]
preset = "workshop"
emb_dim = 16
n_heads = 2
[training]
text = ["story"]
epochs = 3
[vary]
learning_rate = { from = 0.0001, to = 0.01, count = 3, scale = "log" }
n_layers = [1, 2]
"""


def test_that_each_combination_has_its_first_seed_before_any_has_the_next():
    sweep = sweep_toml.parse(FILE, "file")
    found = [(each.spec.learning_rate, each.spec.config.n_layers, each.spec.seed) for each in members(sweep)]
    rates, layers = (0.0001, 0.001, 0.01), (1, 2)
    assert found == [(rate, layer, seed) for seed in (1, 2) for rate in rates for layer in layers]
    assert [each.number for each in members(sweep)] == list(range(1, 13))
    assert len({each.id for each in members(sweep)}) == 12
    assert {each.spec.config.emb_dim for each in members(sweep)} == {16}
    assert {each.spec.epochs for each in members(sweep)} == {3}
    assert members(sweep)[0].label == "learning_rate 0.0001, n_layers 1, seed 1"


def test_that_a_sweep_is_the_same_after_it_was_saved():
    sweep = sweep_toml.parse(FILE, "file")
    again = SweepSpec.model_validate_json(sweep.model_dump_json())
    assert again == sweep
    assert [each.id for each in members(again)] == [each.id for each in members(sweep)]


@given(st.floats(1e-6, 1e3), st.floats(1e-6, 1e3), st.integers(2, 30))
def test_that_ranges_have_equal_differences_or_equal_ratios(low, high, count):
    line, curve = linear_range(low, high, count), log_range(low, high, count)
    if low != high and len(line) == len(curve) == count:
        steps = [b - a for a, b in pairwise(line)]
        assert steps == pytest.approx([(high - low) / (count - 1)] * (count - 1), abs=1e-9 * max(low, high))
        ratios = [math.log(b / a) for a, b in pairwise(curve)]
        assert ratios == pytest.approx([math.log(high / low) / (count - 1)] * (count - 1), abs=1e-9)
    assert line[0] == pytest.approx(low, rel=1e-11)
    assert curve[-1] == pytest.approx(high, rel=1e-11)


def test_that_a_range_of_whole_numbers_has_each_once():
    assert linear_range(1, 3, 5, whole=True) == (1, 2, 3)
    assert log_range(1, 16, 5, whole=True) == (1, 2, 4, 8, 16)


@pytest.mark.parametrize(("line", "words"), [
    ("[vary]\nlearning_rate = [0.1, 11]",
     "line 2: learning_rate is 11; it must be a number between 0.0 and 10.0."),
    ("[vary]\nlearning_rate = [0.1, true]",
     "line 2: learning_rate is True; it must be a number between 0.0 and 10.0."),
    ("[vary]\nepochs = [1, \"2\"]", "line 2: epochs is '2'; it must be a whole number between 1 and 100,000."),
    ("[vary]\nschedule = ['constant', 'steps']", "line 2: schedule is 'steps'; it must be one of constant, cosine."),
    ("[vary]\nn_heads = [4, 7]", "line 1: Width (256) must be a multiple of Heads (7), for example 259."),
    ("[vary]\nseed = [1, 2]", "line 2: seed is varied by the list of seeds, not among the settings."),
    ("[vary]\nrate = [1, 2]", "line 2: rate cannot be varied. The settings that can be are: epochs, steps"),
    ("[vary]\ntext = [['story'], ['verdict']]", "line 2: text cannot be varied."),
    ("[vary]\nepochs = [1, 2]\nbatch_size = [1, 2]\nn_layers = [1, 2]",
     "line 1: A sweep varies one or two settings, not 3."),
    ("[vary]\nepochs = [1]", "line 1: This sweep would be a single run."),
    ("[vary]\nepochs = 3", "line 2: epochs is 3; it must be a list of values, or a range such as"),
    ("[vary]\nepochs = []", "line 2: epochs has no values to vary"),
    ("[vary]\nlearning_rate = {from = 0, to = 1, count = 3, scale = 'log'}",
     "line 2: The part from of learning_rate is 0; it must be a number above 0, since the scale is log."),
    ("[vary]\nlearning_rate = {from = 0.1, to = inf, count = 3}",
     "line 2: learning_rate is inf; it must be a number between 0.0 and 10.0."),
    ("[vary]\nlearning_rate = {from = 0.1, to = 1, count = 1000000000}",
     "line 2: The count of learning_rate is 1000000000; it must be a whole number between 2 and 1,000."),
    ("[vary]\nschedule = {from = 1, to = 2, count = 2}", "line 2: schedule cannot be varied by a range"),
    ("[training]\nepochs = '3'", "line 2: epochs is '3'; it must be a whole number between 1 and 100,000."),
    ("[training]\nconfig = {}", "line 2: config is not a setting. The settings are: text, epochs"),
    ("[training]\nrate = 1", "line 2: rate is not a setting. The settings are: text, epochs"),
    ("[model]\npreset = 'huge'", "line 2: preset is 'huge'; it must be one of workshop, pocket, book"),
    ("[model]\nn_layers = 0", "line 2: n_layers is 0; it must be a whole number between 1 and 1,000."),
    ("seeds = []", "line 1: The list of seeds is empty."),
    ("seeds = [1, -1]", "line 1: seed is -1; it must be a whole number between 0 and"),
    ("seeds = 'many'", "line 1: seeds is 'many'; it must be a list of whole numbers, or their number."),
    ("name = '../up'\nseeds = 2", "line 1: The name of the sweep, '../up', cannot be the name of a folder."),
    ("name = 'nul'\nseeds = 2", "line 1: The name of the sweep, 'nul', cannot be the name of a folder."),
    ("colour = 1", "line 1: 'colour' is not part of the description of a sweep; the parts are vary, name, seeds"),
    ("vary = 3", "line 1: vary is 3; it must be a table of settings."),
    ("[vary", "line 1: the file is not valid TOML"),
])
def test_that_an_error_in_a_file_is_refused_with_its_line_its_name_and_its_range(line, words):
    with pytest.raises(FileError) as caught:
        sweep_toml.parse(line.encode(), "file")
    assert words in str(caught.value)


HOSTILE = ("\x1b[31m", "<b>", "=1+1", "{0}", "{name.__class__}", "a" * 10_000, "名前", "\u202e", "%s", "../" * 9)


TEMPLATES = (
    "name = {}", "seeds = {}", "{} = 1", "[vary]\n{} = [1]", "[vary]\nepochs = [{}]", "[vary]\nepochs = {}",
    "[model]\npreset = {}", "[model]\n{} = 1", "[training]\n{} = 1", "[training]\nschedule = {}",
    "[vary]\nepochs = {{ {} = 1 }}", "[vary]\nepochs = {{ scale = {} }}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_that_hostile_strings_in_a_file_are_refused_in_one_printable_line_or_used_unchanged(text):
    quoted = '"' + "".join(char if char.isprintable() and char not in '"\\' else f"\\u{ord(char):04x}"
                           for char in text) + '"'
    for template in TEMPLATES:
        with pytest.raises(FileError) as refused:  # none of these makes a sweep by itself
            sweep_toml.parse(template.format(quoted).encode(), "file")
        for line in str(refused.value).splitlines():
            assert line.isprintable(), (template, line)
            assert len(line) < 2_000, template


def test_that_a_name_is_needed_for_nothing_but_the_folder():
    assert sweep_toml.parse(b"seeds = 3", "my sweep").name == "my sweep"
    assert sweep_toml.parse(b"seeds = 3\n[training]\nseed = 7", "x").seeds == (7, 8, 9)


def test_that_too_many_runs_are_refused_before_they_are_made():
    rates = [each / 1000 for each in range(1, 1001)]
    with pytest.raises(SpecError, match=r"This sweep would have 1,000,000 runs; it can have at most 1,000\."):
        SweepSpec.make("x", TrainSpec(), {"learning_rate": rates, "epochs": list(range(1, 1001))})
