"""Fixtures that the tests of the export formats share."""

import pytest
from exported_models import SAVED, SHAPES, saved

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
