"""Load what the programs of the tests need, once for all: see ``warm_python``. No thread may be started by it."""

import gc
import sys

sys.argv = ["gptstudio"]

import torch._dynamo  # noqa: E402, F401
import torch.distributed.run  # noqa: E402, F401

import gptstudio.cli.app  # noqa: E402
import gptstudio.gui.app  # noqa: E402
import gptstudio.gui.decoding.generate  # noqa: E402
import gptstudio.runs.generator  # noqa: E402
import gptstudio.runs.together  # noqa: E402
import gptstudio.runs.trainer  # noqa: E402, F401

gc.collect()
gc.freeze()  # no child need look through it
