"""Complete checkpoints that are not this run's: weights of other shapes, types or names, values that are not finite,
another optimizer's state, a newer version. They are refused at load, before the first step, with the first difference,
and the model is left unchanged."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from lessons import FEW
from safetensors.torch import load_file, save_file
from whole_runs import continue_run, seal, steps

from gptstudio import devices
from gptstudio.training import checkpoint, corpus, file_format, launch
from gptstudio.training.checkpoint import CheckpointError
from gptstudio.training.checkpoint_manager import CheckpointManager
from gptstudio.training.control import Control
from gptstudio.training.events import Event, PhaseChanged, StepDone
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.train_state import build_state

pytestmark = [pytest.mark.fault(7), pytest.mark.usefixtures("few_tokens")]

Tensors = dict[str, torch.Tensor]
Change = Callable[[Tensors], object]


def change(folder: Path, name: str, how: Change) -> None:
    tensors = load_file(folder / name)
    tensors = {key: tensor.clone() for key, tensor in tensors.items()}
    how(tensors)
    save_file(tensors, folder / name)
    seal(folder)


def fill(name: str, value: float) -> Change:
    return lambda tensors: tensors[name].view(-1)[-1:].fill_(value)


def put(name: str, tensor: torch.Tensor) -> Change:
    return lambda tensors: tensors.update({name: tensor})


def takes(name: str) -> Change:
    return lambda tensors: tensors.pop(name)


SCALE, QUERY = "final_norm.scale", "trf_blocks.0.att.W_query.weight"
WEIGHTS = {
    "another shape": (put("tok_emb.weight", torch.zeros(FEW, 8)), f"tok_emb.weight has shape ({FEW}, 8), but"),
    "fewer dimensions": (put(SCALE, torch.zeros(())), f"{SCALE} has shape (), but (4,) was expected"),
    "missing": (takes(SCALE), f"{SCALE} is missing"),
    "more": (put("mystery", torch.zeros(1)), "mystery is not part of it"),
    "another type": (put(SCALE, torch.ones(4, dtype=torch.float16)), f"{SCALE} is stored as torch.float16"),
    "whole numbers": (put(SCALE, torch.ones(4, dtype=torch.int64)), f"{SCALE} is stored as torch.int64"),
    "NaN": (fill(QUERY, float("nan")), f"{QUERY} in"),
    "inf": (fill(SCALE, float("inf")), f"{SCALE} in"),
    "-inf": (fill("tok_emb.weight", float("-inf")), "tok_emb.weight in"),
}
FIRST = "optimizer.tok_emb.weight.exp_avg"
RESUME = {
    "of another size": (put(FIRST, torch.zeros(FEW, 8)), "The optimizer state of tok_emb.weight"),
    "missing": (takes(f"{FIRST}_sq"), "The optimizer state of tok_emb.weight"),
    "no step": (takes("optimizer.tok_emb.weight.step"), "The optimizer state of tok_emb.weight"),
    "more": (put("optimizer.mystery.step", torch.zeros(())), "optimizer.mystery.step does not belong to it"),
    "no order": (takes("order"), "the order of its epoch does not match the"),
    "order of another text": (put("order", torch.arange(1000)), "the order of its epoch does not match the"),
    "order with a window twice": (
        lambda tensors: tensors["order"][:2].fill_(0), "the order of its epoch does not match the"
    ),
    "order of floats": (
        lambda tensors: tensors.update(order=tensors["order"].float()), "the order of its epoch does not match the"
    ),
    "no chance": (takes("chance"), "the state of the random numbers is missing or of another kind"),
    "chance of another kind": (
        put("chance", torch.zeros(8, dtype=torch.uint8)),
        "the state of the random numbers is missing or of another kind",
    ),
}
ALL = [(checkpoint.WEIGHTS, what) for what in WEIGHTS] + [(checkpoint.RESUME, what) for what in RESUME]


def digest(model: torch.nn.Module) -> str:
    return hashlib.sha256(b"".join(tensor.numpy().tobytes() for tensor in model.state_dict().values())).hexdigest()


@pytest.mark.parametrize(("name", "what"), ALL, ids=[f"{name.split('.')[0]}, {what}" for name, what in ALL])
def test_that_a_foreign_checkpoint_is_refused_before_the_first_step_and_changes_nothing(stopped, fault, name, what):
    earlier, newest = stopped.checkpoints()
    how, words = (WEIGHTS if name == checkpoint.WEIGHTS else RESUME)[what]
    change(newest, name, how)
    with fault.tried("going on"):
        events: list[Event] = []
        ended = launch.resume(stopped, Control(), [events.append])
        assert events == [ended], "not a step was taken"
        assert (ended.outcome, ended.user_error, ended.error) == ("failed", True, "CheckpointError")
        assert words in ended.message
        assert ended.instead == str(earlier)
    with fault.tried("half loaded"):
        assert_unchanged(stopped, newest)
    if name == checkpoint.WEIGHTS:
        with fault.tried("generating"), pytest.raises(CheckpointError) as caught:
            checkpoint.load(newest)
        assert words in str(caught.value)
        assert str(newest) in str(caught.value)
    with fault.tried("the one before"):
        assert continue_run(stopped, stop_at=12, start=earlier).outcome == "stopped"


def assert_unchanged(run: RunFolder, start: Path) -> None:
    """Assert that a trainer state that refused a checkpoint is unchanged: weights, optimizer and progress."""
    spec = run.record().spec
    made = build_state(spec, corpus.read(spec), devices.cpu(), bf16=False)
    before, progress = digest(made.model), vars(made.progress) | {}
    with pytest.raises(CheckpointError):
        list(CheckpointManager(spec, run, start).restore(made))
    assert digest(made.model) == before
    assert made.optimizer.state == {}
    assert {name: value for name, value in vars(made.progress).items() if name != "order"} == {
        name: value for name, value in progress.items() if name != "order"
    }


def test_that_a_newer_version_is_refused_with_the_file_and_the_version(stopped, fault):
    newest = stopped.newest_checkpoint()
    values = json.loads((newest / checkpoint.STATE).read_bytes())
    (newest / checkpoint.STATE).write_text(json.dumps(values | {"format": file_format.FORMAT + 1, "experts": 8}))
    seal(newest)
    for load in (checkpoint.load, checkpoint.read_state):
        expected = r"state\.json was saved by a newer version"
        with fault.tried(load.__name__), pytest.raises(CheckpointError, match=expected):
            load(newest)
    with fault.tried("going on"):
        assert "Update GPT Studio to open it." in launch.resume(stopped, Control(), []).message


def test_that_a_run_continues_from_its_own_checkpoint(stopped):
    """Confirms that the checkpoints above are refused because of the changes."""
    change(stopped.newest_checkpoint(), checkpoint.WEIGHTS, lambda tensors: None)
    change(stopped.newest_checkpoint(), checkpoint.RESUME, lambda tensors: None)
    events: list[Event] = []
    launch.resume(stopped, Control(), [events.append])
    assert PhaseChanged(phase="training") in events
    assert [event.step for event in events if isinstance(event, StepDone)] == list(range(18, 20))
    assert len(steps(stopped)) == 20
