"""Hand-in of a run and of the guesses and goals in lessons: name, a sentence, and the folder of the class."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gptstudio import settings
from gptstudio.app import preferences, report_tasks
from gptstudio.app.tasks import TaskError, TaskRunner, Work
from gptstudio.errors import UserError, text_of
from gptstudio.gui import handout
from gptstudio.gui.actions import explain
from gptstudio.gui.appearance import follow
from gptstudio.gui.fitting import BORDER, Dialog, fit_to_screen, screen_of
from gptstudio.gui.language import language
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, holding, vbox
from gptstudio.gui.widgets.parts import Notice, button, label, named, permit
from gptstudio.gui.widgets.qr_code import QrCode
from gptstudio.gui.widgets.save_as import SavedNotice, ask_where, report_saved
from gptstudio.history.guesses import LONGEST_LEARNER, LONGEST_WORDS, Learner
from gptstudio.history.hand_in import file_stem
from gptstudio.history.report.page import cut
from gptstudio.history.report.reading import Reported
from gptstudio.history.run_data import LearnerData, RunData, data_of
from gptstudio.history.run_names import given_name, made_names
from gptstudio.i18n import message
from gptstudio.training.run_folder import RunFolder

WIDTH, LINES = 520, 3
"""Width in pixels at the usual text size, and lines of the sentence that are shown."""
NOTHING = message("There is nothing to hand in yet. Train a model on Train, or do a lesson on Learn.")


class HandInDialog(Dialog):
    """Asks for a name and a sentence, and writes the report to the folder of the class, or where the learner wants."""

    def __init__(self, window: QWidget, tasks: TaskRunner) -> None:
        super().__init__(window)
        self.setObjectName("hand_in_dialog")
        self.setWindowTitle(tr("Hand in"))
        self._tasks = tasks
        self._run: RunFolder | None = None
        self._nothing, self._busy = True, False
        self._make_parts()
        self._lay_out()
        theme.dress(self)
        explain(self)
        follow(self, self._fit)
        self._fit()

    def ask(self, run: RunFolder | None, has_lessons: bool) -> None:
        """Open the dialog.

        Args:
            run: what is handed in; None: guesses and goals alone.
            has_lessons: whether there are any.
        """
        self._run, self._nothing = run, run is None and not has_lessons
        self.name.setText(self.name.text() or preferences.current().learner)
        folder = settings.in_force().hand_in
        self.what.setText(tr(NOTHING) if self._nothing else self._content())
        self.where.setText(tr("It is written to {folder}. Handing in again replaces your file.", folder=folder)
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
        """The learner, as typed."""
        name = " ".join(self.name.text().split()).encode("utf-8", "ignore").decode()
        words = self.words.toPlainText().strip().encode("utf-8", "ignore").decode()
        return Learner(name=name, id=preferences.learner_id(), words=words[:LONGEST_WORDS])

    # What the buttons do.

    def _hand_in(self) -> None:
        folder = settings.in_force().hand_in
        if folder is None:
            self._hand_in_elsewhere()
            return
        self._read(lambda report: self._write(report, report_tasks.hand_in(report, folder)))

    def _hand_in_elsewhere(self) -> None:
        if path := ask_where(self, f"{file_stem(self.name.text())}.html"):
            self._read(lambda report: self._write(report, report_tasks.save_report(report, path)))

    def _show_code(self) -> None:
        self._read(self._paint_code)

    def _save_pdf(self) -> None:
        if path := ask_where(self, f"{file_stem(self.name.text())}.pdf"):
            self._read(lambda report: self._write_pdf(report, path))

    # What comes of it.

    def _read(self, then: Callable[[Reported], object]) -> None:
        """Read what is handed in, and continue with it."""
        learner = self.learner
        preferences.change(learner=learner.name)
        self.notice.setText("")
        self.saved.hide()

        def go_on(report: Reported) -> None:
            self._end()
            then(report)

        self._begin(report_tasks.read_report(self._run, learner, tr, language.code), go_on, self._fail)

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
        try:
            handout.save_handout(data_of(report), path)
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
        else:
            report_saved(self, path)
        self._fit()

    def _paint_code(self, report: Reported) -> None:
        words = code_text(data_of(report))
        self.code.show_text(words, tr("QR code of your results"))
        self.code_words.setText(words)
        self.code_words.show()
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
            permit(each, why)
        self._fit()

    def _content(self) -> str:
        if self._run is None:
            return tr("There is no run to hand in: your guesses and goals in lessons are handed in alone. To hand in a "
                      "run, open it on Train first.")
        try:
            record = self._run.record()
            name = given_name(self._run, record) or tr(made_names([(self._run, record)])[self._run.path])
        except UserError:  # which is said when the report is written
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

    # Putting together.

    def _make_parts(self) -> None:
        self.name = named(QLineEdit(), "hand_in_name", tr("Your name or your pair's"))
        self.name.setMaxLength(LONGEST_LEARNER)
        self.name.textChanged.connect(lambda _: self._show())
        self.words = named(QPlainTextEdit(), "hand_in_words", tr("What did you see?"))
        self.words.setTabChangesFocus(True)
        self.what = label(name="hand_in_what", role="muted", wrap=True)
        self.where = label(name="hand_in_where", role="muted", wrap=True)
        self.notice, self.saved = Notice("hand_in_notice"), SavedNotice("hand_in")
        self.code = QrCode("hand_in_code")
        self.code_words = label(name="hand_in_code_words", wrap=True)
        self.code_words.hide()
        self.save_pdf = button(tr("Save as PDF…"), "hand_in_pdf", tr(
            "One page to print: name, curve, a guess, samples"), do=self._save_pdf)
        self.show_code = button(tr("Show QR code"), "hand_in_show_code", tr(
            "Name, loss, steps and right guesses, to photograph"), do=self._show_code)
        self.other = button(tr("Another folder…"), "hand_in_other", tr("Saves the report where you choose"),
                            do=self._hand_in_elsewhere)
        self.hand = button(tr("Hand in"), "hand_in_begin", tr("Writes the report"), "primary", self._hand_in)
        self.hand.setDefault(True)
        self.shut = button(tr("Close"), "hand_in_close", do=self.close)

    def _lay_out(self) -> None:
        code = hbox(self.code, grows(self.code_words), spacing=16)
        holding(self, vbox(
            label(self.name.accessibleName(), buddy=self.name), self.name,
            label(self.words.accessibleName(), buddy=self.words), self.words, self.what, self.where,
            self.notice, code, self.saved, FREE,
            hbox(self.save_pdf, self.show_code, FREE, self.other, spacing=8),
            hbox(FREE, self.shut, self.hand, spacing=8), spacing=8, margins=(16, 16, 16, 16)))


def code_text(data: LearnerData) -> str:
    """Return what the QR code says: name, loss, steps and right guesses, one a line."""
    run = data if isinstance(data, RunData) else None
    lines = [cut(data.learner.name, 60) if data.learner else ""]
    if run:
        lines += [tr("Lowest validation loss: {loss}", loss=f"{run.best.val_loss:.3f}") if run.best else "",
                  tr("Steps: {n}", n=f"{run.steps:,}")]
    right, known = data.right_guesses
    lines.append(tr("Right guesses: {n} of {count}.", n=right, count=known) if known else "")
    reached, goals = data.goals_reached
    lines.append(tr("Goals reached: {n} of {count}.", n=reached, count=goals) if goals else "")
    return joined("\n", *filter(None, lines))
