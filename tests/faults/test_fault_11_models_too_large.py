"""Models, batches and texts that do not fit: from absurd to slightly too large. They are refused before anything is
allocated, by a formula and without a model; and where the user trains anyway and memory runs out, that is reported,
the program continues, and the memory is freed.

Seconds are processor time of this process, so that other programs on the machine have no effect.
"""

import os
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import warm_python
from command_line import PACKAGE_ROOT
from messages import message

from gptstudio import devices, paths
from gptstudio.__main__ import main
from gptstudio.errors import UserError
from gptstudio.fields import SpecError, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.training import model_source
from gptstudio.training.control import Control
from gptstudio.training.forecast import CostHistory, forecast
from gptstudio.training.launch import launch
from gptstudio.training.model_source import UntrainedModel
from gptstudio.training.spec import TrainSpec

pytestmark = [pytest.mark.fault(11), pytest.mark.usefixtures("memory_returned")]

AT_ONCE_S = 1.0
ALLOCATED = 50 * 2**20
IMPOSSIBLE = {"emb_dim": 1_000_000, "n_layers": 1_000_000, "vocab_size": 10**9, "context_length": 10**6}
TOO_LARGE = {
    "as wide as can be": {"emb_dim": 65_536, "n_heads": 1}, "a thousand layers": {"n_layers": 1_000, "emb_dim": 8_196},
    "a million tokens": {"vocab_size": 10**6, "emb_dim": 65_536, "n_heads": 1, "n_layers": 1},
    "the longest context": {"context_length": 131_072, "emb_dim": 16_384, "n_heads": 1, "n_layers": 100},
    "all of it": {
        "vocab_size": 10**6, "emb_dim": 65_536, "n_heads": 1_024, "n_layers": 1_000, "context_length": 131_072,
    },
}  # fmt: skip


@pytest.fixture(autouse=True)
def torch_is_loaded() -> None:
    """Load torch first, which takes a second and is not a cost of the model."""
    devices.find()


@contextmanager
def at_once_and_for_nothing():
    """Assert that the block uses little time and no significant memory."""
    process = psutil.Process()
    began, before = time.process_time(), process.memory_info().rss
    yield
    took, grown = time.process_time() - began, process.memory_info().rss - before
    assert took < AT_ONCE_S, f"{took:.2f} s"
    assert grown < ALLOCATED, f"{grown / 2**20:.0f} MB"


LABELS = {view.name: view.label for view in fields_of(GPTConfig)}


def flags(shape: dict[str, int]) -> list[str]:
    return [part for name, value in shape.items() for part in (f"--{name.replace('_', '-')}", str(value))]


def test_that_an_impossible_model_is_refused_by_its_field(fault, capfd, user):
    for field, value in IMPOSSIBLE.items():
        refused = pytest.raises(SpecError, match=f"{field} is {value:,}")
        with fault.tried("a config"), at_once_and_for_nothing(), refused:
            GPTConfig().but(**{field: value})
        for command in ("train", "generate", "size"):
            with fault.tried(command), at_once_and_for_nothing():
                assert main([command, *flags({field: value})]) == 2
                assert f"{field} is {value:,}; it must be" in " ".join(capfd.readouterr().err.split())
        possible = user.panel.config
        with fault.tried("the panel"), at_once_and_for_nothing():
            user.type(f"config_{field}", str(value))
            assert user.panel.config is None
            problem = user.reads(f"config_{field}_problem")
            assert problem.startswith(f"{LABELS[field]} must be")
            assert problem.endswith(f", not {value:,}.")
            assert not user.train.start_button.isEnabled()
        user.type(f"config_{field}", str(getattr(possible, field)))
        assert user.panel.config == possible


@pytest.mark.parametrize("shape", TOO_LARGE.values(), ids=TOO_LARGE)
def test_that_a_model_far_too_large_is_refused_before_anything_is_allocated(shape, fault, capfd, tmp_path):
    config = GPTConfig().but(**shape)
    spec = TrainSpec(config=config, text="story", device="cpu", stride=16)
    with fault.tried("the forecast"), at_once_and_for_nothing():
        assert forecast(spec, None, devices.cpu(), CostHistory()).level == "too large"
    with fault.tried("launch"), at_once_and_for_nothing():
        ended = launch(spec, Control(), [], tmp_path / "run")
        assert (ended.outcome, ended.user_error) == ("failed", True)
        assert message("there_is_not_enough_memory") in ended.message or message("window_needs") in ended.message
        assert not (tmp_path / "run").exists()
    refused = pytest.raises(UserError, match=message("there_is_not_enough_memory"))
    with fault.tried("generate"), at_once_and_for_nothing(), refused:
        model_source.load(UntrainedModel(config), devices.cpu())
    with fault.tried("the command line"), at_once_and_for_nothing():
        assert main(["generate", *flags(shape), "--device", "cpu"]) == 2
        assert message("there_is_not_enough_memory") in capfd.readouterr().err


def only_just_too_large(free: int) -> GPTConfig:
    """Return the narrowest of a series of increasingly wide models that does not fit for training."""
    for width in range(32, 65_536, 32):
        config = GPTConfig(emb_dim=width, n_heads=1, n_layers=2, context_length=16)
        spec = TrainSpec(config=config, text="story", device="cpu", precision="fp32")
        if forecast(spec, None, replace(devices.cpu(), free_bytes=free), CostHistory()).predicted_bytes > free:
            return config
    raise AssertionError("everything fits")


def test_that_a_model_slightly_too_large_is_refused_and_one_slightly_smaller_is_not(monkeypatch, tmp_path, fault):
    free = 300 * 2**20
    limited = replace(devices.cpu(), free_bytes=free)
    monkeypatch.setattr(devices, "cpu", lambda: limited)
    config = only_just_too_large(free)
    spec = TrainSpec(config=config, text="story", device="cpu", precision="fp32", steps=1, sample_tokens=0, eval_iter=1)
    with fault.tried("slightly too large"), at_once_and_for_nothing():
        ended = launch(spec, Control(), [], tmp_path / "run")
        assert "not enough memory to train this model: it needs " in ended.message
        assert " MB, but only 300.0 MB of " in ended.message
        assert not (tmp_path / "run").exists()
    with fault.tried("slightly smaller"):
        smaller = spec.but(config=config.but(emb_dim=config.emb_dim - 32))
        assert launch(smaller, Control(), [], tmp_path / "run").outcome == "finished"


def test_that_a_batch_far_too_large_is_refused_before_anything_is_allocated(tmp_path, fault):
    text = tmp_path / "long.txt"
    text.write_text("It rang late. " * 700_000, encoding="utf-8")  # long enough for one such batch
    for changes in ({"batch_size": 65_536}, {"batch_size": 65_536, "accumulation": 65_536}):
        spec = TrainSpec(config=GPTConfig(context_length=16), text=str(text), device="cpu", **changes)
        with fault.tried(changes):
            assert forecast(spec, None, devices.cpu(), CostHistory()).level == "too large"
            ended = launch(spec, Control(), [], tmp_path / "run")
            assert (ended.outcome, ended.user_error) == ("failed", True)
            assert not (tmp_path / "run").exists()


def test_that_the_window_does_not_start_what_is_too_large_until_it_is_pressed_again(user, monkeypatch):
    train, free = user.window.train, 300 * 2**20
    limited = replace(devices.cpu(), free_bytes=free)
    monkeypatch.setattr(devices, "cpu", lambda: limited)
    user.train.prepare(steps=1)
    user.panel.select(only_just_too_large(free))
    user.wait(train.start.isEnabled)
    with at_once_and_for_nothing():
        user.click(train.start)
    assert not user.train.running
    assert train.start.text() == "Start anyway"
    assert "; free: " in user.reads("outlook")


# Out of memory

ANYWAY = """
import os, resource, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
import psutil, torch, torch._dynamo
from PySide6.QtCore import QDeadlineTimer
from PySide6.QtWidgets import QApplication
from gptstudio.gui.app import make_app
from gptstudio.gui import window as main_window
from gptstudio.gui.controllers import preparation
from gptstudio.gpt.config import GPTConfig

preparation.CALIBRATE_AFTER_MS = 3_600_000
main_window.MADE_EARLY = ()  # a page takes memory too, whenever there is time to make it
app, window = make_app(), main_window.MainWindow()
window.show()
window.wake()

def until(true, seconds=60):
    deadline = QDeadlineTimer(seconds * 1000)
    while not true():
        assert not deadline.hasExpired()
        app.processEvents()

def ready():
    return window.state.text_check is not None and window.train.start.isEnabled() and not window.tasks.busy("pool")

def train(config, presses):
    window.state.select_model(config)
    window.train.settings.editors["steps"].set_value(2)
    window.train.settings.editors["sample_tokens"].set_value(1)
    window.state.texts = ("story",)
    until(ready)
    for _ in range(presses):
        window.train.start.click()
    until(lambda: not window.state.running)
    return window.train.notice.text()

tiny = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1)
until(lambda: window.state.text_check is not None and not window.tasks.busy("pool"))
print(repr(train(tiny, 1)))
process = psutil.Process()
resource.setrlimit(resource.RLIMIT_AS, (process.memory_info().vms + 2**28, resource.RLIM_INFINITY))
before = process.memory_info().rss
large = GPTConfig(context_length=16, emb_dim=1_500, n_heads=2, n_layers=40)  # 5 GB of weights alone
from dataclasses import replace
from gptstudio import devices
real = devices.cpu
devices.cpu = lambda: replace(real(), free_bytes=2**50)  # as where the system promises more than it has
said = train(large, 1)
print(repr(said))
grown = process.memory_info().rss - before
print(grown)
devices.cpu = real
print(repr(train(tiny, 1)), window.train.run_controls.phase.text())
window.leave()
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems hold no process to an address space")
def test_that_running_out_of_memory_is_reported_and_memory_is_freed_and_the_window_continues(home):
    done = warm_python.run("-c", ANYWAY, env=os.environ | {"PYTHONPATH": PACKAGE_ROOT, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    first, output, grown, last = done.stdout.splitlines()
    assert first == "''"
    assert message("enough_memory_choose") in output
    assert int(grown) < ALLOCATED, f"{int(grown) / 2**20:.0f} MB"
    assert last.startswith("'' Finished and saved.")
    assert Path(paths.runs()).is_dir()
