"""Load what the programs of the tests need, once for all: see ``warm_python``. No thread may be started by it."""

import gc
import sys
from importlib import import_module

sys.argv = ["gptstudio"]

for each in (
    "torch._dynamo", "torch.distributed.run", "gptstudio.cli.app", "gptstudio.gui.app",
    "gptstudio.gui.generate.generate_tab", "gptstudio.inference.generator", "gptstudio.training.distributed",
    "gptstudio.training.trainer",
):
    import_module(each)

gc.collect()
gc.freeze()  # no child need look through it
