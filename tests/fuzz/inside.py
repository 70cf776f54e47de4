"""Targets whose bytes lie inside of another file, or need other files: with a correct checksum, the parsers are
reached."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

WRITTEN = Path(__file__).resolve().parents[1] / "version_0_1"


def readers() -> dict[str, tuple[str, Callable[[Path], object]]]:
    """Return for each target the name of its file, and the function that reads one."""
    from gptstudio.app import lesson_progress, preferences
    from gptstudio.app.kept_model import read
    from gptstudio.history import added_runs, run_history
    from gptstudio.training import checkpoint_files
    from gptstudio.training.run_folder import RunFolder
    from gptstudio.training.sweep_runner import SweepFolder
    from gptstudio.weights_io import tokenizer_files

    def state(path: Path) -> object:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        (path.parent / checkpoint_files.SUMS).write_text(f"{digest}  {path.name}\n")
        return checkpoint_files.read_state(path.parent)

    return {
        "report-data": ("data.json", in_report),
        "pth-zip": ("data.pkl", lambda path: in_zip(path, "book")),
        "nanogpt": ("data.pkl", lambda path: in_zip(path, "nanogpt")),
        "tokenizer": ("tokenizer.json", lambda path: tokenizer_files.find(path.with_name("model.safetensors"), 50_300)),
        "merges": ("merges.txt", lambda path: tokenizer_files.find(path.with_name("model.safetensors"), 50_300)),
        "run-record": ("run.json", lambda path: RunFolder(path.parent).record()),
        "checkpoint-state": ("state.json", state),
        "sweep-record": ("sweep.json", lambda path: SweepFolder(path.parent).record()),
        "curves": ("journal.jsonl", lambda path: run_history.read(path).best),
        "added-runs": ("added_runs.json", added_runs.folders),
        "preferences": ("preferences.json", lambda path: read(path, preferences.Preferences, 65536)),
        "lesson-progress": ("lessons.json", lambda path: read(path, lesson_progress.LessonProgress, 65536)),
    }


def in_report(path: Path) -> object:
    """Open a report with these data, under the checksum that they have if they are JSON."""
    from gptstudio.history import class_runs, run_data

    text, digest = path.read_bytes(), ""
    with suppress(ValueError, RecursionError):
        digest = hashlib.sha256(json.dumps(json.loads(text), sort_keys=True).encode()).hexdigest()
    page = path.with_suffix(".html")
    begin, end = run_data.BEGIN.encode(), run_data.END.encode()
    page.write_bytes(b'%b{"data":%b,"sha256":"%b"}%b' % (begin, text, digest.encode(), end))
    return class_runs.read(page)


def small_run_data() -> str:
    """Return the data of a report with two steps and a checkpoint record, as small as they can be."""
    from gptstudio.history.run_data import CURVES, RunData
    from gptstudio.training.run_folder import RunFolder

    record = RunFolder(WRITTEN / "runs" / "first-run").record()
    curves = {table: dict.fromkeys(columns, (1.0, 2.0)) for table, columns in CURVES.items()}
    return RunData(name="a", record=record, steps=2, rates=((1, 0.1),), curves=curves).model_dump_json()


def small_tree() -> str:
    """Return a tree of version 0.1 with three tokens of the prompt and one that was drawn."""
    (file,) = (WRITTEN / "runs" / "first-run" / "trees").glob("*.json")
    tree = json.loads(file.read_bytes())
    nodes = tree["nodes"]
    drawn = next(number for number, node in enumerate(nodes) if "alternatives" in node["reading"])
    nodes[drawn]["reading"]["alternatives"] = nodes[drawn]["reading"]["alternatives"][:2]
    return json.dumps(tree | {"nodes": nodes[: drawn + 1]}, separators=(",", ":"))


def in_zip(pickle: Path, kind: str) -> object:
    """Open a .pth with this pickle and the storages of a model of that kind."""
    from gptstudio.weights_io import importing

    path = pickle.with_suffix(".pth")
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts(kind).items():
            archive.writestr(f"m/{name}", pickle.read_bytes() if name == "data.pkl" else data)
    return importing.read(importing.inspect(path))


@cache
def parts(kind: str) -> dict[str, bytes]:
    """Return the files that torch.save writes for the smallest model: the book's names, or nanoGPT's with its
    arguments."""
    import torch

    from gptstudio.gpt import weights
    from gptstudio.gpt.config import GPTConfig
    from gptstudio.gpt.model import GPTModel
    from gptstudio.weights_io import nanogpt

    tiny = GPTConfig(vocab_size=3, context_length=2, emb_dim=2, n_heads=1, n_layers=1)
    state = GPTModel(tiny).state_dict()
    saved: dict[str, object] = dict(weights.to_book(state, tiny))
    if kind == "nanogpt":
        theirs = weights.to_huggingface(state, tiny)
        turned = {name: value.T.clone() if name.endswith(nanogpt.MATRICES) else value for name, value in theirs.items()}
        saved = {"model": turned, "model_args": {"n_head": 1, "n_layer": 1, "bias": True}, "iter_num": 5}
    file = io.BytesIO()
    torch.save(saved, file)
    with zipfile.ZipFile(file) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


def write_seed(target: str, file: Path) -> None:
    """Write a real file of a target, if there is one."""
    formats = WRITTEN.parent / "formats"
    seeds = {
        "run-record": WRITTEN / "runs" / "first-run" / "run.json",
        "checkpoint-state": WRITTEN / "runs" / "first-run" / "checkpoints" / "step-000007" / "state.json",
        "curves": WRITTEN / "runs" / "first-run" / "journal.jsonl",
        "sweep-record": formats / "sweep-1.json", "added-runs": formats / "added_runs-1.json",
        "preferences": formats / "preferences-1.json", "lesson-progress": formats / "lesson_progress-2.json",
    }
    made = {"report-data": small_run_data, "text-document": small_tree}
    if target in made:
        file.write_text(made[target](), encoding="utf-8")
    elif target in seeds:
        file.write_bytes(seeds[target].read_bytes())
    elif target in ("pth-zip", "nanogpt"):
        file.write_bytes(parts("book" if target == "pth-zip" else target)["data.pkl"])
    elif target == "tokenizer":
        file.write_bytes(b'{"version": "1.0", "model": {"vocab": {"!": 0}, "merges": [["a", "b"], "c d"]}}')
    elif target == "merges":
        file.write_bytes(b"#version: 0.2\n\xc4\xa0 t\n\xc4\xa0 a\n")
