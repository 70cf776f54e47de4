"""Hand-in of a run, and of guesses and goals in lessons: name, a sentence, and the folder of the class.

A learner can also get a handout, one printed page, or a QR code, dark on white in every theme, so that any phone can
read it from the screen.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from gptstudio import settings
from gptstudio.app import preferences, report_tasks
from gptstudio.app.tasks import TaskError, TaskRunner, Work
from gptstudio.errors import UserError
from gptstudio.gui.appearance import BORDER, Dialog, fit_to_screen, on_restyle, screen_of
from gptstudio.gui.language import language
from gptstudio.gui.save_as import SavedNotice, ask_where, report_saved, write_to
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import percent, tr, tr_for_file
from gptstudio.gui.widgets import pdf
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, set_blocker
from gptstudio.history.comparison import given_name, made_names
from gptstudio.history.guesses import LONGEST_LEARNER, LONGEST_WORDS, Guess, Learner
from gptstudio.history.report.page import ReportChart, cut, element, isolated, written
from gptstudio.history.report.reading import Reported
from gptstudio.history.report.sections import HIGHEST_LOSS, loss_curves
from gptstudio.history.report.writing import file_stem, hand_in
from gptstudio.history.run_data import LearnerData, RunData, data_of
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder

CURVE, WIDE, SHARPNESS = "curve.png", 640, 3
"""Name of the curve's image in the page, its width in pixels of the page, and image pixels per pixel of the page."""
NO_BREAK = "\N{NO-BREAK SPACE}"
LONGEST = 320
"""Maximum number of characters of a sample on the page."""
INK = {"batch": "#8a93a3", "training": "#0067a5", "validation": "#c05600"}
"""Colours of the curves on paper."""
COLOURS = f"""svg text {{ fill: #5b6475; font-size: 12px; }}
.end {{ text-anchor: end; }} .middle {{ text-anchor: middle; }}
.grid {{ stroke: #d9dde5; }} .axis {{ stroke: #5b6475; }} .curve {{ fill: none; stroke-width: 2; }}
.batch {{ stroke: {INK["batch"]}; stroke-width: 1; }} .training {{ stroke: {INK["training"]}; }}
.validation {{ stroke: {INK["validation"]}; stroke-dasharray: 9 3; }}"""


def save_handout(data: LearnerData, path: Path) -> None:
    """Write the page of a learner as PDF, in the language of the window.

    Args:
        data: data of a run, or of lessons alone, which have no curve and no samples.

    Raises:
        UserError: the file cannot be written; no incomplete file is left.
    """
    name = data.learner.name if data.learner else ""
    run = data if isinstance(data, RunData) else None
    title = name or (run.name if run else "") or tr("Lessons")
    curves = loss_curves(run.history(), tr) if run else []
    chart = ReportChart("", curves, (), tr("Steps"), 230, HIGHEST_LOSS, WIDE)
    parts = [element("h1", cut(title, 120))]
    if run and name and run.record.title:
        parts.append(element("p", isolated(run.name), class_="muted"))
    parts += _section(tr("What did you see?"), data.learner.words if data.learner else "", "pre-wrap")
    if figure := own_figure(data):
        parts.append(element("p", element("b", figure)))
    if not chart.is_empty:
        names = [element("span", f"{each.name}{3 * NO_BREAK}", style=f"color: {INK[each.role]};") for each in curves]
        parts += [element("h2", tr("Loss (nats per token)")), element("p", *names),
                  element("p", element("img", src=CURVE, width=WIDE))]
    if guess := best_guess(data):
        right = tr_for_file("{sign} You guessed {guess}, and that is right.", sign="✓", guess=guess.guess)
        wrong = tr_for_file("You guessed {guess}; it is {truth}.", guess=guess.guess, truth=guess.answer)
        words = tr_for_file("{question} {guess}", question=guess.question, guess=right if guess.right else wrong)
        parts += _section(tr("A guess"), words)
    samples = run.samples if run else ()
    headings = (tr("First sample"), tr("Last sample")) if len(samples) > 1 else (tr("Last sample"),)
    for heading, sample in zip(headings, samples, strict=False):
        parts += _section(heading, cut(sample, LONGEST))
    pdf.save(element("body", *parts), title, path, {CURVE: _picture(chart)})


def own_figure(data: LearnerData) -> str:
    """Return one figure of a learner: best loss, else copied share of a run, else goals reached; empty without any."""
    if isinstance(data, RunData) and data.best:
        return tr("Lowest validation loss: {loss}, after step {n}", loss=f"{data.best.val_loss:.3f}",
                  n=f"{data.best.step + 1:,}")
    if isinstance(data, RunData) and data.copied_share is not None:
        return tr("Copied from the training text: {share}", share=percent(data.copied_share))
    reached, count = data.goals_reached
    return tr("Goals reached: {n} of {count}.", n=reached, count=count) if count else ""


def best_guess(data: LearnerData) -> Guess | None:
    """Return the newest right guess, otherwise the number that is nearest to its answer; None if there is no guess."""
    made = [guess for lesson in reversed(data.guesses) for guess in reversed(lesson.guesses)
            if guess.guess and guess.answer]
    right = next((each for each in made if each.right), None)
    return right or min(made, key=_distance, default=None)


def _distance(guess: Guess) -> float:
    """Return the relative error of a guessed number, at most 1; 2 for words."""
    try:
        truth = float(guess.answer)
        return min(abs(float(guess.guess) - truth) / abs(truth), 1.0) if truth else 1.0
    except ValueError:
        return 2.0


def _section(heading: str, words: str, white_space: str = "normal") -> Iterator[ET.Element]:
    if words:
        yield element("h2", heading)
        yield element("p", words, style=f"white-space: {white_space};")


def _picture(chart: ReportChart) -> QImage:
    """Return an image of the curve, drawn as in a report."""
    drawing = chart.drawn().find("svg")
    if drawing is None:
        raise ValueError("a chart without a drawing")
    drawing.set("xmlns", "http://www.w3.org/2000/svg")
    drawing.insert(0, element("style", COLOURS))
    renderer = QSvgRenderer(QByteArray(written(drawing).encode()))
    image = QImage(renderer.defaultSize() * SHARPNESS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


QUIET = 4
"""Width of the quiet zone around the code in modules, as required by ISO/IEC 18004."""
MODULE = 5
"""Side of a module in pixels."""


def qr_code(text: str) -> QPixmap:
    """Return the code of a text with its quiet zone."""
    import segno

    written, made = BytesIO(), QPixmap()
    segno.make_qr(text, error="m", encoding="utf-8").save(written, "png", scale=MODULE, border=QUIET)
    made.loadFromData(written.getvalue())
    return made


WIDTH, LINES = 520, 3
"""Width of the dialog in pixels at the usual text size, and number of visible lines of the sentence."""
NOTHING = message("There is nothing to hand in yet. Train a model on Train, or do a lesson on Learn.")


class HandInDialog(Dialog):
    """Dialog that asks for a name and a sentence, and writes the report to the folder of the class or elsewhere."""

    def __init__(self, window: QWidget, tasks: TaskRunner) -> None:
        super().__init__(window, "hand_in_dialog", tr("Hand in"))
        self._tasks = tasks
        self._run: RunFolder | None = None
        self._nothing, self._busy = True, False
        self._make_parts()
        self._lay_out()
        on_restyle(self, self._fit)
        self._fit()

    def ask(self, run: RunFolder | None, has_lessons: bool) -> None:
        """Open the dialog.

        Args:
            run: run to hand in; None: only guesses and goals.
            has_lessons: whether there are guesses or goals.
        """
        self._run, self._nothing = run, run is None and not has_lessons
        self.name.setText(self.name.text() or preferences.current().learner)
        folder = settings.in_force().hand_in
        self.what.setText(tr(NOTHING) if self._nothing else self._content())
        self.where.setText(tr(
            "It is written to {folder}. Handing in again under the same name replaces your file.", folder=folder)
            if folder else tr("You choose where the file is saved."))
        self.where.setVisible(not self._nothing)
        self.notice.setText("")
        self._hide_code()
        self.saved.hide()
        self._show()
        self.open()
        (self.words if self.name.text() else self.name).setFocus()

    @property
    def learner(self) -> Learner:
        name = " ".join(self.name.text().split()).encode("utf-8", "ignore").decode()
        words = self.words.toPlainText().strip().encode("utf-8", "ignore").decode()
        return Learner(name=name, id=preferences.learner_id(), words=words[:LONGEST_WORDS])

    # User actions.

    def _hand_in(self) -> None:
        folder = settings.in_force().hand_in
        if folder is None:
            self._hand_in_elsewhere()
            return
        self._read(lambda report: self._write(report, lambda _: hand_in(report, folder)))

    def _hand_in_elsewhere(self) -> None:
        if path := ask_where(self, f"{file_stem(self.name.text())}.html"):
            self._read(lambda report: self._write(report, lambda _: report_tasks.save_report(report, path)))

    def _save_pdf(self) -> None:
        if path := ask_where(self, f"{file_stem(self.name.text())}.pdf"):
            self._read(lambda report: self._write_pdf(report, path))

    # Results.

    def _read(self, then: Callable[[Reported], object]) -> None:
        """Read the report of the hand-in, and call ``then`` with it."""
        learner = self.learner
        preferences.change(learner=learner.name)
        self.notice.setText("")
        self.saved.hide()

        def show_report(report: Reported) -> None:
            self._end()
            then(report)

        run, code = self._run, language.code
        self._begin(
            lambda task: report_tasks.read_report(task, run, learner, tr_for_file, code), show_report, self._fail)

    def _write(self, report: Reported, work: Work) -> None:
        def fail(error: TaskError) -> None:
            self._fail(error)
            self.other.show()
            self._paint_code(report)

        self._begin(work, self._handed_in, fail)

    def _begin(self, work: Work, done: Callable[..., object], failed: Callable[[TaskError], object]) -> None:
        self._busy = True
        self._show()
        self._tasks.run(work, key="hand_in", title=message("Handing in"), done=done, failed=failed,
                        cancelled=self._end)

    def _handed_in(self, path: Path) -> None:
        self._end()
        self._hide_code()
        report_saved(self, path, message("Handed in: {name}, in {folder}", name=path.name, folder=path.parent))
        self._fit()

    def _write_pdf(self, report: Reported, path: Path) -> None:
        write_to(self, path, lambda to: save_handout(data_of(report), to), self.notice.setText)
        self._fit()

    def _paint_code(self, report: Reported) -> None:
        words = code_text(data_of(report))
        self.code.setPixmap(qr_code(words))
        self.code.setAccessibleDescription(words)
        self.code_words.setText(words)
        for each in (self.code, self.code_words):
            each.show()
        self._fit()

    def _hide_code(self) -> None:
        for each in (self.code, self.code_words, self.other):
            each.hide()

    def _fail(self, error: TaskError) -> None:
        self._end()
        self.notice.setText(tr(error.message))
        self._fit()

    def _end(self) -> None:
        self._busy = False
        self._show()

    # Display.

    def _show(self) -> None:
        named = bool(self.name.text().strip())
        why = (tr("Reading and writing…") if self._busy else tr(NOTHING) if self._nothing
               else "" if named else tr("Type your name first."))
        for each in (self.hand, self.other, self.show_code, self.save_pdf):
            set_blocker(each, why)
        self._fit()

    def _content(self) -> str:
        if self._run is None:
            return tr("There is no run to hand in: your guesses and goals in lessons are handed in alone. To hand in a "
                      "run, open it on Train first.")
        try:
            record = self._run.record()
            name = given_name(self._run, record) or tr(made_names([(self._run, record)])[self._run.path])
        except UserError:  # reported when the report is written
            name = self._run.name
        return tr("The run “{run}” is handed in, with your guesses and goals in lessons.", run=cut(name, 80))

    def _fit(self) -> None:
        self.setFixedWidth(min(round(WIDTH * theme.zoom), screen_of(self).availableSize().width() - 2 * BORDER))
        self.words.setFixedHeight(self.words.fontMetrics().lineSpacing() * LINES + 14)
        if layout := self.layout():
            layout.activate()
            height = layout.totalHeightForWidth(self.width()) if layout.hasHeightForWidth() else self.height()
            self.resize(self.width(), height)
            fit_to_screen(self)

    # Construction.

    def _make_parts(self) -> None:
        self.name = named(QLineEdit(), "hand_in_name", tr("Your name or your pair's"))
        self.name.setMaxLength(LONGEST_LEARNER)
        self.name.textChanged.connect(lambda _: self._show())
        self.words = named(QPlainTextEdit(), "hand_in_words", tr("What did you see?"))
        self.words.setTabChangesFocus(True)
        self.what = label(name="hand_in_what", role="muted", wrap=True)
        self.where = label(name="hand_in_where", role="muted", wrap=True)
        self.notice, self.saved = Notice("hand_in_notice"), SavedNotice("hand_in")
        self.code = named(QLabel(), "hand_in_code", tr("QR code of your results"))
        self.code.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.code_words = label(name="hand_in_code_words", wrap=True)
        self.save_pdf = button(tr("Save as PDF…"), "hand_in_pdf", tr(
            "One page to print: name, curve, a guess, samples"), do=self._save_pdf)
        self.show_code = button(tr("Show QR code"), "hand_in_show_code", tr(
            "Name, loss, steps and right guesses, to photograph"), do=lambda: self._read(self._paint_code))
        self.other = button(tr("Another folder…"), "hand_in_other", tr("Saves the report where you choose"),
                            do=self._hand_in_elsewhere)
        self.hand = button(tr("Hand in"), "hand_in_begin", tr("Writes the report"), "primary", self._hand_in)
        self.hand.setDefault(True)
        self.shut = button(tr("Close"), "hand_in_close", do=self.close)

    def _lay_out(self) -> None:
        code = hbox(self.code, grows(self.code_words), spacing=16)
        self.assemble(vbox(
            label(self.name.accessibleName(), buddy=self.name), self.name,
            label(self.words.accessibleName(), buddy=self.words), self.words, self.what, self.where,
            self.notice, code, self.saved, FREE,
            hbox(self.save_pdf, self.show_code, FREE, self.other, spacing=8),
            hbox(FREE, self.shut, self.hand, spacing=8), spacing=8, margins=(16, 16, 16, 16)))


def code_text(data: LearnerData) -> str:
    """Return the text of the QR code: name, loss, steps, right guesses and goals reached, one per line."""
    run = data if isinstance(data, RunData) else None
    lines = [cut(data.learner.name, 60) if data.learner else ""]
    if run:
        lines += [tr("Lowest validation loss: {loss}", loss=f"{run.best.val_loss:.3f}") if run.best else "",
                  tr("Steps: {n}", n=f"{run.steps:,}")]
    right, known = data.right_guesses
    lines.append(tr("Right guesses: {n} of {count}.", n=right, count=known) if known else "")
    reached, goals = data.goals_reached
    lines.append(tr("Goals reached: {n} of {count}.", n=reached, count=goals) if goals else "")
    return "\n".join(filter(None, lines))
