"""A checkpoint is complete or refused; a save that fails, or is killed, loses none of the files that were there."""

import json
import os
import random
import re
import shutil
from pathlib import Path

import pytest
import torch
from disks import disk_is_full
from messages import message
from safetensors.torch import save_file
from whole_runs import Killed, seal

from gptstudio import files
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.fast import FastGPTModel, build_model
from gptstudio.gpt.model import GPTModel
from gptstudio.torch_settings import RandomStream
from gptstudio.training import checkpoint, checkpoint_files, file_format, safetensors_file
from gptstudio.training.checkpoint import CheckpointError, State
from gptstudio.training.run_folder import RunFolder

SMALL = GPTConfig(vocab_size=30, context_length=6, emb_dim=8, n_heads=2, n_layers=1)
WEIGHTS, STATE, SUMS = checkpoint.WEIGHTS, checkpoint.STATE, checkpoint.SUMS


def make(cfg: GPTConfig = SMALL, seed: int = 1) -> GPTModel:
    with RandomStream(seed).active():
        return build_model(cfg, "fast").eval()


def same(one: GPTModel, other: GPTModel) -> bool:
    theirs = other.state_dict()
    return all(torch.equal(tensor, theirs[name]) for name, tensor in one.state_dict().items())


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def save(model: GPTModel, folder: Path, step: int = 7) -> Path:
    return checkpoint.write(checkpoint.weights_of(model), folder, state(model, step))


def state(model: GPTModel, step: int, val_loss: float | None = 1.5) -> State:
    return State(config=model.cfg, step=step, epoch=2, tokens_seen=99, val_loss=val_loss)


@pytest.mark.parametrize("path", ["fast", "reference"])
@pytest.mark.parametrize("tied", [False, True])
def test_that_a_model_is_loaded_with_equal_weights(tmp_path, tied, path):
    model = make(SMALL.but(tie_weights=tied, qkv_bias=True))
    folder = save(model, tmp_path)
    back = checkpoint.load(folder, path)
    assert back.cfg == model.cfg
    assert isinstance(back, FastGPTModel) == (path == "fast")
    assert not back.training
    assert same(model, back)
    assert (back.out_head.weight is back.tok_emb.weight) == tied
    assert all(parameter.requires_grad for parameter in back.parameters())


def test_that_a_checkpoint_records_its_step_epoch_and_loss(tmp_path):
    folder = save(make(), tmp_path)
    assert folder == tmp_path / "step-000007"
    state = checkpoint.read_state(folder)
    assert (state.step, state.epoch, state.tokens_seen, state.val_loss, state.config) == (7, 2, 99, 1.5, SMALL)
    assert names(tmp_path) == ["step-000007"]
    assert names(folder) == sorted([WEIGHTS, STATE, SUMS])


@pytest.mark.parametrize("val_loss", [None, float("nan"), float("inf"), 1 / 3])
def test_that_any_loss_is_loaded_unchanged(tmp_path, val_loss):
    folder = checkpoint.write(checkpoint.weights_of(model := make()), tmp_path, state(model, 1, val_loss))
    assert repr(checkpoint.read_state(folder).val_loss) == repr(val_loss)


def test_that_tied_weights_are_written_once(tmp_path):
    own = (save(make(), tmp_path / "own") / WEIGHTS).stat().st_size
    tied = (save(make(SMALL.but(tie_weights=True)), tmp_path / "tied") / WEIGHTS).stat().st_size
    assert own - tied == pytest.approx(4 * SMALL.vocab_size * SMALL.emb_dim, abs=100)


def test_that_a_loaded_model_does_not_need_its_file(tmp_path):
    model = make()
    folder = save(model, tmp_path)
    back = checkpoint.load(folder)
    with (folder / WEIGHTS).open("r+b") as file:
        file.write(b"\0" * (folder / WEIGHTS).stat().st_size)
    shutil.rmtree(folder)
    assert same(model, back)


def test_that_saving_leaves_the_model_and_the_random_state_alone(tmp_path):
    model = make().train()
    before, rng = {k: v.clone() for k, v in model.state_dict().items()}, torch.get_rng_state()
    checkpoint.load(save(model, tmp_path))
    assert model.training
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())
    assert torch.equal(rng, torch.get_rng_state())


def assert_refused(folder: Path, *named: str) -> None:
    """Assert that it is refused with a message of one line that names the file (or one of ``named``)."""
    with pytest.raises(CheckpointError) as caught:
        checkpoint.load(folder)
    words = str(caught.value)
    assert any(name in words for name in named or (str(folder),)), words
    assert "\n" not in words


@pytest.mark.slow
@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.release)])
@pytest.mark.parametrize("name", [WEIGHTS, STATE, SUMS])
def test_that_every_flipped_bit_is_noticed(tmp_path, name, every):
    folder = save(make(), tmp_path)
    file = folder / name
    good = file.read_bytes()
    bits = range(8 * len(good))
    if name == WEIGHTS:
        bits = random.Random(3).sample(bits, 300)
    for bit in bits[::every]:
        bad = bytearray(good)
        bad[bit // 8] ^= 1 << bit % 8
        file.write_bytes(bad)
        assert_refused(folder)
    file.write_bytes(good)
    assert same(make(), checkpoint.load(folder))


@pytest.mark.parametrize("name", [WEIGHTS, STATE, SUMS])
def test_that_a_file_cut_off_anywhere_is_noticed(tmp_path, name):
    folder = save(make(), tmp_path)
    file = folder / name
    good = file.read_bytes()
    for length in {0, 1, 7, 8, 9, 100, len(good) // 2, len(good) - 1, *range(0, len(good), max(1, len(good) // 40))}:
        file.write_bytes(good[:length])
        assert_refused(folder)


@pytest.mark.parametrize("name", [WEIGHTS, STATE, SUMS])
def test_that_a_missing_file_is_named(tmp_path, name):
    folder = save(make(), tmp_path)
    (folder / name).unlink()
    assert_refused(folder, name)


@pytest.mark.parametrize("name", [WEIGHTS, STATE, SUMS])
def test_that_a_folder_in_the_place_of_a_file_is_refused(tmp_path, name):
    folder = save(make(), tmp_path)
    (folder / name).unlink()
    (folder / name).mkdir()
    assert_refused(folder, name)


def test_that_a_missing_checkpoint_is_reported_with_a_message(tmp_path):
    assert_refused(tmp_path / "nowhere")
    assert_refused(tmp_path)


def tamper(folder: Path, **changes) -> None:
    state = json.loads((folder / STATE).read_text())
    (folder / STATE).write_text(json.dumps(state | changes))
    seal(folder)


def test_that_weights_of_another_shape_are_refused_with_the_first_difference(tmp_path):
    folder = save(make(), tmp_path)
    tamper(folder, config=SMALL.but(emb_dim=16).model_dump())
    with pytest.raises(CheckpointError, match=r"tok_emb\.weight has shape \(30, 8\), but \(30, 16\) was expected"):
        checkpoint.load(folder)
    assert_refused(folder, WEIGHTS)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda tensors: tensors.pop("final_norm.scale"), "final_norm.scale is missing"),
        (lambda tensors: tensors.update(mystery=torch.zeros(1)), "mystery is not part of it"),
    ],
    ids=["missing", "more"],
)
def test_that_a_missing_or_foreign_tensor_is_named(tmp_path, change, part):
    folder = save(make(), tmp_path)
    tensors = make().state_dict()
    change(tensors)
    save_file(dict(tensors), folder / WEIGHTS)
    seal(folder)
    with pytest.raises(CheckpointError, match=part):
        checkpoint.load(folder)
    assert_refused(folder, WEIGHTS)


def test_that_an_absurd_shape_in_a_small_file_allocates_nothing(tmp_path):
    folder = save(make(), tmp_path)
    tamper(folder, config=SMALL.but(vocab_size=1_000_000, emb_dim=65_536).model_dump())  # 500 GB
    assert_refused(folder)


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"null", b"[1]", b'{"format": 1}', b"\xff", b"not json", b'{"format": "x"}']
)
def test_that_an_invalid_state_is_refused(tmp_path, content):
    folder = save(make(), tmp_path)
    (folder / STATE).write_bytes(content)
    seal(folder)
    assert_refused(folder, STATE)


def test_that_a_file_that_is_not_safetensors_is_refused(tmp_path):
    folder = save(make(), tmp_path)
    for content in (b"", b"PK\x03\x04", b"\xff" * 100, (2**40).to_bytes(8, "little") + b"{}"):
        (folder / WEIGHTS).write_bytes(content)
        seal(folder)
        assert_refused(folder, WEIGHTS)


@pytest.mark.parametrize("more", [{}, {"optimizer": "muon", "config": {"experts": 8}}], ids=["alike", "new fields"])
def test_that_a_newer_format_is_called_newer(tmp_path, more):
    folder = save(make(), tmp_path)
    tamper(folder, format=file_format.FORMAT + 1, **more)
    with pytest.raises(CheckpointError, match=f"newer version of GPT Studio .format {file_format.FORMAT + 1}.. Update"):
        checkpoint.load(folder)
    assert_refused(folder)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_that_weights_that_are_not_finite_are_not_saved(tmp_path, bad):
    model = make()
    with torch.no_grad():
        model.trf_blocks[0].ff.layers[2].bias[3] = bad
    with pytest.raises(CheckpointError, match=message("longer_numbers")):
        save(model, tmp_path)
    assert names(tmp_path) == []


CALLS = [(os, "rename"), (os, "fsync"), (os, "replace"), (checkpoint, "save_file"), (files, "write_whole")]


@pytest.mark.parametrize(("place", "call"), CALLS, ids=[call for _, call in CALLS])
def test_that_a_save_that_fails_anywhere_leaves_the_old_files_and_nothing_else(tmp_path, monkeypatch, place, call):
    first = save(make(seed=1), tmp_path, step=1)
    with monkeypatch.context() as broken:
        broken.setattr(place, call, disk_is_full)
        with pytest.raises(OSError, match="No space left"):
            save(make(seed=2), tmp_path, step=2)
    assert names(tmp_path) == [first.name]
    assert same(make(seed=1), checkpoint.load(first))
    assert same(make(seed=2), checkpoint.load(save(make(seed=2), tmp_path, step=2)))


@pytest.mark.parametrize("at", range(12))
def test_that_a_model_saved_alone_is_kept_wherever_the_save_of_the_rest_is_interrupted(tmp_path, monkeypatch, at):
    model, rest = make(), {"chance": torch.arange(5)}
    weights, alone = checkpoint.weights_of(model), state(model, 7).model_copy(update={"best_alone": True})
    folder = checkpoint.write(weights, tmp_path, alone)
    calls = []

    def killed_at(place, call):
        real = getattr(place, call)

        def counted(*given, **named):
            calls.append(call)
            if len(calls) > at:
                raise Killed
            return real(*given, **named)

        monkeypatch.setattr(place, call, counted)

    with monkeypatch.context() as monkeypatch:
        for place, call in ((os, "replace"), (os, "rename"), (files, "flush")):
            killed_at(place, call)
        with pytest.raises(Killed):
            checkpoint.write(weights, tmp_path, state(model, 7), rest)
    assert same(model, checkpoint.load(folder))
    assert checkpoint.write(weights, tmp_path, state(model, 7), rest) == folder
    assert checkpoint_files.is_whole(folder)
    assert names(folder) == sorted([checkpoint.RESUME, STATE, SUMS, WEIGHTS])
    assert names(tmp_path) == [folder.name]


def test_that_the_files_equal_those_of_the_library_byte_by_byte(tmp_path):
    tensors = {
        "b": torch.arange(6.0).view(2, 3), "a": torch.tensor(3.0), "é": torch.zeros(0, 4), "n": torch.arange(5),
        "bytes": torch.arange(7, dtype=torch.uint8), "half": torch.ones(3, dtype=torch.bfloat16),
    }
    save_file(tensors, tmp_path / "theirs")
    digest = safetensors_file.save_file(tensors, tmp_path / "ours")
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    assert digest == files.sha256(tmp_path / "ours")
    turned = torch.arange(6.0, requires_grad=True).view(2, 3).T
    safetensors_file.save_file({"turned": turned}, tmp_path / "turned")
    assert torch.equal(safetensors_file.read(tmp_path / "turned")[0]["turned"], turned)


def test_that_an_interrupted_save_leaves_nothing(tmp_path, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoint, "save_file", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(make(), tmp_path)
    assert names(tmp_path) == []


def test_that_the_remains_of_a_killed_save_are_removed_by_the_next(tmp_path):
    stray = tmp_path / ".step-000007.tmp"
    stray.mkdir()
    (stray / WEIGHTS).write_bytes(b"half")
    assert same(make(), checkpoint.load(save(make(), tmp_path)))
    assert names(tmp_path) == ["step-000007"]


def test_that_too_little_room_is_reported_with_figures_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "free_bytes", lambda folder: 3 * 2**20)
    with pytest.raises(CheckpointError, match=r"needs 14\.7 MB and 5 % in reserve, but only 3\.0 MB are free"):
        save(make(SMALL.but(vocab_size=240_000)), tmp_path)
    assert names(tmp_path) == []


@pytest.fixture
def imported_model(tmp_path):
    """A model that belongs to no run, with a small file next to it."""
    model = make()
    return checkpoint.write_model(
        checkpoint.weights_of(model), tmp_path / "models" / "a cat", state(model, 0, None), {"origin.json": b"{}"}
    )


def test_that_a_model_of_no_run_is_a_checkpoint_under_its_own_name(tmp_path, imported_model):
    assert names(imported_model.parent) == ["a cat"]
    assert names(imported_model) == sorted([WEIGHTS, STATE, SUMS, "origin.json"])
    assert same(make(), checkpoint.load(imported_model))
    listed = {line[66:]: line[:64] for line in (imported_model / SUMS).read_text().splitlines()}
    assert listed == {name: files.sha256(imported_model / name) for name in (WEIGHTS, STATE, "origin.json")}


def test_that_invalid_or_too_large_weights_of_no_run_are_reported_before_anything_is_written(tmp_path, monkeypatch):
    model = make()
    weights = checkpoint.weights_of(model)
    broken = weights | {"pos_emb.weight": torch.full((6, 8), torch.nan)}
    with pytest.raises(CheckpointError, match=re.escape(message("all_numbers"))):
        checkpoint.write_model(broken, tmp_path / "cat", state(model, 0))
    monkeypatch.setattr(checkpoint, "free_bytes", lambda folder: 100)
    with pytest.raises(CheckpointError, match=r"needs 5\.4 KB .* but only 0\.1 KB are free at"):
        checkpoint.write_model(weights, tmp_path / "cat", state(model, 0))
    assert names(tmp_path) == []


def test_that_the_remains_of_a_killed_import_are_removed_after_a_day_and_nothing_else_is(tmp_path):
    for name in (".1234.model.tmp", "notes.tmp", ".5678.model.tmp"):
        (tmp_path / name).mkdir()
    for name in (".1234.model.tmp", "notes.tmp"):
        os.utime(tmp_path / name, (1e9, 1e9))
    model = make()
    checkpoint.write_model(checkpoint.weights_of(model), tmp_path / "cat", state(model, 0))
    assert names(tmp_path) == [".5678.model.tmp", "cat", "notes.tmp"]


def test_that_steps_are_ordered_by_number_and_other_folders_are_no_checkpoints(tmp_path):
    run = RunFolder(tmp_path)
    for name in ("step-000002", "step-1000000", "step-999999", ".step-2000000.tmp", "step-old", "other"):
        (run.checkpoint_folder / name).mkdir(parents=True)
    assert [path.name for path in run.checkpoints()] == ["step-000002", "step-999999", "step-1000000"]
    run.remove(run.checkpoints()[:-1])
    assert names(run.checkpoint_folder) == [".step-2000000.tmp", "other", "step-1000000", "step-old"]


def test_that_free_space_is_that_of_the_nearest_existing_folder(tmp_path):
    assert files.free_bytes(tmp_path / "not" / "yet" / "there") == pytest.approx(files.free_bytes(tmp_path), rel=0.5)
