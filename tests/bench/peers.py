"""Decoding GPT-2 124M, compared with specialized engines: the same weights, alternately, in one run.

    python tests/bench/peers.py FOLDER [--engines ours openvino ...] [--kinds fp32 int8] [--rounds 5] [--json FILE]

FOLDER keeps an environment with the other engines, made on first use, and the model in the form of each: about 5 GB.
Each engine runs in a separate process (``peer_engines.py``); while one computes, the others wait. Weights are random,
with the shapes of OpenAI's 124M, because the time does not depend on their values. Rates are printed with the machine's
limits, measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import limits
import torch
from safetensors.torch import load_file, save_file

from gptstudio import devices, paths
from gptstudio.data import encodings
from gptstudio.gpt import published, tokenizer, weights
from gptstudio.gpt.config import PRESETS
from gptstudio.gpt.fast import build_model
from gptstudio.gpt.memory import packed_bytes
from gptstudio.weights_io.exporting.export_format import ExportedModel
from gptstudio.weights_io.exporting.gguf_file import Gguf

GPT2 = PRESETS["gpt2-small"].but(qkv_bias=True, tie_weights=True)
KINDS = {
    "ours": ("fp32", "bf16", "int8"), "transformers": ("fp32",), "openvino": ("fp32", "bf16", "int8"),
    "ctranslate2": ("fp32", "bf16", "int8"), "onnxruntime": ("fp32", "int8"),
    "llamacpp": ("fp32", "bf16", "int8"),
}
PACKAGES = ("torch~=2.13", "transformers<5", "optimum-intel[openvino]<2.3", "nncf", "ctranslate2",
            "optimum-onnx[onnxruntime]", "psutil", "numpy")
GGUF_NUMBERS = {"fp32": "F32", "bf16": "BF16", "int8": "Q8_0"}
PAUSE_S = 0.5
COMPILED = ("llama-cpp-python",)
"""Engine available only as source: some 20 minutes, and left out where it does not compile."""
ROWS = {
    # name: prompt, batch, new tokens beyond the first
    "from 4": (4, 1, 32), "at 900": (900, 1, 16), "from 4, batch 8": (4, 8, 16), "of 512": (512, 1, 0),
}
FIRSTS = {"from 4": "first of 4", "of 512": "first of 512"}
"""Rows for which the time until the first token is shown."""


@dataclass
class Engine:
    """A process that decodes; ``rates`` in tokens a second, ``firsts`` in seconds, in every round."""

    name: str
    kind: str
    process: subprocess.Popen[str]
    load_s: float = 0.0
    ids: list[int] = field(default_factory=list)
    rates: dict[str, list[float]] = field(default_factory=dict)
    firsts: dict[str, list[float]] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)

    def ask(self, **asked: int) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def measure(self, counted: bool) -> None:
        """Run one round: every row once, after the threads of the engine before have stopped looking for work."""
        time.sleep(PAUSE_S)
        for name, (prompt, batch, new) in ROWS.items():
            first, *others = self.ask(prompt=prompt, batch=batch, new=new + 1)["s"]
            if counted and new:
                self.rates.setdefault(name, []).append(batch * new / sum(others))
            if counted and batch == 1:
                self.firsts.setdefault(name, []).append(first)


def start(name: str, kind: str, python: Path | str, model: Path) -> Engine | None:
    """Start an engine, and wait until it is loaded; return None if it reports that it cannot load."""
    command = [str(python), str(Path(__file__).with_name("peer_engines.py")), name, kind, str(model)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    line = process.stdout.readline()
    if not line:
        print(f"{name} {kind}: not run", file=sys.stderr)
        return None
    engine = Engine(name, kind, process, json.loads(line)["load_s"])
    engine.ids = engine.ask(prompt=4, batch=1, new=16)["ids"]
    engine.memory = engine.ask()
    return engine


def python_of_peers(folder: Path) -> Path:
    python = folder / "venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def write_model(folder: Path) -> Path:
    """Write the model in Hugging Face's format, with the bundled vocabulary."""
    place = folder / "huggingface"
    if not (place / "config.json").exists():
        place.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(1)
        tensors = weights.to_huggingface(build_model(GPT2, "reference").state_dict(), GPT2)
        save_file({name: each.contiguous() for name, each in tensors.items()}, place / "model.safetensors",
                  {"format": "pt"})
        bundled = paths.resources() / "gpt2"
        (place / "vocab.json").write_bytes((bundled / "encoder.json").read_bytes())
        (place / "merges.txt").write_bytes((bundled / "vocab.bpe").read_bytes())
        (place / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}')
        (place / "config.json").write_text(json.dumps(published.huggingface_config(GPT2)))
    return place


def write_gguf(kind: str, model: Path) -> None:
    """Write the model for llama.cpp, whose environment does not have the project."""
    place = model.parent / f"llamacpp-{kind}.gguf"
    if not place.exists():
        ours = weights.from_huggingface(load_file(model / "model.safetensors"), GPT2)
        exported = ExportedModel(ours, GPT2, "random weights", tokenizer.GPT2)
        Gguf(GGUF_NUMBERS[kind]).write(exported, place, encodings.unwatched)


def show(engines: list[Engine], read: float) -> None:
    rates = [name for name, row in ROWS.items() if row[2]]
    names = [*rates, *FIRSTS.values()]
    print(f"{'':22}" + "".join(f"{name:>17}" for name in names) + f"{'load':>8}{'memory':>9}{'peak':>9}")
    for each in sorted(engines, key=lambda engine: engine.kind):
        shown = "".join(f"{statistics.median(each.rates[name]):13.1f} t/s" for name in rates)
        firsts = "".join(f"{1000 * statistics.median(each.firsts[name]):14.1f} ms" for name in FIRSTS)
        share = statistics.median(each.rates["from 4"]) * packed_bytes(GPT2, each.kind) / read
        print(f"{each.kind:5}{each.name:13}{share:4.0%}{shown}{firsts}{each.load_s:6.1f} s"
              f"{each.memory['resident'] / 1e6:6.0f} MB{each.memory['peak'] / 1e6:6.0f} MB")
    for kind in {each.kind for each in engines}:
        ids = {tuple(each.ids) for each in engines if each.kind == kind}
        print(f"{kind}: {'all give the same tokens' if len(ids) == 1 else 'the tokens differ'}")


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", type=Path)
    read.add_argument("--engines", nargs="+", choices=KINDS, default=list(KINDS))
    read.add_argument("--kinds", nargs="+", choices=("fp32", "bf16", "int8"), default=["fp32", "bf16", "int8"])
    read.add_argument("--rounds", type=int, default=5)
    read.add_argument("--json", type=Path)
    asked = read.parse_args()
    folder = asked.folder.resolve()
    model, python = write_model(folder), python_of_peers(folder)
    if "llamacpp" in asked.engines:
        subprocess.run([str(python), "-m", "pip", "install", "-q", *COMPILED], check=False)
        for kind in asked.kinds:
            write_gguf(kind, model)
    started = (
        start(name, kind, sys.executable if name == "ours" else python, model)
        for name in asked.engines for kind in KINDS[name] if kind in asked.kinds)
    engines = [each for each in started if each]
    bandwidth = limits.bandwidth()
    for number in range(asked.rounds + 1):
        for each in engines:
            each.measure(counted=number > 0)
    print(f"{devices.choose('cpu').name}, {torch.get_num_threads()} threads, {date.today()}: memory read at "
          f"{bandwidth / 1e9:.1f} GB/s; {asked.rounds} rounds, medians; per cent: of reading the weights in this time")
    show(engines, bandwidth)
    if asked.json:
        kept = {"machine": devices.choose("cpu").name, "threads": torch.get_num_threads(), "torch": torch.__version__,
                "python": platform.python_version(), "date": str(date.today()), "read": bandwidth,
                "engines": [{name: value for name, value in vars(each).items() if name not in ("process", "ids")}
                            for each in engines]}
        asked.json.write_text(json.dumps(kept, indent=1) + "\n")
    for each in engines:
        each.process.kill()


if __name__ == "__main__":
    main()
