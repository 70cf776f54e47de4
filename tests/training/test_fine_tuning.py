"""A run that begins with the weights of another model, and one that leaves parts of its model unchanged."""

import math
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from imported_model import import_weights
from lessons import FEW
from messages import message
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy
from whole_runs import (
    Steered,
    assert_same,
    continue_run,
    equal,
    journal_lines,
    of,
    seal,
    state_of,
    steps,
    train,
    weights,
)

from gptstudio import devices, files, paths
from gptstudio.fields import SpecError
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, checkpoint_files, corpus, init_weights, launch, model_source
from gptstudio.training.checkpoint_files import size
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batches
from gptstudio.training.events import Ended, Evaluated, MemoryRead, StepReport, Warned
from gptstudio.training.freezing import component_of
from gptstudio.training.learning_rate_finder import find_learning_rate
from gptstudio.training.model_source import ImportedModel
from gptstudio.training.run_folder import Record
from gptstudio.training.spec import TrainSpec
from gptstudio.training.train_state import build_state

pytestmark = pytest.mark.usefixtures("few_tokens")

LONG = GPTConfig(context_length=48, emb_dim=8, n_heads=2, n_layers=3, qkv_bias=True, tie_weights=True, drop_rate=0.0,
                 vocab_size=FEW)
"""As a published model is: tied, with biases, and of a longer context than it is fine-tuned at."""
SHORT = LONG.but(context_length=16, drop_rate=0.1)
EVERY = set(sizing.PARTS)


def asked(spec: TrainSpec) -> Ended:
    """Return the end of a run launched in a folder that does not exist."""
    return launch.launch(spec, Control(), [], paths.models().parent / "refused")


def changed(before: dict[str, torch.Tensor], after: dict[str, torch.Tensor]) -> set[str]:
    return {name for name in before if not torch.equal(before[name], after[name])}


def loss_of(model: Path, spec: TrainSpec) -> float:
    """The validation loss of a saved model on the first batches, computed without the trainer."""
    batches = Batches(corpus.read(spec).val_ids, spec.config.context_length, spec.window_stride, spec.batch_size,
                      shuffle=False, drop_last=False)
    reader = model_source.load(ImportedModel(model), devices.cpu())
    losses = [
        cross_entropy(reader(inputs).flatten(0, 1), targets.flatten()).item()
        for _, (inputs, targets) in zip(range(spec.eval_iter), batches, strict=False)
    ]
    return sum(losses) / len(losses)


def test_that_a_fine_tuning_starts_with_the_weights_of_the_source_and_at_its_loss(tiny_spec, tmp_path):
    model = import_weights(LONG)
    spec = tiny_spec(config=SHORT, init_from="teacher", learning_rate=0.0, steps=1)
    run = train(spec, tmp_path / "run")
    theirs, ours = load_file(model / checkpoint.WEIGHTS), load_file(run.newest_checkpoint() / checkpoint.WEIGHTS)
    assert equal(ours, theirs | {"pos_emb.weight": theirs["pos_emb.weight"][:16]})
    [first] = of(run, Evaluated)
    assert first.val_loss == pytest.approx(loss_of(model, spec), abs=1e-6)
    assert abs(first.val_loss - math.log(LONG.vocab_size)) < 1  # it is a loss, not chance


def test_that_the_first_weights_may_be_an_imported_model_a_run_or_a_checkpoint(tiny_spec, tmp_path):
    run, imported = train(tiny_spec(steps=2), tmp_path / "first"), import_weights(tiny_spec().config)
    assert run.record().initial_weights is None
    last = run.checkpoints()[-1]
    for kind, source, begun, title in (
        ("name", "teacher", imported, "teacher"), ("folder", imported, imported, "teacher"),
        ("run", run.path, last, "first, step 2"), ("checkpoint", last, last, "first, step 2"),
    ):
        second = train(tiny_spec(init_from=str(source), learning_rate=0.0, steps=1), tmp_path / kind)
        assert equal(weights(second), checkpoint.load(begun).state_dict())
        known = second.record().initial_weights
        assert known is not None
        assert (known.name, known.sha256) == (title, files.sha256(begun / checkpoint.WEIGHTS))


def test_that_a_run_that_replaces_its_checkpoint_while_the_text_is_read_gives_the_new_one(
    tiny_spec, tmp_path, monkeypatch
):
    def slow(*args: object) -> corpus.Corpus:
        text, last = read_text(*args), run.newest_checkpoint()
        last.rename(last.with_name(f"step-{int(last.name[5:]) + 1:06d}"))
        return text

    run, read_text = train(tiny_spec(steps=2), tmp_path / "first"), init_weights.read_text
    monkeypatch.setattr(init_weights, "read_text", slow)
    spec = tiny_spec(init_from=str(run.path), learning_rate=0.0, steps=1)
    second = train(spec, tmp_path / "second")
    assert second.record().initial_weights.name == "first, step 3"
    assert equal(weights(second), checkpoint.load(run.newest_checkpoint()).state_dict())
    assert find_learning_rate(spec, Control()).points


def test_that_the_seed_then_decides_the_order_and_the_dropout_and_no_weights(tiny_spec, tmp_path):
    """Nothing is drawn for the weights: the random numbers begin with the order of the text, as after the same seed
    elsewhere."""
    import_weights(SHORT)
    spec = tiny_spec(config=SHORT, init_from="teacher", steps=3)
    text = corpus.read(spec)
    read = load_file(paths.models() / "teacher" / checkpoint.WEIGHTS)
    state = build_state(spec, text, devices.cpu(), False, weights=read | {"out_head.weight": read["tok_emb.weight"]})
    next(state.steps(3, Control()))
    with RandomStream(spec.seed).active():
        assert torch.equal(state.progress.order, state.training.order())
    one, same, other = (train(spec.but(seed=seed), tmp_path / f"{i}") for i, seed in enumerate((1, 1, 2)))
    assert_same(one, same)
    assert journal_lines(one) != journal_lines(other)


@pytest.mark.parametrize(("freezing", "gone"), [
    ({}, False), ({"freeze": ("token_embedding", "norms"), "freeze_blocks": 1}, False),
    ({"freeze": ("attention",)}, True),
], ids=["nothing frozen", "ends, norms and a block", "attention, and the source gone"])
def test_that_a_resumed_fine_tuning_equals_one_never_stopped(tiny_spec, tmp_path, freezing, gone):
    model = import_weights(LONG)
    spec = tiny_spec(config=SHORT, init_from="teacher", steps=6, eval_iter=1, gradient_clip=0.5, **freezing)
    whole = train(spec, tmp_path / "whole")
    stopped = train(spec, tmp_path / "stopped", stop_at=2)
    if gone:
        shutil.rmtree(model)
    assert continue_run(stopped).outcome == "finished"
    assert_same(stopped, whole)
    ours, theirs = (load_file(run.newest_checkpoint() / checkpoint.RESUME) for run in (stopped, whole))
    assert equal(ours, theirs)


@pytest.mark.parametrize(("part", "tied", "reference"), [
    ("token_embedding", False, False), ("token_embedding", True, True), ("position_embedding", True, False),
    ("attention", False, True), ("feed_forward", True, True), ("norms", False, False),
    ("output_layer", True, False), ("output_layer", False, True), ("all but norms", False, False),
    ("all but norms", True, True), ("a block", True, False), ("two blocks and the ends", True, True),
    ("two blocks and the ends", False, False),
])
def test_that_frozen_parts_are_bit_identical_and_all_others_learn(tiny_spec, tmp_path, part, tied, reference):
    config = SHORT.but(tie_weights=tied, drop_rate=0.0)
    freezing = {
        "all but norms": {"freeze": sorted(EVERY - {"norms"})}, "a block": {"freeze_blocks": 1},
        "two blocks and the ends": {"freeze": ("output_layer",), "freeze_blocks": 2},
    }.get(part, {"freeze": (part,)})
    spec = tiny_spec(config=config, reference=reference, steps=2, eval_freq=100, **freezing)
    with RandomStream(spec.seed).active():
        before = {name: weight.clone() for name, weight in state_of(spec).model.state_dict().items()}
    run = train(spec, tmp_path / "run")
    after = weights(run)
    frozen = set(spec.freeze) | ({"token_embedding", "output_layer"} if tied and set(spec.freeze) & {
        "token_embedding", "output_layer"} else set())
    still = {
        name for name in before
        if component_of(name) in frozen or name.startswith(tuple(f"trf_blocks.{i}." for i in range(spec.freeze_blocks)))
    }
    assert changed(before, after) == set(before) - still
    moments = {name for name in load_file(run.newest_checkpoint() / checkpoint.RESUME) if name.endswith(".exp_avg")}
    tensors = set(before) - still - ({"out_head.weight"} if tied else set())
    assert moments == {f"optimizer.{name}.exp_avg" for name in tensors}


def test_that_the_loss_of_a_partly_frozen_model_still_falls(tiny_spec, tmp_path):
    import_weights(LONG)
    run = train(tiny_spec(config=SHORT, init_from="teacher", freeze_blocks=2, freeze=["norms"]), tmp_path / "run")
    assert steps(run)[-1].loss < steps(run)[0].loss - 0.5


def test_that_the_gradient_norm_is_that_of_the_trained_parameters(tiny_spec, tmp_path):
    """Without dropout the first gradients are the same, so the norms add up as squares."""
    config = SHORT.but(drop_rate=0.0)
    parts = ("attention", "feed_forward", "norms", "position_embedding", "token_embedding")  # tied
    norms = {}
    for part in (*parts, None):
        freeze = sorted(EVERY - {part} - ({"output_layer"} if part == "token_embedding" else set())) if part else ()
        run = train(tiny_spec(config=config, steps=1, freeze=freeze), tmp_path / str(part))
        norms[part] = steps(run)[0].gradient_norm
    assert math.hypot(*(norms[part] for part in parts)) == pytest.approx(norms[None], rel=1e-5)


def test_that_an_examined_step_reports_that_frozen_parts_did_not_move(tiny_spec, tmp_path):
    control = Control()
    control.pause()
    spec = tiny_spec(config=SHORT, freeze=("attention", "position_embedding"))
    with Steered(spec, tmp_path / "run", control) as steered:
        steered.until_paused()
        steered.control.step()
        steered.until(lambda _: steered.of(StepReport))
        [seen] = steered.of(StepReport)
    moved = {change.component: change.largest for change in seen.changes}
    assert {part for part, largest in moved.items() if largest == 0} == {"attention", "position_embedding"}
    assert set(moved) == EVERY - {"output_layer"}  # tied: it is the token embedding


def test_that_a_snapshot_of_a_fine_tuning_before_its_first_step_is_the_source(tiny_spec, tmp_path):
    theirs = load_file(import_weights(LONG) / checkpoint.WEIGHTS)
    control = Control()
    control.pause()
    spec = tiny_spec(config=SHORT, init_from="teacher", freeze=("norms",))
    with Steered(spec, tmp_path / "run", control) as steered:
        steered.until_paused()
        seen = control.snapshot().result(timeout=60)
    assert seen.step == -1
    assert torch.equal(seen.weights["tok_emb.weight"], theirs["tok_emb.weight"])
    assert torch.equal(seen.weights["pos_emb.weight"], theirs["pos_emb.weight"][:16])


def test_that_the_model_before_fine_tuning_is_its_source_while_that_is_unchanged(tiny_spec, tmp_path):
    model = import_weights(LONG)
    run = train(tiny_spec(config=SHORT, init_from="teacher", steps=1), tmp_path / "run")
    saved = model_source.resolve(str(run.path))
    assert model_source.untrained(saved) == ImportedModel(model)
    shutil.rmtree(model)
    assert model_source.untrained(saved) is None
    import_weights(LONG, seed=8)
    assert model_source.untrained(saved) is None


@pytest.mark.parametrize(("changes", "words"), [
    ({"n_layers": 4}, "Layers: 3 in the weights, 4 in this model"),
    ({"emb_dim": 32}, "Width: 8 in the weights, 32 in this model"),
    ({"n_heads": 4}, "Heads: 2 in the weights, 4 in this model"),
    ({"qkv_bias": False}, "Query, key, value bias: yes in the weights, no in this model"),
    ({"tie_weights": False}, "Tie output to embedding: yes in the weights, no in this model"),
    ({"vocab_size": FEW + 1}, "Tokens: 6,200 in the weights, 6,201 in this model"),
    ({"context_length": 49}, "Context length: 48 in the weights, 49 in this model; positions that were never trained"),
])
def test_that_weights_of_another_shape_are_refused_before_anything_is_made(tiny_spec, changes, words):
    import_weights(LONG)
    ended = asked(tiny_spec(config=LONG.but(**changes), init_from="teacher"))
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert words in ended.message
    assert not (paths.models().parent / "refused").exists()


def test_that_every_difference_is_reported(tiny_spec):
    import_weights(LONG)
    words = asked(tiny_spec(config=LONG.but(n_layers=2, n_heads=1), init_from="teacher")).message
    assert "Layers" in words
    assert "Heads" in words


def resealed(file: Path, change: Callable[[dict[str, torch.Tensor]], dict[str, torch.Tensor]]) -> None:
    """Save other weights with correct digests, as anybody could do on purpose."""
    save_file(change({name: tensor.clone() for name, tensor in load_file(file).items()}), file)
    seal(file.parent)


HARMS = {
    "flipped": lambda file: file.write_bytes(file.read_bytes()[:-9] + b"\xff" + file.read_bytes()[-8:]),
    "cut off": lambda file: file.write_bytes(file.read_bytes()[:1000]),
    "without positions": lambda file: resealed(
        file, lambda tensors: {name: tensors[name] for name in tensors if name != "pos_emb.weight"}),
    "with a flat position": lambda file: resealed(
        file, lambda tensors: tensors | {"pos_emb.weight": torch.zeros(())}),
    "without weights": Path.unlink,
    "without a model": lambda file: shutil.rmtree(file.parent),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_that_damaged_weights_are_refused_with_a_message_and_leave_no_run_behind(tiny_spec, harm):
    harm(import_weights(LONG) / checkpoint.WEIGHTS)
    ended = asked(tiny_spec(config=SHORT, init_from=str(paths.models() / "teacher")))
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert "teacher" in ended.message
    assert not (paths.models().parent / "refused").exists()


def test_that_the_names_of_version_0_1_are_read(tiny_spec, tmp_path):
    import_weights(LONG)
    assert TrainSpec.make({"begin_with": "gpt2"}).init_from == "gpt2"
    assert TrainSpec.model_validate_json('{"begin_with": "gpt2"}').init_from == "gpt2"
    run = train(tiny_spec(config=SHORT, init_from="teacher", steps=1), tmp_path / "run")
    values = run.record().model_dump(mode="json")
    former = {"initial_weights": "began_with"}
    assert Record.model_validate({former.get(name, name): value for name, value in values.items()}) == run.record()


def test_that_a_preset_or_nothing_is_no_source_of_weights(tiny_spec):
    empty = r"Initial weights \(init_from\): the text is empty;"
    for name, words in {"book": "a preset", "": empty, "  ": empty}.items():
        with pytest.raises(SpecError, match=words):
            tiny_spec(init_from=name)
    assert "no model 'nobody'" in asked(tiny_spec(init_from="nobody")).message


def test_that_a_model_with_nothing_left_to_train_is_refused(tiny_spec):
    with pytest.raises(SpecError, match=message("nothing_train")):
        tiny_spec(config=SHORT, freeze=sizing.PARTS)
    with pytest.raises(SpecError, match=message("nothing_train")):  # tied: the token embedding is the output layer
        tiny_spec(config=SHORT, freeze=EVERY - {"output_layer"})
    with pytest.raises(SpecError, match=message("nothing_train")):
        tiny_spec(config=SHORT, freeze=["token_embedding", "position_embedding", "norms"], freeze_blocks=3)
    with pytest.raises(SpecError, match="the model has 3 blocks"):
        tiny_spec(config=SHORT, freeze_blocks=4)
    assert tiny_spec(config=SHORT.but(tie_weights=False), freeze=EVERY - {"output_layer"})


def test_that_the_frozen_parts_are_a_set_and_each_is_checked(tiny_spec):
    assert tiny_spec(freeze=["norms", "attention", "norms"]).freeze == ("attention", "norms")
    with pytest.raises(SpecError) as caught:
        tiny_spec(freeze=["attention", "heads"])
    assert str(caught.value) == (
        "Freeze, item 2, is 'heads'; it must be one of token_embedding, position_embedding, attention, feed_forward, "
        "norms, output_layer."
    )
    assert tiny_spec(freeze="norms").freeze == ("norms",), "one part may be given by itself"
    with pytest.raises(SpecError, match="'heads'; it must be one of"):
        tiny_spec(freeze="heads")


@pytest.mark.parametrize("harm", [
    lambda moments: {name: each[:1].clone() if name.endswith(".exp_avg") else each for name, each in moments.items()},
    lambda moments: {name: each for name, each in moments.items() if ".att." not in name},
], ids=["other shapes", "as if other parts had been trained"])
def test_that_moments_of_other_parameters_are_refused_with_a_message(tiny_spec, tmp_path, harm):
    run = train(tiny_spec(config=SHORT, freeze=["norms"]), tmp_path / "run", stop_at=3)
    saved = run.newest_checkpoint()
    resealed(saved / checkpoint.RESUME, harm)
    ended = continue_run(run)
    assert (ended.outcome, ended.user_error) == ("failed", True)
    assert message("optimizer_kept") in ended.message


def test_that_room_is_required_only_for_what_a_checkpoint_will_hold(tiny_spec, tmp_path, monkeypatch):
    spec = tiny_spec(config=SHORT, freeze=["token_embedding"], steps=1)
    needed = checkpoint_files.needed_bytes(spec)
    monkeypatch.setattr(files, "free_bytes", lambda folder: round(1.06 * needed))
    for frozen, warned in {spec: 0, spec.but(freeze=()): 1}.items():
        run = train(frozen, tmp_path / str(warned))
        assert len(of(run, Warned)) == warned


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a peak begin anew")
def test_that_the_file_of_the_first_weights_does_not_count_as_memory_of_the_run(
    tiny_spec, tmp_path, memory_returned
):
    """Its content becomes the weights of the model: a peak that included both would make the next forecast count the
    weights twice."""
    config = GPTConfig(context_length=16, emb_dim=128, n_heads=2, n_layers=1, drop_rate=0.0)  # 51 MB
    import_weights(config)
    spec = tiny_spec(config=config, steps=1, batch_size=1, freeze=["token_embedding", "output_layer"])

    def peak(spec: TrainSpec, name: str) -> int:
        events = train(spec, tmp_path / name).events()
        return next(event.run_peak_bytes for event in events if isinstance(event, MemoryRead))  # after the first step

    train(spec, tmp_path / "first")  # torch's one-time allocations belong to the program
    assert peak(spec.but(init_from="teacher"), "tuned") - peak(spec, "fresh") < 0.5 * sizing.weight_bytes(config)


def test_that_a_checkpoint_has_moments_only_of_trained_parameters(tiny_spec, tmp_path):
    spec = tiny_spec(config=SHORT, freeze=["token_embedding"], freeze_blocks=2, steps=1)
    newest = train(spec, tmp_path / "run").newest_checkpoint()
    needed = checkpoint_files.needed_bytes(spec)
    assert size(newest) == pytest.approx(needed, abs=20_000)  # headers, the order, and the random states
    assert needed < checkpoint_files.needed_bytes(spec.but(freeze=(), freeze_blocks=0)) / 2
