"""Modules that are not loaded before they are needed: torch, Qt and others, which take up to seconds."""

import json
import subprocess
import sys

import pytest
from source_trees import PACKAGE

from gptstudio.gpt import native_library

TORCH_FREE = [
    "gptstudio", "gptstudio.api", "gptstudio.spec_code", "gptstudio.app.copied_code", "gptstudio.training.run_code",
    "gptstudio.training.trained_run", "gptstudio.data.encodings", "gptstudio.data.texts", "gptstudio.data.tokens",
    "gptstudio.devices", "gptstudio.errors", "gptstudio.fields", "gptstudio.files", "gptstudio.gpt.config",
    "gptstudio.gpt.sampling.params", "gptstudio.gpt.sampling.sampler", "gptstudio.gpt.safetensors_header",
    "gptstudio.gpt.memory", "gptstudio.gpt.sizing", "gptstudio.gpt.tokenizer", "gptstudio.log",
    "gptstudio.labs.catalogue", "gptstudio.labs.lab", "gptstudio.labs.lesson",
    "gptstudio.labs.sizes", "gptstudio.paths", "gptstudio.history.archives", "gptstudio.history.comparison",
    "gptstudio.history.run_history", "gptstudio.history.exported_script", "gptstudio.history.anomalies",
    "gptstudio.history.summary", "gptstudio.history.journal_reader", "gptstudio.inference.score_stats",
    "gptstudio.training.control", "gptstudio.training.corpus", "gptstudio.training.events",
    "gptstudio.training.executor", "gptstudio.training.run_folder",
    "gptstudio.training.forecast", "gptstudio.training.journal", "gptstudio.training.launch",
    "gptstudio.training.model_source", "gptstudio.training.spec", "gptstudio.training.torchrun",
    "gptstudio.training.strategy", "gptstudio.settings", "gptstudio.settings_file", "gptstudio.toml_file",
    "gptstudio.i18n", "gptstudio.formats",
]

COMMANDS = "from gptstudio.__main__ import main\nfor argv in {argv}:\n    main(argv)"
STEPS: dict[str, tuple[set[str], str]] = {
    "importing the package": (
        {"torch", "PySide6", "numpy", "pydantic"},
        "import sys\nimport gptstudio as gs\n"
        "assert not [name for name in sys.modules if name.startswith('gptstudio.')]",
    ),
    "asking for a default": ({"torch", "PySide6"}, "assert gs.TrainSpec().steps is None"),
    "help, sizes and what is refused": (
        {"torch", "PySide6", "numpy"},
        COMMANDS.format(argv=[["--help"], ["--version"], ["size"], ["train", "--help"], ["train", "--epochs", "0"]]),
    ),
    "naming the published models": (
        {"torch", "huggingface_hub", "httpx", "httpx2"},
        "from gptstudio.weights_io import download\n[each.parameters for each in download.PUBLISHED]",
    ),
    "help about weights": (
        {"torch", "PySide6", "huggingface_hub"}, COMMANDS.format(argv=[["import", "--help"], ["export", "--help"]]),
    ),
    **{
        f"what the window needs at once: {name}": ({"torch", "PySide6", "safetensors"}, f"import {name}")
        for name in TORCH_FREE
    },
    "the state and what keeps commands from being given": ({"torch", "PySide6"}, "import gptstudio.app.blockers"),
    "sizes, problems and a plan": ({"torch"}, """
from gptstudio import devices
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.gpt.memory import train_memory
from gptstudio.training import corpus
from gptstudio.training.spec import TrainSpec
train_memory(PRESETS["book"], 2), GPTConfig.problems({"emb_dim": 1}), devices.cpu()
spec = TrainSpec(text="story")
corpus.plan(spec, corpus.read(spec))
"""),
    "configurations of weights": ({"torch"}, """
from gptstudio.gpt import published, weight_shapes, weights
config = published.config_from_huggingface({"model_type": "gpt2", "n_layer": 2})
shapes = weight_shapes.huggingface_shapes(config)
weight_shapes.config_from_shapes(shapes, weight_shapes.HUGGINGFACE)
weight_shapes.config_from_shapes(weight_shapes.our_shapes(config), weight_shapes.BOOK)
published.huggingface_config(config)
"""),
    "listing and finding imported models": ({"torch"}, """
from gptstudio.training import imported_models, init_weights, model_source
imported_models.all_models(), imported_models.find("x"), model_source.all_imported()
"""),
    "lists": (
        {"torch", "PySide6"},
        COMMANDS.format(argv=[["runs"], ["lab", "--help"], ["lab", "--list"], ["import", "--list"]])
        + "\nassert 'gptstudio.cli.lab' in sys.modules",
    ),
    "a run that is updated in C": (  # the others take torch's optimizers, which import its compiler in a second
        {"torch._dynamo", "sympy"} if native_library.library() else set(),
        COMMANDS.format(argv=[[
            "train", "--text", "story", "--steps", "2", "--emb-dim", "8", "--n-heads", "1", "--n-layers", "1"]])
        + "\nassert 'torch' in sys.modules",
    ),
    "a saved model that is read, changed and trained further": (
        {"torch._dynamo", "sympy"} if native_library.library() else set(),
        "from gptstudio.training import run_folder\nsaved = run_folder.all_runs()[-1].path.name\n"
        + COMMANDS.format(argv="""[
            ["generate", "--model", saved, "--prompt", "The", "--max-new-tokens", "2"],
            ["inspect", "--model", saved, "--prompt", "The", "--ablate", "1.0"],
            ["train", "--text", "story", "--steps", "2", "--init-from", saved],
        ]""")
        + "\nassert len(run_folder.all_runs()) == 2",
    ),
}
PROGRAM = """
import json, sys
names, loaded = {}, {}
for what, (heavy, code) in json.load(sys.stdin).items():
    exec(code, names)
    loaded[what] = sorted(set(heavy) & set(sys.modules))
print(json.dumps(loaded))
"""


@pytest.mark.slow
def test_that_nothing_is_loaded_before_it_is_needed():
    steps = {what: (sorted(heavy), code) for what, (heavy, code) in STEPS.items()}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=PACKAGE.parent, input=json.dumps(steps),
                          capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert loaded.keys() == STEPS.keys()
    assert {what: names for what, names in loaded.items() if names} == {}
