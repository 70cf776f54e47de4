"""The Python interface inside another program: it works under all settings of torch, and changes none of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import gptstudio as gs
from gptstudio import torch_settings

pytestmark = pytest.mark.slow

PROGRAM = """
import contextlib, gc, json, logging, os, signal, sys, warnings
import torch

{setting}

def state():
    rng = torch.get_rng_state().sum().item() if torch.get_default_device().type == "cpu" else 0
    return {{
        "environment": dict(os.environ), "threads": torch.get_num_threads(), "dtype": str(torch.get_default_dtype()),
        "device": str(torch.get_default_device()), "grad": torch.is_grad_enabled(), "rng": rng,
        "inference": torch.is_inference_mode_enabled(), "autocast": torch.is_autocast_enabled("cpu"),
        "warnings": [str(each) for each in warnings.filters], "level": logging.getLogger().level,
        "handlers": len(logging.getLogger().handlers), "signals": [str(signal.getsignal(n)) for n in (2, 15)],
        "deterministic": torch.are_deterministic_algorithms_enabled(), "hook": str(sys.excepthook),
        "garbage": [gc.isenabled(), *gc.get_threshold()],
    }}

def kept(name, do):
    before = state()
    got = do()
    after = state()
    changes[name] = {{key: (before[key], after[key]) for key in before if before[key] != after[key]}}
    return got

def trained():
    seen = []
    def watch(event):
        seen.append(state())
    spec = gs.TrainSpec(config=TINY, text=("story",), steps=4, eval_freq=2, device="cpu", sample_tokens=5,
                        precision="fp32")
    before = state()
    run = gs.train(spec, on_event=watch)
    keys = ("dtype", "device", "grad", "inference", "autocast", "rng")
    differing = sorted({{key for each in seen for key in keys if each[key] != before[key]}})
    return [run.train_loss, run.val_loss, differing], run

changes, found = {{}}, {{}}
with {within}:
    before = state()
    import gptstudio as gs
    changes["import"] = {{key: 1 for key, value in state().items() if value != before[key]}}
    TINY = gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=2)
    for precision in ("fp32", "bf16", "int8"):
        model = kept("load", lambda: gs.load(TINY, device="cpu", precision=precision))
        found[precision] = kept("generate", lambda: [
            (each.id, each.probability) for each in gs.generate(model, "Every effort", max_new_tokens=6, top_k=9)])
        found[precision] += [kept("score", lambda: gs.score(model, "Every effort moves you").perplexity)]
    drawn = gs.generate(model, "Every effort", max_new_tokens=3)
    found["between"] = [kept("next", lambda: next(drawn).id) for _ in range(2)]
    asked = kept("inspect", lambda: gs.inspect(model, "Every effort moves", ablate=["0.1"], attribution=True))
    found["inspect"] = [(each.id, each.probability, each.changed_probability) for each in asked.candidates]
    found["effects"] = [str(each) for each in asked.effects.by_component()]
    found["train"], run = kept("train", trained)
    found["trained"] = gs.score(gs.load(run, device="cpu"), "Every effort moves you").bits
    found["reference"] = gs.score(gs.load(TINY, device="cpu", reference=True), "Every effort moves you").bits
    found["ids"] = gs.load(TINY, device="cpu").next_logits([[1, 2, 3]])[0, :5].tolist()
    read = gs.load(TINY, device="cpu", reference=True).read([1, 2, 3])
    found["read"] = [logits[:5].tolist() for _, logits in read]
print(json.dumps({{"found": found, "changes": changes}}))
"""
SETTINGS = {
    "float64, another device": ("torch.set_default_dtype(torch.float64); torch.set_default_device('meta')", ""),
    "bfloat16, without gradients, another device within": (
        "torch.set_default_dtype(torch.bfloat16); torch.set_grad_enabled(False)", "torch.device('meta')"
    ),
    "float16, inference mode, autocast": (
        "torch.set_default_dtype(torch.float16)", "torch.inference_mode(), torch.autocast('cpu', dtype=torch.bfloat16)"
    ),
}
"""Each in a separate process with one of another kind: one that C reads wrongly can end the process."""

FORKS = """
import json, os, sys
import numpy, pydantic, tiktoken, torch, torch._dynamo
for place, program in json.load(sys.stdin):
    child = os.fork()
    if not child:
        sys.stdout = open(place, "w")
        exec(program, {"__name__": "__main__"})
        sys.stdout.flush()
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        sys.exit(f"{place} failed")
"""
"""Runs programs one after the other, each in a process in which torch is loaded and the interface is not."""


def ran(folder: Path) -> dict[str, dict]:
    """Return the results of a program with the default settings and with each setting, and the changed state
    around it."""
    names = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "TIKTOKEN_CACHE_DIR", torch_settings.COMPILER_CACHE)
    env = {name: value for name, value in os.environ.items() if name not in names}
    programs = {
        name: PROGRAM.format(setting=setting, within=within or "contextlib.nullcontext()")
        for name, (setting, within) in {"usual": ("", ""), **SETTINGS}.items()
    }
    options = {"text": True, "env": env, "timeout": 300, "stderr": subprocess.PIPE}
    if hasattr(os, "fork"):
        asked = json.dumps([(str(folder / name), program) for name, program in programs.items()])
        done = subprocess.run([sys.executable, "-c", FORKS], input=asked, **options)
        assert done.returncode == 0, done.stderr[-2_000:]
    else:
        for name, program in programs.items():
            with (folder / name).open("w") as out:
                done = subprocess.run([sys.executable, "-c", program], stdout=out, **options)
            assert done.returncode == 0, done.stderr[-2_000:]
    return {name: json.loads((folder / name).read_text().splitlines()[-1]) for name in programs}


def test_that_the_interface_gives_the_same_under_all_settings_of_torch_and_changes_none(tmp_path):
    found = ran(tmp_path)
    changes = {(name, do): changed for name, each in found.items() for do, changed in each["changes"].items()}
    assert {name: changed for name, changed in changes.items() if changed} == {}
    assert found["usual"]["found"]["train"][2] == [], "nor for the function that is called with each event"
    usual = found["usual"]["found"]
    assert [name for name, each in found.items() if each["found"] != usual] == []


def test_that_two_threads_leave_the_default_dtype_as_it_was():
    torch.set_default_dtype(torch.float64)
    try:
        one, other = torch_settings.initial(), torch_settings.initial()
        one.__enter__()
        other.__enter__()
        one.__exit__(None, None, None)
        assert torch.get_default_dtype() == torch.float32, "the other is still at work"
        other.__exit__(None, None, None)
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_that_a_model_whose_weights_were_converted_is_not_read_as_float32():
    model = gs.load(gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=2), device="cpu")
    exact = model.next_logits([[1, 2, 3]])
    model = gs.load(gs.GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=2), device="cpu")
    model.model.to(torch.bfloat16)
    assert torch.allclose(model.next_logits([[1, 2, 3]]), exact, atol=0.1)
