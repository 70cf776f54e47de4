"""The tour of the window: its files stay in its own folder, and it takes all its pictures."""

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from gptstudio import paths
from gptstudio.gpt.config import VOCAB_SIZE
from gptstudio.gui import tour
from gptstudio.training import imported_models


@pytest.mark.parametrize("named", [True, False])
def test_that_a_tours_folder_is_deleted_afterwards_and_the_users_texts_are_available(tmp_path, monkeypatch, named):
    monkeypatch.setenv("GPTSTUDIO_HOME", str(tmp_path))
    monkeypatch.delenv("GPTSTUDIO_TEXTS", raising=False)
    if named:
        monkeypatch.setenv("GPTSTUDIO_TEXTS", "mine")
    before = dict(os.environ)
    with tour.home_for_now() as home:
        assert paths.user_data() == home != tmp_path
        assert os.environ["GPTSTUDIO_TEXTS"] == ("mine" if named else str(tmp_path / "texts"))
    assert dict(os.environ) == before
    assert not home.exists()


def test_that_weights_are_exported_imported_and_photographed(user, tiny, tmp_path):
    user.panel.select(tiny.but(n_layers=3, vocab_size=VOCAB_SIZE))  # which is written quickly
    window, pictures, home = user.window, tmp_path / "pictures", tmp_path / "home"
    for folder in (pictures, home):
        folder.mkdir()
    guide = tour.Guide(window, pictures)
    guide.export(home)
    guide.import_weights(home)
    guide.fine_tune(2)
    assert sorted(path.name for path in imported_models.all_models()) == ["my-gpt", "my-gpt-2"]
    names = ["16-export", "17-open-weights", "18-models", "19-fine-tuning"]
    assert sorted(path.stem for path in pictures.iterdir()) == names
    widths = [width_of(pictures / f"{name}.png") for name in names]
    assert widths[-1] == window.width()
    assert max(widths[:-1]) < window.width()  # a picture of a dialog shows the dialog alone
    assert user.panel.weights is None
    assert user.train.spec.freeze == ()  # the pages after it are unchanged


def width_of(picture: Path) -> int:
    return QImage(str(picture)).width()
