"""Two processes, each on a separate GPU, compute the same as one."""

import pytest
import torch
from torchrun import Started

from gptstudio.gpt.config import GPTConfig
from gptstudio.training import launch
from gptstudio.training.control import Control
from gptstudio.training.events import StepDone
from gptstudio.training.run_folder import RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="two CUDA GPUs are not here")
SHAPE = {"context_length": 32, "emb_dim": 64, "n_heads": 4, "n_layers": 2, "drop_rate": 0}
SETTINGS = {"steps": 6, "batch_size": 4, "precision": "fp32", "sample_tokens": 0}


@pytest.mark.parametrize("shard", [(), ("--shard",)], ids=["whole", "shares"])
def test_that_two_gpus_compute_the_same_as_one(lesson, tmp_path, shard):
    spec = TrainSpec(config=GPTConfig(**SHAPE), text=(str(lesson),), device="cuda:0", **SETTINGS)
    assert launch.launch(spec, Control(), [], tmp_path / "one").outcome == "finished"
    flags = [word for name, value in (SHAPE | SETTINGS).items() for word in (f"--{name.replace('_', '-')}", value)]
    both = Started("train", *flags, "--text", lesson, "--run", tmp_path / "two", *shard)
    out, err = both.end()
    assert both.codes == [0], out + err
    one, two = (
        [event.loss for event in RunFolder(tmp_path / name).events() if isinstance(event, StepDone)]
        for name in ("one", "two")
    )
    assert two == pytest.approx(one, abs=1e-3)
