"""The scaling page: a recorded run at first; sizes that are trained on request, cancelled, and analysed in other
ways."""

import pytest
from pages.lab import cells
from pages.painted import hover

from gptstudio.gui.canvas.canvas import Cell
from gptstudio.labs import scaling
from gptstudio.labs.scaling import ScalingRequest, fitted
from gptstudio.labs.scaling_request import recorded

TINY = {"text": "story", "widths": (8, 16, 24), "layers": (1, 1, 1), "heads": (1, 1, 1), "budget": 0.003, "seeds": 1,
        "context_length": 16}
PATIENCE_MS = 60_000


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(scaling, "_trained", {})


@pytest.fixture
def trained(page, qtbot):
    """Return a function that clicks the button with these settings and waits for the end."""

    def train(**settings) -> None:
        page.update_request(**TINY | settings)
        page.train.click()
        qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)

    return train


def test_that_the_page_opens_on_the_recorded_run_and_other_settings_but_no_analysis_wait_for_the_button(page):
    assert page.source_line.text().startswith(f"Recorded on 2 cores on {recorded().recorded}: The Verdict")
    law = fitted(ScalingRequest(), recorded()).law
    assert f"{abs(law.for_ten):.2%}".replace("%", "").strip()[:3] in page.reading.text()
    assert f"{law.error:.3f} (standard error)" in page.reading.text()
    assert len(page.chart.items()) == 4
    assert page.train.isEnabled()
    assert not page.cancel.isVisible()

    before = page.answer
    page.update_request(seeds=1)
    assert not page.waiting
    assert page.answer.measured is before.measured
    assert "Settings changed" in page.state.text()
    page.update_request(widths=(7,))
    assert not page.train.isEnabled()
    page.reset()
    assert page.source_line.text().startswith("Recorded on")
    assert page.state.text() == ""

    page.update_request(irreducible=1.69, counted="all parameters")
    found = page.answer
    assert found.law.irreducible == 1.69
    assert found.parameters.tolist() == [point.all_parameters for point in recorded().points]
    assert "the loss above 1.69" in page.reading.text()
    page.update_request(seeds=1, irreducible=1.0)  # also with other settings that are not trained yet
    assert page.answer.law.irreducible == 1.0


def test_that_a_click_trains_the_sizes_which_are_shown_when_all_are_complete(page, qtbot):
    steps = []
    page.asking.progressed.connect(lambda done, total: steps.append(done))
    page.update_request(**TINY)
    page.train.click()
    assert page.cancel.isVisible()
    assert not page.train.isVisible()
    qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)
    assert page.source_line.text().startswith("Trained here, in memory")
    assert len(page.chart.items()) == 3
    assert [point.emb_dim for point in page.answer.measured.points] == [8, 16, 24]
    assert steps == sorted(steps)
    assert steps[-1] > 0
    assert "chart shows them" in page.train.toolTip(), "the same once more would change nothing"
    page.update_request(irreducible=2.0)
    assert page.answer.law.irreducible == 2.0
    assert not page.waiting
    losses = page.answer.losses.tolist()
    page.reset()
    page.update_request(**TINY)
    assert not page.waiting, "what was trained is shown again at once"
    assert page.answer.losses.tolist() == losses


@pytest.mark.parametrize(("end", "words"), [
    (lambda page: page.cancel.click(), "Cancelled. The page shows the last result."), (lambda page: page.reset(), "")])
def test_that_cancel_and_reset_end_the_training_and_show_the_last_points_again(page, qtbot, end, words):
    page.update_request(**TINY | {"budget": 1.0})  # would take minutes
    page.train.click()
    end(page)
    qtbot.waitUntil(lambda: not page.waiting and page.train.isVisible(), timeout=PATIENCE_MS)
    assert page.state.text() == words
    assert page.notice.text() == ""
    assert page.source_line.text().startswith("Recorded on")
    assert page.train.isEnabled()


def test_that_a_missing_text_is_reported(page, qtbot):
    page.update_request(**TINY | {"text": "/nowhere/at-all.txt"})
    page.train.click()
    qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)
    assert "nowhere" in page.notice.text()
    assert page.train.isEnabled()


def test_that_a_diverged_size_is_reported_and_omitted(page, trained):
    trained(learning_rate=10.0, budget=0.006)  # far from the loss that counts as divergence, on any processor
    assert "Diverged and left out of the fit" in page.reading.text()
    assert "diverged" in cells(page, "Validation loss")


def test_that_pointing_shows_the_settings_of_a_size_and_the_axis_includes_the_published_slopes_on_request(page):
    hover(page.chart, Cell(0, 1))
    text = page.arithmetic.text()
    point = recorded().points[1]
    assert f"width {point.emb_dim}, layers {point.n_layers}" in text
    assert f"{point.parameters:,} parameters without embeddings" in text
    assert f"{point.tokens:,} tokens" in text
    hover(page.chart, None)

    def height() -> float:
        return abs(page.chart.items()[Cell(0, 0)].center().y() - page.chart.items()[Cell(0, 3)].center().y())

    near = height()
    page.update_request(axis="slopes")
    assert height() < near / 3
