"""Fixtures that the tests of the export formats share."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from exported_models import SAVED, SHAPES, saved

from gptstudio.gpt.model import GPTModel
from gptstudio.training.model_source import LoadableModel, SavedModel, UntrainedModel


@pytest.fixture(scope="session")
def saved_models(shared_home, tmp_path_factory) -> dict[str, SavedModel]:
    """A saved model of each shape, whose biases and norms no longer have their initial values."""
    place = tmp_path_factory.mktemp("runs")
    return {name: saved(place / name, config) for name, config in SAVED.items()}


@pytest.fixture(scope="session")
def models(shared_home, tmp_path_factory) -> dict[str, LoadableModel]:
    """An untrained model of each shape, and a saved one."""
    made: dict[str, LoadableModel] = {name: UntrainedModel(config, seed=5) for name, config in SHAPES.items()}
    return made | {"saved": saved(tmp_path_factory.mktemp("run"), SHAPES["OpenAI's"])}


@pytest.fixture(scope="session")
def graphs() -> dict[tuple, Any]:
    """The graph of each shape that was traced, which takes seconds."""
    return {}


@pytest.fixture(scope="module")
def traced_once(graphs) -> Iterator[None]:
    """Trace one model of each shape: another model of the same shape gets its graph, with position embeddings of its
    own, so that their files differ."""
    trace = torch.onnx.export

    def cached(model: GPTModel, *given: Any, **options: Any) -> Any:
        shape = model.cfg.n_heads, *(parameter.shape for parameter in model.parameters())
        if shape not in graphs:
            graphs[shape] = trace(model, *given, **options)
        graphs[shape].apply_weights({"pos_emb.weight": model.pos_emb.weight})
        return graphs[shape]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.onnx, "export", cached)
        yield
