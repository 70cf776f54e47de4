"""The dialogs about weights opened many times: no objects accumulate."""

from collections.abc import Callable

import pytest
from left_behind import behind, no_more

from gptstudio.app.tasks import Task
from gptstudio.gpt.config import GPTConfig
from gptstudio.training.model_source import UntrainedModel
from gptstudio.weights_io import importing
from gptstudio.weights_io.exporting import FORMATS

FIRST_PAGE = "generate"

TINY = GPTConfig(context_length=16, emb_dim=32, n_heads=4, n_layers=1)


@pytest.fixture
def weights(tmp_path):
    return FORMATS["book"].export(UntrainedModel(TINY), tmp_path / "of the book.pth")


def look(user, weights) -> None:
    dialog = user.dialogs.opening
    dialog.look_at(weights)
    user.wait(lambda: not dialog.busy)
    dialog.reject()


def close_at_once(user, weights) -> None:
    """Close the dialog before the answer arrives."""
    user.dialogs.opening.look_at(weights)
    user.dialogs.opening.reject()


def show_models(user, weights) -> None:
    user.dialogs.choose("models")
    user.wait(lambda: not user.dialogs.models.busy)
    user.dialogs.models.reject()


def download(user, weights) -> None:
    """Open and close the dialog without a network."""
    user.dialogs.choose("download")
    user.dialogs.downloads.reject()


def export(user, weights) -> None:
    user.dialogs.choose("export")
    user.dialogs.exports.reject()


def test_that_opening_a_dialog_many_times_leaves_no_more_than_a_few_times(user, weights, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    importing.import_weights(importing.inspect(weights, TINY.n_heads), "teacher")

    def do(act: Callable, times: int) -> None:
        for _ in range(times):
            act(user, weights)
        user.wait(lambda: not user.dialogs.busy)

    for act in (look, close_at_once, show_models, download, export):
        do(act, 2)
        before = behind(user.window, Task)
        do(act, 3)
        no_more(before, behind(user.window, Task), act.__name__)
