"""The Model panel: every total changes during typing, before anything is built."""

import subprocess
import sys
import threading
from dataclasses import replace
from itertools import product

import pytest
from messages import message
from PySide6.QtCore import Qt

from gptstudio import devices
from gptstudio.devices import Device
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.memory import generate_memory, train_memory
from gptstudio.gui.forms.controls import unfold_around
from gptstudio.gui.translation import size

ALL_WORDS = True

COMPONENTS = ("token_embedding", "position_embedding", "attention", "feed_forward", "norms", "output_layer")


def number(text: str) -> int:
    """Return the first number of a label."""
    return int(text.split()[0].replace(",", ""))


def test_that_every_figure_follows_the_fields_and_presets_are_unchanged_by_them(user):
    user.panel.preset.setFocus()
    user.type("config_n_layers", "")
    assert user.panel.config is None
    totals = []
    for digit in "123":
        user.qtbot.keyClicks(user.find("config_n_layers"), digit)
        totals.append(number(user.reads("total_parameters")))
    shapes = [PRESETS["workshop"].but(n_layers=layers) for layers in (1, 12, 123)]
    assert totals == [sizing.parameter_count(shape) for shape in shapes]

    user.type("config_n_layers", "2")
    user.press(Qt.Key.Key_Up)
    assert user.panel.config.n_layers == 3
    for _ in range(5):
        user.press(Qt.Key.Key_Down)
    assert user.panel.config.n_layers == 1

    user.panel.select(PRESETS["workshop"])
    assert user.panel.preset.currentText() == "workshop"
    user.choose(user.panel.preset, "gpt2-medium")
    assert user.panel.config == PRESETS["gpt2-medium"]
    assert user.panel.preset.currentText() == "gpt2-medium"
    user.type("config_n_layers", "25")
    assert user.panel.preset.currentText() == "own"
    user.type("config_n_layers", "24")
    assert user.panel.preset.currentText() == "gpt2-medium"

    user.choose(user.panel.preset, "own")
    assert user.panel.config == PRESETS["gpt2-xl"], "the arrow keys pass by the last preset"

    user.panel.select(PRESETS["book"])
    separate = number(user.reads("total_parameters"))
    tied = number(user.reads("total_parameters_tied"))
    unfold_around(user.find("config_tie_weights"))
    user.click(user.find("config_tie_weights"))
    assert (number(user.reads("total_parameters")), number(user.reads("total_parameters_tied"))) == (tied, separate)
    assert separate - tied == 50_257 * 768
    user.click(user.find("config_tie_weights"))
    assert number(user.reads("total_parameters")) == separate

    user.panel.select(PRESETS["gpt2-small"])
    counted = sizing.parameters(PRESETS["gpt2-small"])
    assert user.reads("total_parameters") == "163,009,536"
    assert user.reads("total_parameters_tied").startswith("124,412,160")
    assert user.reads("weights_size") == f"Weights: {size(4 * counted.total)}"
    shown = {name: number(user.reads(f"component_{name}")) for name in COMPONENTS}
    assert shown == counted.components()

    for preset, tied in product(PRESETS.values(), (False, True)):
        user.panel.select(preset.but(tie_weights=tied))
        shown = {name: number(user.reads(f"component_{name}")) for name in COMPONENTS}
        assert sum(shown.values()) == number(user.reads("total_parameters"))
        assert (shown["output_layer"] == 0) == tied
        shares = [float(user.reads(f"component_{name}").split()[1]) for name in COMPONENTS]
        assert sum(shares) == pytest.approx(100, abs=0.3)

    for preset in PRESETS.values():
        user.panel.select(preset)
        assert user.panel.config == preset

    config = PRESETS["workshop"].but(drop_rate=0.123456789)
    user.panel.select(config)
    assert user.panel.config == config


def test_that_a_problem_is_shown_at_its_field_with_the_message_of_the_spec(user):
    panel, start = user.panel, user.train.start_button
    user.train.use_text("story")
    user.wait(start.isEnabled)
    good = panel.config
    for field, typed in (
        ("n_layers", "0"), ("n_layers", "many"), ("n_layers", ""), ("n_layers", "1.5"), ("n_layers", "9" * 50),
        ("emb_dim", "100000"), ("emb_dim", "101"), ("n_heads", "-3"), ("drop_rate", "1.5"), ("drop_rate", "nan"),
        ("context_length", "0"), ("drop_rate_attn", "x"),
    ):  # fmt: skip
        user.type(f"config_{field}", typed)
        (words,) = [each.message for each in GPTConfig.labelled_problems(panel.values())]
        assert user.reads(f"config_{field}_problem") == words
        assert [name for name in GPTConfig.model_fields if user.reads(f"config_{name}_problem")] == [field]
        assert user.find(f"config_{field}").property("wrong") is True
        assert panel.config is None
        assert not start.isEnabled()
        assert start.toolTip() == message("model_problem_see")
        value = getattr(good, field)
        user.type(f"config_{field}", "" if value is None else str(value))
        assert panel.config == good
        assert user.reads(f"config_{field}_problem") == ""
        assert user.find(f"config_{field}").property("wrong") is False
        user.wait(start.isEnabled)

    user.type("config_vocab_size", "1000")
    words = "Tokens must be at least 50,257 for GPT-2's tokenizer to read text, not 1,000."
    assert user.reads("config_problem") == words or user.reads("config_vocab_size_problem") == words
    assert number(user.reads("total_parameters")) == sizing.parameter_count(PRESETS["workshop"].but(vocab_size=1000))
    assert not user.train.start_button.isEnabled()
    assert words in user.train.start_button.toolTip()

    user.type("config_vocab_size", "50257")
    user.type("config_emb_dim", "100")
    user.type("config_n_heads", "7")
    user.type("config_n_layers", "0")
    assert message("must_multiple_n") in user.reads("config_emb_dim_problem")
    assert user.reads("config_n_layers_problem") == "Layers must be a whole number between 1 and 1,000, not 0."


def test_that_the_memory_follows_the_settings_and_its_bar_warns_from_four_fifths_and_from_all(user, monkeypatch):
    def shown() -> str:
        return user.reads("train_memory")

    user.panel.select(PRESETS["book"])
    before = shown()
    user.type("train_batch_size", "8")
    more = shown()
    assert more != before
    user.click(user.train.more_button)
    user.click(user.find("train_reference"))
    assert shown() != more

    user.click(user.find("train_reference"))
    user.panel.select(PRESETS["book"])
    user.train.set(batch_size=2, precision="fp32")
    needed = train_memory(PRESETS["book"], 2, path="fast", bf16=False).total
    for share, level, role in (
        (0.5, "good", ""), (0.79, "good", ""), (0.81, "amber", "notice"), (0.99, "amber", "notice"),
        (1.01, "bad", "problem"),
    ):  # fmt: skip
        free = round(needed / share)
        user.panel.show_devices([Device("cpu", "a processor", 2 * free, free)])
        assert user.panel.level("train") == level, share
        assert user.reads("train_memory") == f"{size(needed)} of {size(free)} free"
        assert user.find("train_memory").property("role") == role, share
        generating = generate_memory(PRESETS["book"]).total
        assert user.reads("generate_memory") == f"{size(generating)} of {size(free)} free"
        assert user.panel.level("generate") == "good", share

    user.panel.show_devices([Device("cpu", "a processor", 2**30, 0)])
    assert user.panel.level("train") == user.panel.level("generate") == "bad"

    now = replace(devices.cpu(), free_bytes=1000)
    monkeypatch.setattr(devices, "cpu", lambda: now)
    user.panel.read_memory()
    assert user.panel.level("train") == "bad"
    assert user.reads("train_memory").endswith("of 1.0 KB free")


def test_that_a_gpu_is_chosen_and_listed_and_its_memory_is_shown(user, monkeypatch):
    gpu = Device("cuda:0", "a graphics card", 8 * 2**30, 7 * 2**30, fast_bf16=True)
    user.panel.show_devices([devices.cpu(), gpu])
    assert user.panel.device == gpu
    assert user.train.spec.device == "cuda:0"
    user.panel.read_memory()
    assert user.panel.device == gpu

    gb = 10**9
    gpu, apple = Device("cuda:0", "a card", 8 * gb, 7 * gb), Device("mps", "Apple GPU", 8 * gb, 4 * gb, tested=False)
    user.panel.show_devices([devices.cpu(), gpu, apple])
    assert user.panel.listed_devices()[1:] == [
        f"CUDA:0  ·  a card  ·  {size(7 * gb)} free",
        f"MPS  ·  Apple GPU  ·  {size(8 * gb)}  ·  not tested"]
    config, batch = user.panel.config, user.train.spec.batch_size
    needed = train_memory(config, batch, kind="cuda").total
    assert user.reads("train_memory") == f"{size(needed)} of {size(7 * gb)} free"
    monkeypatch.setattr(devices, "free_bytes", lambda key: 3 * gb)
    user.panel.read_memory()
    assert f"{size(3 * gb)} free" in user.panel.listed_devices()[1]

    gb, done = 10**9, threading.Event()
    user.wait(lambda: not user.window.tasks.busy())
    user.panel.show_devices([devices.cpu(), Device("cuda:0", "a card", 8 * gb, 7 * gb)])
    idle = f"CUDA:0: {size(7 * gb)} of {size(8 * gb)} free"
    assert user.reads("status_device") == idle
    user.window.tasks.run(lambda task: done.wait(60), title="Computing")
    user.wait(lambda: user.reads("status_device") == f"CUDA:0: {size(gb)} of {size(8 * gb)} used")
    done.set()
    user.wait(lambda: user.reads("status_device") == idle)


@pytest.mark.slow
def test_that_the_panel_counts_without_torch():
    script = """
import sys, time
from gptstudio.gui.app import make_app
from gptstudio.gui.window import MainWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
app, window = make_app(), MainWindow()
window.show()
assert not {f"gptstudio.gui.train.{name}" for name in ("generate", "runs", "texts")} & sys.modules.keys()
window.state.texts = ("story",)
field = window.findChild(QWidget, "config_n_layers")
before = window.panel.total.text()
field.selectAll()
QTest.keyClicks(field, "48")
assert window.state.config.n_layers == 48
assert window.panel.total.text() != before
while window.state.text_check is None:
    app.processEvents()
    time.sleep(0.01)
assert window.train.start.isEnabled(), window.train.start.toolTip()
assert "torch" not in sys.modules
window.leave()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
