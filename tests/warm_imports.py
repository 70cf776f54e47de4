"""Load the modules that the programs of the tests need, once: see ``warm_python``. It must not start a thread."""

import gc
import sys
from importlib import import_module
from pkgutil import walk_packages

import gptstudio

sys.argv = ["gptstudio"]
gc.disable()  # until everything is imported

ours = (module.name for module in walk_packages(gptstudio.__path__, "gptstudio.") if "__main__" not in module.name)
for each in ("torch._dynamo", "torch.distributed.run", *ours):
    import_module(each)

import_module("gptstudio.gpt.tokenizer").GPT2.encode("The vocabulary is read when the first word is.")

gc.collect()
gc.freeze()  # no child needs to scan it
gc.enable()
