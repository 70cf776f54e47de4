"""Load the modules that the tests' programs need, once: see ``warm_python``. It must not start a thread."""

import gc
import sys
from importlib import import_module
from pkgutil import walk_packages

import gptstudio

sys.argv = ["gptstudio"]
gc.disable()  # until all modules are imported

ours = (module.name for module in walk_packages(gptstudio.__path__, "gptstudio.") if "__main__" not in module.name)
for each in ("torch._dynamo", "torch.distributed.run", *ours):
    import_module(each)

GPT2, tokens = import_module("gptstudio.gpt.tokenizer").GPT2, import_module("gptstudio.data.tokens")
GPT2.encode("The vocabulary is read when the first word is.")
tokens.token_at([0], 1), tokens.byte_count([0], GPT2)  # the characters and bytes of each token are counted at use

gc.collect()
gc.freeze()  # excluded from the collections of the child processes
gc.enable()
