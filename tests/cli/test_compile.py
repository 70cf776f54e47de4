"""A model that is compiled before it is trained, in a separate process: torch's compiler stays loaded."""

import shutil
from pathlib import Path

import pytest
import warm_python
from lessons import losses

from gptstudio.training.run_folder import RunFolder

TRAIN = (
    "train", "--context-length", "16", "--emb-dim", "16", "--n-heads", "2", "--n-layers", "2", "--text", "story",
    "--steps", "3", "--sample-tokens", "1", "--precision", "fp32", "--device", "cpu",
)


PROGRAM = """
import sys
from torch._inductor import config
config.cpp.cxx, config.force_disable_caches = (sys.argv[1],), True
if sys.argv[1] == "left out":  # of the installed program
    sys.frozen, sys.modules["torch._inductor.codegen"] = True, None
from gptstudio.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def train(folder: Path, *more: str, compiler: str = "g++") -> str:
    """Train in a separate process; return all output."""
    made = warm_python.run("-c", PROGRAM, compiler, *TRAIN, *more, "--run", folder)
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout + made.stderr


@pytest.mark.release
@pytest.mark.skipif(not shutil.which("g++"), reason="no C++ compiler is here")
def test_that_a_compiled_run_learns_the_same_and_reports_that_it_compiles(tmp_path):
    expected = "Compiling the model, which takes some seconds."
    assert expected in train(tmp_path / "compiled", "--compile", "on")
    assert expected not in train(tmp_path / "plain")  # auto compiles only on a CUDA GPU
    assert losses(RunFolder(tmp_path / "compiled")) == pytest.approx(losses(RunFolder(tmp_path / "plain")), abs=1e-4)


def test_that_a_model_that_cannot_be_compiled_is_trained_without_it(tmp_path):
    text = train(tmp_path / "run", "--compile", "on", compiler=str(tmp_path / "none"))
    assert "PyTorch could not compile this model: " in text
    assert len(losses(RunFolder(tmp_path / "run"))) == 3


def test_that_the_installed_program_names_what_it_lacks_to_compile_a_model(tmp_path):
    text = " ".join(train(tmp_path / "run", "--compile", "on", compiler="left out").split())
    assert "the installed program does not include PyTorch's compiler, but GPT Studio run from source has it." in text
    assert len(losses(RunFolder(tmp_path / "run"))) == 3


def test_that_reference_arithmetic_is_not_compiled(cli):
    result = cli(*TRAIN, "--reference", "--compile", "on")
    assert result.code != 0
    assert "Compile is on, but reference arithmetic computes as the book's code does" in result.err
