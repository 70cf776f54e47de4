"""Models that the window exports for llama.cpp and ONNX Runtime, opened by the readers of these formats."""

from pathlib import Path

import gguf
import numpy as np
import onnxruntime
import pytest
import torch

from gptstudio import devices
from gptstudio.training import checkpoint, model_source
from gptstudio.weights_io.exporting import FORMATS, onnx_folder

FIRST_PAGE = "generate"


def exported(user, name: str, target: Path) -> Path:
    """Export the chosen model in a format, and return the path."""
    user.dialogs.choose("export")
    dialog = user.dialogs.exports
    user.click(dialog.format.button(list(FORMATS).index(name)))
    dialog.path.setText(str(target))
    user.click(dialog.write)
    user.wait(lambda: not dialog.busy)
    assert dialog.outcome.text() == f"Saved {target}", dialog.refusal.notice.text()
    return target


def test_that_a_trained_model_is_in_the_file_for_llama_cpp_and_a_format_without_its_packages_is_disabled(
    user, tmp_path, monkeypatch
):
    source = user.train.to_end(steps=2)
    file = exported(user, "gguf", tmp_path / f"mine{FORMATS['gguf'].ending}")
    tensors = {each.name: each.data for each in gguf.GGUFReader(file).tensors}
    ours = checkpoint.read_weights(source.path)
    assert np.array_equal(tensors["token_embd.weight"], ours["tok_emb.weight"].numpy())
    assert np.array_equal(tensors["blk.0.ffn_up.weight"], ours["trf_blocks.0.ff.layers.0.weight"].numpy())

    monkeypatch.setattr(onnx_folder, "find_spec", lambda name: None)
    user.dialogs.choose("export")
    choices = [user.dialogs.exports.format.button(index) for index in range(len(FORMATS))]
    assert [choice.isEnabled() for choice in choices] == [name != "onnx" for name in FORMATS]
    off = choices[list(FORMATS).index("onnx")]
    assert 'pip install "gptstudio[export]"' in off.accessibleDescription()
    assert "onnx, onnxscript" in off.toolTip()


@pytest.mark.release
def test_that_an_exported_model_gives_the_same_logits_in_onnx_runtime(user, tmp_path):
    """An export takes 5 s. ``tests/weights_io/test_export_onnx.py`` tests the format every day."""
    source = user.train.to_end(steps=2)
    folder = exported(user, "onnx", tmp_path / f"mine{FORMATS['onnx'].ending}")
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    ids = np.array([[6109, 3626, 6100, 345]])
    model = model_source.load(source, devices.cpu(), "reference")
    with torch.no_grad():
        expected = model(torch.tensor(ids)).numpy()
    assert np.allclose(session.run(["logits"], {"input_ids": ids})[0], expected, atol=1e-4, rtol=0)
