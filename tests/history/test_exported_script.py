"""A run as a script of plain torch: short, readable, and with the losses of the run."""

import ast
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
import torch
import warm_python
from hypothesis import given
from hypothesis import strategies as st
from lessons import FEW
from pydantic import ValidationError

from gptstudio import paths
from gptstudio.app.run_tasks import write_script
from gptstudio.errors import UserError
from gptstudio.gpt.config import GPTConfig
from gptstudio.history.exported_script import export, script
from gptstudio.training import corpus
from gptstudio.training.control import Control
from gptstudio.training.events import Evaluated, StepDone
from gptstudio.training.launch import launch, resume
from gptstudio.training.run_folder import Record, RunFolder
from gptstudio.training.spec import TrainSpec

pytestmark = pytest.mark.usefixtures("few_tokens")
TINY = GPTConfig(vocab_size=FEW, context_length=16, emb_dim=16, n_heads=2, n_layers=2)
DRY = TINY.but(drop_rate=0.0)
EVERYTHING = {
    "config": TINY.but(
        qkv_bias=True, tie_weights=True, drop_rate_emb=0.3, drop_rate_attn=0.2, drop_rate_shortcut=0.05
    ),
    "reference": True, "schedule": "cosine", "warmup_steps": 5, "min_learning_rate": 1e-4, "gradient_clip": 0.5,
    "accumulation": 2, "beta1": 0.8, "beta2": 0.98, "weight_decay": 0.2, "stride": 5, "train_ratio": 0.7, "seed": 7,
    "eval_freq": 3, "eval_iter": 2,
}
RUNS = {
    "reference": {"config": TINY, "reference": True},
    "reference with everything": EVERYTHING,
    "fast without dropout": {"config": DRY},
    "by epochs": {"config": TINY, "reference": True, "steps": None, "epochs": 1, "accumulation": 3},
    "partly frozen": {
        "config": TINY, "reference": True, "freeze": ["attention", "norms", "position_embedding"], "freeze_blocks": 1,
    },
    "partly frozen and tied": {
        "config": DRY.but(tie_weights=True), "freeze": ["output_layer", "feed_forward"], "gradient_clip": 0.5,
    },
    "no warm-up": {"config": DRY, "schedule": "cosine", "warmup_steps": 0, "min_learning_rate": 0.0},
    "changed rate": {"config": TINY, "reference": True, "steps": 7},
    "reference with SGD": {
        "config": TINY, "reference": True, "optimizer": "sgd", "learning_rate": 0.05, "nesterov": True,
        "l2_penalty": 1e-3, "gradient_clip": 0.5,
    },
    "fast with SGD, without dropout": {"config": DRY, "optimizer": "sgd", "learning_rate": 0.05, "momentum": 0.0},
    "reference with Muon": {
        "config": TINY.but(qkv_bias=True), "reference": True, "optimizer": "muon", "matrix_rate_ratio": 2.0,
        "muon_momentum": 0.9, "accumulation": 2,
    },
    "changed rate with Muon": {"config": TINY, "reference": True, "optimizer": "muon", "steps": 7},
    "Muon without a matrix": {
        "config": TINY, "reference": True, "optimizer": "muon", "freeze": ["attention", "feed_forward"],
    },
    "changed rate with a schedule": EVERYTHING | {"steps": 7},
    "trained longer with a schedule": {
        "config": DRY, "schedule": "cosine", "warmup_steps": 2, "min_learning_rate": 1e-5, "learning_rate": 0.02},
}
LONGEST = RUNS | {
    "Muon with everything": EVERYTHING | {"optimizer": "muon", "matrix_rate_ratio": 2.0, "freeze_blocks": 1},
    "all options at once": EVERYTHING | {
        "config": TINY.but(qkv_bias=True, drop_rate_emb=0.3, drop_rate_attn=0.2, drop_rate_shortcut=0.05),
        "freeze": ["attention", "norms", "position_embedding"], "freeze_blocks": 1, "steps": None, "epochs": 2,
    },
}
RATES = {2: 3e-3, 4: 5e-5, 5: 2e-2}
"""Learning rates that are set during the runs with a changed rate, by the first step to which they apply."""


@pytest.fixture
def vocabulary(tmp_path, monkeypatch) -> None:
    """Put GPT-2's files where tiktoken looks before it uses the network: named by the SHA-1 of their addresses."""
    folder = tmp_path / "tiktoken"
    folder.mkdir()
    for name in ("vocab.bpe", "encoder.json"):
        address = "https://openaipublic.blob.core.windows.net/gpt-2/encodings/main/" + name
        target = folder / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        shutil.copy(paths.resources() / "gpt2" / name, target)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder))


def trained(spec: TrainSpec, folder: Path, rates: dict[int, float]) -> tuple[RunFolder, list[float], list[float]]:
    """Return a run, its losses, and those of its evaluations."""
    events: list = []
    control = Control()

    def change(event) -> None:
        if isinstance(event, StepDone) and event.step + 1 in rates:
            control.learning_rate = rates[event.step + 1]

    assert launch(spec, control, [events.append, change], folder).outcome == "finished"
    if "longer" in str(folder):
        for steps in (9, 12):
            assert resume(RunFolder(folder), Control(), [events.append], longer={"steps": steps}).outcome == "finished"
    losses = [event.loss for event in events if isinstance(event, StepDone)]
    tested = [loss for event in events if isinstance(event, Evaluated) for loss in (event.train_loss, event.val_loss)]
    return RunFolder(folder), losses, tested


RUN_ALL = """
import os, runpy, sys, torch
torch.Tensor.bfloat16 = torch.Tensor.float
for script in sys.argv[1:]:
    os.chdir(os.path.dirname(script))
    print("of", os.path.basename(os.getcwd()))
    runpy.run_path(script, run_name="__main__")
"""


def printed(scripts: list[Path]) -> Iterator[tuple[list[float], list[float]]]:
    """Yield the losses of the steps and of the evaluations that each script prints, with more digits, run from its own
    folder; they do not import GPT Studio."""
    for each in scripts:
        code = each.read_text()
        assert "gptstudio" not in code
        assert code.count(":.6f}") == 2
        each.write_text(code.replace(":.6f}", ":.9f}"))
    done = warm_python.run("-c", RUN_ALL, *scripts)
    assert done.returncode == 0, done.stderr
    for text in re.split(r"^of .*\n", done.stdout, flags=re.MULTILINE)[1:]:
        found = re.findall(r"^step (\d+) (training |validation |)loss (\S+)$", text, re.MULTILINE)
        assert len(found) == len(text.splitlines())
        yield [float(loss) for _, kind, loss in found if not kind], [float(loss) for _, kind, loss in found if kind]


@pytest.mark.usefixtures("vocabulary")
def test_that_the_scripts_give_the_losses_of_the_runs(tiny_spec, tmp_path, monkeypatch):
    """Muon's products are in float32 on both sides. In bf16, the last bit of a gradient may become the eighth of an
    update: from the fourth step on, losses then differ by up to 3e-4."""
    monkeypatch.setattr(torch.Tensor, "bfloat16", torch.Tensor.float)
    runs = {
        name: trained(
            tiny_spec(**{"steps": 6, "eval_iter": 2} | changes), tmp_path / name / "run",
            RATES if "changed" in name else {},
        )
        for name, changes in RUNS.items()
    }
    scripts = [tmp_path / name / "elsewhere.py" for name in runs]
    for (run, *_), script_path in zip(runs.values(), scripts, strict=True):
        write_script(run, script_path)
    for (name, (_, losses, tested)), (again, tested_again) in zip(runs.items(), printed(scripts), strict=True):
        # Two float32 numbers near 10 are 1e-6 apart. The reference path adds up the losses of a batch in the script's
        # order; the fast path in its own, and either may be such a step from the exact mean. So may Muon's losses: each
        # of its updates is five products of matrices, which add up in an order that depends on the processor.
        one_step = "reference" in name and "Muon" not in name
        assert again[:3] == pytest.approx(losses[:3], abs=1e-6 if one_step else 2e-6), name
        # A difference in the last digit of one step grows in the next.
        assert again == pytest.approx(losses, abs=4e-6), name
        assert tested_again == pytest.approx(tested, abs=4e-6), name
        assert (tmp_path / name / "model.pth").is_file()


@pytest.mark.parametrize("changes", LONGEST.values(), ids=LONGEST)
def test_that_the_script_is_short_enough_to_read(tiny_spec, tmp_path, changes):
    made, _ = export(recorded(tiny_spec(**changes)), tmp_path / "a.py")
    lines = made.read_text().splitlines()
    assert len(lines) < (80 if changes in RUNS.values() else 90), "the manual says under 90"
    assert max(map(len, lines)) <= 100


def test_that_many_changes_of_the_rate_are_no_long_line(tiny_spec, tmp_path):
    rates = {step: 1 / (step + 3) for step in range(0, 600, 7)}
    made, _ = export(recorded(tiny_spec(config=TINY)), tmp_path / "a.py", rates=rates)
    assert max(map(len, made.read_text().splitlines())) <= 100
    scope: dict = {}
    changes = re.search(r"^CHANGES = \{[^}]*\}", made.read_text(), re.MULTILINE)
    exec(changes[0], scope)
    assert scope["CHANGES"] == rates


def test_that_a_run_that_began_with_other_weights_has_no_script_and_that_is_reported(tiny_spec, tmp_path):
    expected = "started from the weights of gpt2, but a plain script starts from random weights"
    with pytest.raises(UserError, match=expected):
        export(recorded(tiny_spec(init_from="gpt2")), tmp_path / "a.py")
    assert not (tmp_path / "a.py").exists()


@pytest.mark.parametrize("vocabulary", ["own:300", "characters"])
def test_that_a_run_with_a_vocabulary_of_its_own_has_no_script(tiny_spec, tmp_path, vocabulary):
    record = recorded(tiny_spec(config=tiny_spec().config.but(vocabulary=vocabulary)))
    with pytest.raises(UserError, match=r"but a plain script has only GPT-2's tokenizer"):
        export(record, tmp_path / "a.py")
    assert not (tmp_path / "a.py").exists()


def test_that_a_script_never_replaces_another_text_beside_it(tiny_spec, tmp_path):
    script, text = export(recorded(tiny_spec()), tmp_path / "a.py")
    export(recorded(tiny_spec()), script)
    text.write_text(mine := text.read_text() + "and more")
    with pytest.raises(UserError, match=r"a\.txt already exists and contains something else"):
        export(recorded(tiny_spec()), script)
    assert text.read_text() == mine


def recorded(spec: TrainSpec, **more) -> Record:
    """Return the record of a run with this spec."""
    label = corpus.read(spec).text
    values = {"created": datetime(2026, 11, 20), "text_name": label.name, "text_sha256": label.sha256}
    return Record(spec=spec, **(values | more))


@pytest.mark.parametrize("split", ["characters", "documents"])
@pytest.mark.parametrize("ratio", [0.01, 0.25, 0.3, 0.5, 0.62, 0.75, 0.99])
def test_that_several_texts_are_joined_and_cut_as_the_run_did(tmp_path, split, ratio):
    """Cuts inside a text and between two: the first two texts are a half of all."""
    names = []
    for name, content in (("a", "one two\r\n" * 50), ("b", "naïve – 猫 " * 50), ("c", "x" * 900)):
        (tmp_path / f"{name}.txt").write_bytes(content.encode("utf-8-sig" if name == "b" else "utf-8"))
        names.append(str(tmp_path / f"{name}.txt"))
    spec = TrainSpec(text=tuple(names), split=split, train_ratio=ratio)
    expected = corpus.read(spec)
    made, _ = export(recorded(spec), tmp_path / "script.py")
    scope: dict = {}
    code = made.read_text()
    begin, end = code.index("text = open("), code.index("training = DataLoader")
    reading = "import tiktoken, torch\nfrom gptstudio.gpt.tokenizer import GPT2\n" + code[begin:end]
    reading = reading.replace("open(TEXT", f"open({str(tmp_path / 'script.txt')!r}")
    exec(reading.replace('tiktoken.get_encoding("gpt2")', "GPT2.encoding"), scope)
    assert [ids.tolist() for ids in scope["ids"]] == [list(expected.train_ids[:]), list(expected.val_ids[:])]


class _NoConstants(ast.NodeTransformer):
    """Replaces the values in a syntax tree, so that only its form is left."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(value=None)


def form(script: str) -> str:
    return ast.dump(_NoConstants().visit(ast.parse(script)))


TEXTS = st.text(max_size=90) | st.sampled_from(
    ['"""\nimport os\nos.abort()\n"""\\', "\n__import__('os').abort()", "\\", "$file ${version}", "\ud800"]
)


@given(st.fixed_dictionaries(dict.fromkeys(("title", "text_name", "version", "text_sha256", "file"), TEXTS)))
def test_that_the_script_of_any_run_is_the_template_with_other_constants(tiny_spec, words):
    """Also where a file of a run was edited by hand, so that nothing checked its values."""
    record, file = recorded(tiny_spec()), words.pop("file")
    parts = "text[:5], text[5:]"
    assert form(script(record.model_copy(update=words), file, parts)) == form(script(record, "text.txt", parts))


@pytest.mark.parametrize("version", ['"""\nimport os\n"""', "0.1.0\nimport os", "", "1" * 50, "0.1.0; os"])
def test_that_a_run_with_an_invalid_version_is_refused(tiny_spec, version):
    record = json.loads(recorded(tiny_spec()).model_dump_json())
    with pytest.raises(ValidationError, match="version"):
        Record.model_validate(record | {"version": version})
    assert Record.model_validate(record | {"version": "0.1.0rc2"}).version == "0.1.0rc2"


def test_that_a_users_text_never_becomes_code(tiny_spec, tmp_path):
    hostile_text = '"""\nimport os\nos.abort()\n"""\\'
    made, _ = export(recorded(tiny_spec(), title=hostile_text, text_name=hostile_text), tmp_path / "it's \"a\" run.py")
    compile(made.read_text(), "script", "exec")
    assert "\nimport os\n" not in made.read_text()
    assert "os.abort" in made.read_text()


def test_that_a_text_that_was_changed_since_is_reported(tiny_spec, tmp_path, lesson):
    record = recorded(tiny_spec())
    lesson.write_text("other words " * 100)
    with pytest.raises(UserError, match=r"has changed since then, so a script would train on a different text\."):
        export(record, tmp_path / "a.py")
    lesson.unlink()
    with pytest.raises(UserError, match=r"does not exist\. Choose another"):
        export(record, tmp_path / "a.py")
    assert not (tmp_path / "a.py").exists()


def test_that_a_place_that_cannot_be_written_is_reported_with_a_message(tiny_spec, tmp_path):
    with pytest.raises(UserError, match=r"Could not save .*: No such file or directory"):
        export(recorded(tiny_spec()), tmp_path / "none" / "a.py")
