"""The differences between runs, with the labels of the panel."""

from datetime import datetime

from gptstudio.gpt.config import PRESETS
from gptstudio.history.comparison import DifferingSetting, differences
from gptstudio.training.run_folder import Record
from gptstudio.training.spec import TrainSpec


def record(name: str = "a text", digest: str = "0" * 64, **changes) -> Record:
    return Record(created=datetime(2026, 11, 20), spec=TrainSpec(**changes), text_name=name, text_sha256=digest)


def test_that_runs_with_the_same_settings_do_not_differ():
    assert differences([record(), record(), record()]) == []
    assert differences([record(seed=1)]) == []


def test_that_only_differences_are_listed_by_label_the_model_before_the_training():
    small = PRESETS["workshop"]
    rows = differences([
        record(config=small, learning_rate=4e-4, stride=None, reference=False, seed=123),
        record(config=small.but(n_layers=6, qkv_bias=True), learning_rate=1e-5, stride=1024, reference=True, seed=1234),
        record(config=small, learning_rate=4e-4, stride=None, reference=False, seed=123),
    ])
    assert rows == [
        DifferingSetting("config.n_layers", "Layers", "", ("4", "6", "4")),
        DifferingSetting("config.qkv_bias", "Query, key, value bias", "", ("no", "yes", "no")),
        DifferingSetting("learning_rate", "Learning rate", "", ("0.0004", "1e-05", "0.0004")),
        DifferingSetting("stride", "Stride", "tokens", ("context", "1,024", "context")),
        DifferingSetting("seed", "Random seed", "", ("123", "1,234", "123")),
        DifferingSetting("reference", "Reference arithmetic", "", ("no", "yes", "no")),
    ]


def test_that_first_weights_and_frozen_parts_and_prompts_are_listed():
    changed = record(init_from="gpt2", freeze=("norms", "attention"), freeze_blocks=2, probes=("A cat", "I"))
    rows = differences([record(probes=()), changed])
    assert rows == [
        DifferingSetting("probes", "Probe prompts", "", ("none", "A cat, I")),
        DifferingSetting("init_from", "Initial weights", "", ("random weights", "gpt2")),
        DifferingSetting("freeze", "Freeze", "", ("nothing", "attention, norms")),
        DifferingSetting("freeze_blocks", "Freeze blocks", "blocks", ("0", "2")),
    ]


def test_that_choices_have_the_names_that_the_window_shows():
    characters = record(optimizer="muon", config=TrainSpec().config.but(vocabulary="characters", vocab_size=50257))
    rows = differences([record(), characters])
    assert [(row.field, row.values) for row in rows] == [
        ("config.vocabulary", ("GPT-2", "characters")), ("optimizer", ("AdamW", "Muon"))]


def test_that_two_rates_that_differ_in_a_late_digit_have_different_texts():
    assert differences([record(learning_rate=0.1 + 0.2), record(learning_rate=0.3)]) == []
    assert len(differences([record(learning_rate=0.00041234), record(learning_rate=0.00041235)])) == 1


def test_that_texts_are_compared_by_content_and_not_by_path():
    same = differences([record(text="/here/lesson.txt"), record(text="/there/lesson.txt")])
    assert same == []
    assert differences([record("one", "1" * 64), record("two", "2" * 64)]) == [DifferingSetting("text", "Text", "",
    ("one", "two"))]
    namesakes = differences([record("one", "1" * 64), record("one", "2" * 64), record("two", "3" * 64)])
    assert namesakes == [DifferingSetting("text", "Text", "", ("one (11111111)", "one (22222222)", "two"))]
    assert differences([record("renamed", "1" * 64), record("one", "1" * 64)]) == []
