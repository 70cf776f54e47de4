"""Tour of the real window, off screen, through all its pages, with a picture of each."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gptstudio.gui.window_driver import WindowDriver, go_off_screen, home_for_now

if TYPE_CHECKING:
    from gptstudio.training.events import TokenDrawn

FIRST_LAB = 20
"""Number of the first experiment's picture."""


def run(
    directory: Path,
    /,
    *,
    steps: int | None = None,
    dark: bool = False,
    width: int = 1280,
    height: int = 800,
    zoom: float = 1.0,
) -> int:
    """Drive the real window off screen through all its pages, and save pictures of them, but no runs or models.

    Args:
        directory: folder for the pictures: 1-build.png to 19-fine-tuning.png, then each experiment and a lesson in both
            languages, in Chinese if there is a font for it.
        steps: number of training steps; the default run, about a minute, if not given.
        dark: whether to use dark colours.
        width: width of the window in pixels.
        height: height of the window in pixels.
        zoom: factor of the text size.
    """
    if sys.platform == "linux":
        go_off_screen()
    from gptstudio.gui.app import make_app
    from gptstudio.gui.language import has_chinese_font, language
    from gptstudio.gui.theme import DARK, LIGHT, theme
    from gptstudio.gui.window import MainWindow
    from gptstudio.i18n import CHINESE, ENGLISH

    make_app()
    theme.use(DARK if dark else LIGHT)
    theme.enlarge(zoom)
    directory.mkdir(parents=True, exist_ok=True)
    with home_for_now() as home:
        for code in (ENGLISH, CHINESE) if has_chinese_font() else (ENGLISH,):
            language.load(code)
            window = MainWindow()
            window.resize(width, height)
            window.show()
            window.wake()
            guide = Guide(window, directory)
            try:
                if code == ENGLISH:
                    _show_around(guide, home, steps)
                guide.learn(code)
            finally:
                guide.leave()
    return 0


def _show_around(guide: Guide, home: Path, steps: int | None) -> None:
    guide.build()
    guide.train(steps)
    guide.generate()
    guide.compare_two()
    guide.score()
    guide.compare(steps)
    guide.measure_texts()
    guide.export(home)
    guide.import_weights(home)
    guide.fine_tune(steps)


class Guide(WindowDriver):
    """Guide through the pages of the window, with one method for each topic, which takes its pictures."""

    def build(self) -> None:
        """Show a large model that is not trained."""
        from gptstudio.gpt.config import PRESETS

        self._window.state.select_model(PRESETS["gpt2-medium"])
        self._wait(lambda: self._window.state.text_check is not None)
        self._take("1-build")
        self._window.state.select_model(PRESETS["workshop"])

    def train(self, steps: int | None) -> None:
        """Train a run, pausing half-way to take one step and to generate with it."""
        state, train, generate = self._window.state, self._window.train, self._window.generate
        self._ready(steps)
        state.all_controls = False
        self._rest()
        self._wait(lambda: bool(train.writes_now.text.toPlainText()))
        self._take("2-before-training")
        train.start.click()
        half = state.text_check.plan.total_steps // 2 if state.text_check and state.text_check.plan else 0
        self._wait(lambda: train.run_controls.progress.value() > half or not state.running)
        self._take("3-training")
        state.all_controls = True
        train.start.click()
        self._wait(lambda: state.paused or not state.running)
        self._window.actions_of["step"].trigger()
        examined = train.view.examined
        self._wait(lambda: (state.paused and train.view.pane.currentWidget() is examined) or not state.running)
        self._rest()
        self._take("4-one-step")
        self._window.state.show_page("generate")
        generate.go.click()
        self._wait(lambda: not state.generating)
        self._take("5-talking-while-it-trains")
        self._window.state.show_page("train")
        train.start.click()
        self._wait(lambda: not state.running)
        train.view.pane.setCurrentIndex(0)
        state.all_controls = False
        self._rest()
        self._take("6-trained")
        state.all_controls = True

    def generate(self) -> None:
        """Show a text of the trained model, its alternatives, and the insight panes."""
        from gptstudio.gpt.sampling.params import SamplingParams

        generate = self._window.generate
        self._window.state.show_page("generate")
        self._window.state.sampling_params = SamplingParams(temperature=1.4, top_k=25, top_p=0.9)
        self._write()
        generate.controller.choose(generate.document.given + 6)
        generate.choices.draw.click()
        self._rest()
        self._take("7-generate")
        for position, rank in ((8, 1), (12, 2), (20, 1)):
            generate.controller.choose(generate.document.given + position)
            node = generate.document.path[generate.document.given + position]
            others = [each.id for each in cast("TokenDrawn", node.reading).alternatives if each.id != node.id]
            generate.controller.branch(others[rank])
            self._wait(lambda: not self._window.state.generating)
        for pane, name in (
            ("branches", "8-branches"), ("attention", "9-attention"), ("layers", "10-layers"),
            ("neighbours", "11-neighbours"),
        ):
            generate.panes.open(pane)
            self._wait(lambda: not self._window.tasks.busy("model"))
            self._rest()
            self._take(name)
        self._what_if()
        generate.panes.open("choices")

    def _what_if(self) -> None:
        """Disable a head and a feed-forward network, and compute what matters for the chosen token."""
        from gptstudio.inference.interventions import Component, of_components

        generate = self._window.generate
        generate.panes.open("what_if")
        pane = generate.panes["what_if"]
        self._wait(lambda: pane.answer is not None)
        generate.controller.intervene(of_components([(Component(1, 1), 0.0), (Component(0), 0.0)]), True)
        pane.side.choose(1)
        pane.effects.compute.click()
        self._wait(lambda: not self._window.tasks.busy("model"))
        self._rest()
        self._take("11-what-if")
        pane.reset.click()

    def compare_two(self) -> None:
        """Give the same prompt to the untrained and to the trained model."""
        generate = self._window.generate
        generate.segments.choose(1)
        generate.pair.models.click()
        self._wait(lambda: bool(self._window.state.generating))
        self._wait(lambda: not self._window.state.generating)
        self._rest()
        self._take("12-compare-two")

    def score(self) -> None:
        """Score the model's own text, followed by a sentence that it was not trained on."""
        generate = self._window.generate
        generate.segments.choose(2)
        generate.score.editor.setPlainText(f"{generate.text()} The router dropped every second packet.")
        self._window.actions_of["generate"].trigger()
        self._wait(lambda: not self._window.state.generating)
        self._rest()
        self._take("13-score")
        generate.segments.choose(0)

    def _write(self) -> None:
        generate = self._window.generate
        generate.go.click()
        self._wait(lambda: not self._window.state.generating)

    def compare(self, steps: int | None) -> None:
        """Train a second run with another schedule, and compare it with the first."""
        train, runs = self._window.train, self._window.runs
        self._window.state.show_page("train")
        train.run_controls.reset.click()
        train.settings.editors["learning_rate"].set_value(1e-3)
        train.settings.editors["schedule"].set_value("cosine")
        if steps:
            train.settings.editors["warmup_steps"].set_value(steps // 2)  # a longer one than the run is refused
        self._ready(steps)
        before = self._window.state.run
        train.start.click()
        self._wait(lambda: self._window.state.run is not before and not self._window.state.running)
        self._window.state.show_page("runs")
        self._wait(lambda: runs.model.rowCount() >= 2)
        for run in runs.model.runs[:2]:
            runs.model.tick(run.path, True)
        self._rest()
        self._take("14-runs")

    def measure_texts(self) -> None:
        """Show the content of the training text."""
        texts = self._window.texts
        self._window.state.show_page("texts")
        self._rest()
        self._wait(lambda: not texts.busy)
        self._rest()
        self._take("15-texts")

    def export(self, home: Path) -> None:
        """Export the trained model in both formats."""
        self._window.actions_of["export_model"].trigger()
        dialog = self._window.weights.exports
        dialog.path.setText(str(home / "my-gpt"))
        self._take("16-export", dialog)
        dialog.write.click()
        self._wait(lambda: not dialog.busy)
        dialog.format.choose(1)
        dialog.path.setText(str(home / "my-gpt.pth"))
        dialog.write.click()
        self._wait(lambda: not dialog.busy)
        dialog.accept()

    def import_weights(self, home: Path) -> None:
        """Import both exports; the tensors of the second, in the book's format, do not show the number of heads."""
        weights = self._window.weights
        for name in ("my-gpt", "my-gpt.pth"):
            weights.opening.look_at(home / name)
            self._wait(lambda: not weights.opening.busy)
            if name.endswith(".pth"):
                self._take("17-open-weights", weights.opening)
            weights.opening.begin.click()
            self._wait(lambda: not weights.opening.busy)
            weights.opening.accept()
        self._window.actions_of["show_models"].trigger()
        self._wait(lambda: not weights.models.busy)
        self._take("18-models", weights.models)

    def fine_tune(self, steps: int | None) -> None:
        """Show a run that would begin with an imported model, and leave parts of it frozen."""
        train = self._window.train
        train.run_controls.reset.click()
        self._window.weights.models.train.click()
        train.settings.editors["freeze"].set_value(("token_embedding", "position_embedding"))
        train.settings.editors["freeze_blocks"].set_value(2)
        self._ready(steps)
        train.settings_scroll.ensureWidgetVisible(train.settings.learning)
        self._take("19-fine-tuning")
        train.settings.editors["freeze"].set_value(())
        train.settings.editors["freeze_blocks"].set_value(0)
        self._window.state.use_weights(None)

    def learn(self, code: str) -> None:
        """Open each experiment and the first step of a lesson, in the language of the window."""
        from gptstudio.labs.catalogue import ENTRIES
        from gptstudio.labs.lesson import shipped

        self._window.state.show_page("learn")
        for number, name in enumerate(ENTRIES, FIRST_LAB):
            self._open_lab(name)
            self._rest(0.3)
            self._take(f"{number}-{name}-{code}")
        self._window.learning.open_lesson(shipped(code)[1])
        self._rest()
        self._take(f"{FIRST_LAB + len(ENTRIES)}-lesson-{code}")
        self._window.learning.end_lesson()

    def _open_lab(self, name: str) -> None:
        """Show the page of an experiment with its first answer."""
        page = self._window.learn.page(name)
        self._window.learn.open(name)
        self._wait(lambda: not page.waiting)
