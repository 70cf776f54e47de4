"""Published models through the window: their requirements are shown first, and a click downloads one from a real
server."""

import dataclasses
import re
from collections.abc import Iterator

import pytest
from at_the_window import in_chinese
from messages import message
from mirror import Mirror, sha256
from PySide6.QtCore import Qt

from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.memory import generate_memory
from gptstudio.gui.translation import size
from gptstudio.gui.widgets.tables import rows_of
from gptstudio.training import imported_models
from gptstudio.training.model_source import UntrainedModel, config_of
from gptstudio.weights_io import download, hub
from gptstudio.weights_io.exporting import FORMATS

FIRST_PAGE = "generate"

TINY = GPTConfig(context_length=16, emb_dim=16, n_heads=2, n_layers=1, qkv_bias=True, tie_weights=True)
HAN = re.compile("[\u4e00-\u9fff]")
NAME, PARAMETERS, FETCH, GENERATE, TRAIN = range(5)
"""Columns of the table of published models."""
FILES = ("config.json", "model.safetensors")


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, bytes]:
    """The files of a tiny model, as the server has them."""
    folder = FORMATS["huggingface"].export(UntrainedModel(TINY), tmp_path_factory.mktemp("hub") / "tiny")
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture
def mirror(files, tmp_path, monkeypatch) -> Iterator[Mirror]:
    """A server with a tiny model in place of each published one, which huggingface_hub uses, with a cache in the test's
    folder."""
    from huggingface_hub import constants

    made = Mirror({each.repository: files for each in download.PUBLISHED})
    monkeypatch.setattr(constants, "ENDPOINT", made.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", made.url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "PAUSE_S", 0.01)
    monkeypatch.setattr(download, "CHECKSUMS", dict.fromkeys(made.repositories, sha256(files["model.safetensors"])))
    yield made
    made.close()


@pytest.fixture
def shop(mirror, user):
    """The open dialog, with all answers of the server."""
    user.dialogs.choose("download")
    dialog = user.dialogs.downloads
    user.wait(lambda: "…" not in column(dialog, FETCH))
    return dialog


def column(dialog, number: int) -> list[str]:
    return [row[number] for row in list(rows_of(dialog.table))[1:]]


def fetched(user, dialog) -> None:
    user.click(dialog.begin)
    user.wait(lambda: not dialog.busy)


def go_away(mirror: Mirror, user) -> None:
    """Close the server, and wait until its threads have ended."""
    mirror.close()
    user.wait(lambda: not mirror.answering)


def total(files: dict[str, bytes]) -> int:
    return sum(map(len, files.values()))


def test_that_nothing_is_requested_before_the_dialog_opens_which_shows_size_fit_and_a_missing_checksum(
    user, files, monkeypatch, mirror
):
    user.rest(0.3)
    assert mirror.requests == []
    user.dialogs.choose("download")
    shop = user.dialogs.downloads
    user.wait(lambda: "…" not in column(shop, FETCH))
    assert {method for method, path, headers in mirror.requests} == {"HEAD"}
    assert f"127.0.0.1:{mirror.port}" in shop.source.text()

    assert column(shop, NAME) == [each.title for each in download.PUBLISHED]
    assert column(shop, PARAMETERS)[0] == "124,439,808"  # Radford et al., 2019, as OpenAI's files have them
    assert column(shop, PARAMETERS)[3] == "1,557,611,200"
    assert set(column(shop, FETCH)) == {size(total(files))}
    needed = generate_memory(download.PUBLISHED[0].config).least
    assert column(shop, GENERATE)[0].startswith(size(needed))

    assert message("no_published_checksum") not in shop.room.text()
    monkeypatch.delitem(download.CHECKSUMS, download.PUBLISHED[1].repository)
    user.qtbot.keyClick(shop.table, Qt.Key.Key_Down)
    assert message("no_published_checksum") in shop.room.text()
    user.qtbot.keyClick(shop.table, Qt.Key.Key_Down)
    assert message("no_published_checksum") not in shop.room.text()

    small = dataclasses.replace(user.panel.device, free_bytes=3 * 2**30)
    shop.show_models(small)
    assert [words.partition("·")[2].strip() for words in column(shop, GENERATE)] == [
        "fits", "fits", "does not fit", "does not fit", "fits"
    ]
    assert column(shop, TRAIN)[3].endswith(message("does_fit"))
    user.wait(lambda: "…" not in column(shop, FETCH))


def test_that_an_interrupted_download_continues_where_it_stopped(shop, user, mirror, files, tmp_path):
    half = len(files["model.safetensors"]) // 2
    mirror.faults.stall_at = half
    user.click(shop.begin)
    user.wait(mirror.stalled.is_set)
    user.wait(lambda: sum(file.stat().st_size for file in tmp_path.rglob("*.incomplete")) >= half - 65_536)
    user.click(shop.transfer_bar.cancel)
    user.wait(lambda: not shop.busy)
    assert message("already_kept") in shop.refusal.notice.text()
    assert imported_models.all_models() == []
    mirror.faults.stall_at = None
    user.wait(lambda: "Already downloaded and kept" in shop.room.text())
    fetched(user, shop)
    assert shop.imported
    assert mirror.starts()[-1].startswith("bytes=")
    assert mirror.served["model.safetensors"] < len(files["model.safetensors"]) + half // 2
    go_away(mirror, user)


def test_that_closing_the_window_stops_at_once_while_the_server_is_silent(shop, user, mirror, files):
    mirror.faults.stall_at = len(files["model.safetensors"]) // 2
    user.click(shop.begin)
    user.wait(mirror.stalled.is_set)
    assert user.window.close()  # otherwise anything that waits for the server would wait forever
    assert imported_models.all_models() == []
    go_away(mirror, user)


def test_that_closing_the_dialog_stops_the_download(shop, user, mirror, files):
    mirror.faults.stall_at = len(files["model.safetensors"]) // 2
    user.click(shop.begin)
    user.wait(mirror.stalled.is_set)
    asked = len(mirror.requests)
    user.qtbot.keyClick(shop, Qt.Key.Key_Escape)
    user.wait(lambda: not shop.busy)
    user.rest(0.2)
    assert len(mirror.requests) == asked  # nobody looks at the window, so no question is shown
    go_away(mirror, user)


def test_that_a_missing_network_is_reported_once_and_again_after_a_click(mirror, user):
    mirror.close()
    user.dialogs.choose("download")
    dialog = user.dialogs.downloads
    user.wait(lambda: column(dialog, FETCH) == ["–"] * 5)
    text = dialog.refusal.notice.text()
    assert message("could_reached") in text
    assert dialog.refusal.copy.isVisible()
    fetched(user, dialog)
    assert message("could_reached") in dialog.refusal.notice.text()
    assert imported_models.all_models() == []


@in_chinese
def test_that_the_dialog_is_in_chinese(shop, user):
    fetched(user, shop)
    user.wait(lambda: HAN.search(column(shop, FETCH)[0]))
    for part in (shop.title, shop.source, shop.about, shop.outcome, shop.talk):
        assert HAN.search(part.text()), part.text()
    for words in (column(shop, FETCH)[0], *column(shop, GENERATE), *column(shop, TRAIN)):
        assert HAN.search(words), words


def test_that_other_and_damaged_weights_are_refused_and_a_click_downloads_a_model_and_leads_to_generating(
    shop, user, mirror, monkeypatch, files
):
    # Weights other than the published ones, and damaged ones.
    with monkeypatch.context() as published:
        published.setitem(download.CHECKSUMS, shop.table.entry.repository, sha256(b"as it was published"))
        fetched(user, shop)
    assert message("not_published") in shop.refusal.notice.text()
    assert shop.imported is None
    assert mirror.served == {}

    mirror.faults.wrong_byte = 5_000
    fetched(user, shop)
    assert "checksums differ" in shop.refusal.notice.text()
    assert shop.imported is None
    assert imported_models.all_models() == []

    # The published ones.
    mirror.faults.wrong_byte = None
    mirror.served.clear()
    for _ in download.PUBLISHED:
        user.qtbot.keyClick(shop.table, Qt.Key.Key_Down)
    assert shop.table.entry.name == "distilgpt2"
    fetched(user, shop)
    assert not shop.refusal.isVisible(), shop.refusal.notice.text()
    assert shop.imported.name == "distilgpt2"
    assert config_of(shop.imported) == TINY
    user.wait(lambda: column(shop, FETCH)[-1] == "nothing")
    assert mirror.served["model.safetensors"] == len(files["model.safetensors"])
    user.click(shop.talk)
    assert user.generate.source == shop.imported
    user.dialogs.choose("models")
    user.wait(lambda: user.dialogs.models.table.rowCount())
    assert "distilbert/distilgpt2" in list(rows_of(user.dialogs.models.table))[1]
