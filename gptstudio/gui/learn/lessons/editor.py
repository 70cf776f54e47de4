"""Editor of lessons: steps are recorded from the user's actions or typed, tried, and saved as TOML."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w
from PySide6.QtCore import QObject, QSignalBlocker, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from gptstudio import files, paths
from gptstudio import toml_file as toml
from gptstudio.app.state import AppState
from gptstudio.errors import Fault, UserError, text_of
from gptstudio.gpt import sizing
from gptstudio.gui.appearance import Dialog, on_restyle
from gptstudio.gui.question import confirmed
from gptstudio.gui.save_as import save_as
from gptstudio.gui.translation import joined, tr
from gptstudio.gui.widgets.layouts import FREE, grows, hbox, vbox
from gptstudio.gui.widgets.parts import Notice, button, choice_box, label, named, scrolling, set_blocker, spin_box
from gptstudio.gui.widgets.text_views import typed_text
from gptstudio.i18n import message
from gptstudio.labs import catalogue, lesson
from gptstudio.labs.lesson import SINGLE, TABS, LessonStep

LOOK_EVERY_MS = 400
SAMPLING = ("temperature", "top_k")

Place = tuple[str, str]
"""``page`` or ``tab``, and the name of the experiment or of the tab."""
Values = dict[tuple[Place, str], Any]
Step = dict[str, Any]
"""Table of a step, as in a lesson's file."""


class Recorder(QObject):
    """Recorder of steps: regularly compares the state of the window with the previous one."""

    recorded = Signal(object)
    """Emitted with a :data:`Step` after an action of the user that can be a goal."""

    def __init__(self, state: AppState, page_of: Callable[[str], Any], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._page_of = state, page_of
        self._before: Values = {}
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look)

    def record(self, on: bool) -> None:
        """Start or stop recording."""
        if on:
            self._before = self._values()
            self._clock.start()
        else:
            self._clock.stop()

    def _look(self) -> None:
        before, now = self._before, self._values()
        self._before = before | now
        for (place, name), value in now.items():
            if (place, name) in before and value != before[place, name]:
                self.recorded.emit(_step(place, name, before, value))

    def _values(self) -> Values:
        """Return the values that a goal can use on the current page and in the Model panel."""
        state = self._state
        found: Values = {}
        if state.config:
            found[("tab", "model"), "parameters"] = sizing.parameters(state.config).total
        if state.page == "learn" and (page := self._page_of("learn").current) and not page.waiting:
            request = page.request.shallow()
            for view in lesson.place_of(page.lab.name, "").fields().values():
                if view.kind in SINGLE:
                    found[("page", page.lab.name), view.name] = request[view.name]
        elif state.page == "train":
            found[("tab", "train"), "step"] = str(state.run.folder.path) if state.run.folder else ""
        elif state.page == "generate":
            params = state.sampling_params.shallow()
            found |= {(("tab", "generate"), name): params[name] for name in SAMPLING}
            if not state.generating:
                document = state.document
                found[("tab", "generate"), "tokens"] = max(0, len(document.path) - document.given)
        return found


def _step(place: Place, name: str, before: Values, value: Any) -> Step:
    """Return the step for a change of a value: its settings are the values before, its goal is the new value."""
    kind, where = place
    step = LessonStep(title="", text="", page=where if kind == "page" else "", tab=where if kind == "tab" else "")
    at = step.place
    view, earlier = at.fields().get(name), before[place, name]
    check: Step = {"value": name}
    if (where, name) == ("train", "step"):
        check["at_least"] = 1
    elif any(each is None or isinstance(each, (bool, str)) for each in (value, earlier)):
        check["equals"] = "" if value is None else value
    else:
        check["at_least" if value > earlier else "at_most"] = value
    title = tr(view.label) if view else name.replace("_", " ").capitalize()
    point = lesson.control_of(step, name)
    found: Step = {"title": title, "text": "", kind: where, "point": point, "check": check}
    first = at.given.shallow() if kind == "page" and at.given else {}  # a page opens with the book's first example
    settings = {of: "" if each is None else each for (there, of), each in before.items()
                if there == place and of in at.settings and (of not in first or each != first[of])}
    return found | ({"settings": settings} if settings else {})


SIZE = QSize(860, 640)
CHECKED_AFTER_MS = 500
MOST_SHOWN = 4
"""Maximum number of problems shown."""
RELATIONS = {"": message("no goal"), "at_least": message("at least"), "at_most": message("at most"),
             "equals": message("equals")}
QUESTION_ROWS = 4
LINES, TALL = 3, 6
"""Heights of text boxes, in lines."""


class LessonEditor(Dialog):
    """Window with the steps on the left and the selected one on the right. The draft is kept in the user's folder.

    Args:
        state: state of the window that is recorded.
        page_of: returns a page by its name.
        try_lesson: opens a lesson in the window.
    """

    def __init__(
        self, window: QWidget, state: AppState, page_of: Callable[[str], Any], try_lesson: Callable[[Path], object]
    ) -> None:
        super().__init__(window, "lesson_editor", tr("Write a lesson"))
        self._try_lesson = try_lesson
        self._recorder = Recorder(state, page_of, self)
        self._recorder.recorded.connect(self.add_recorded)
        self._clock = QTimer(self, interval=CHECKED_AFTER_MS, singleShot=True)
        self._clock.timeout.connect(self._check)
        self.values = _empty()
        self._make_parts()
        self._lay_out()
        self._fit()
        on_restyle(self, self._fit)
        self.resize(SIZE)
        self._saved, self._damaged = b"", ""
        self._take(self.values)
        if os.path.isfile(draft()):
            self._open_draft()

    # Lesson

    def open_file(self, path: Path) -> None:
        """Open the lesson of a file; if it is not valid TOML, show the problem and change nothing."""
        try:
            self._take(_read(path))
        except UserError as error:
            self.notice.setText(tr(text_of(error)))
        else:
            self._saved, self._damaged = self._data, ""

    def _open_draft(self) -> None:
        """Open the draft; if it is damaged, rename it, so that it is not overwritten."""
        try:
            self._take(_read(draft()))
        except UserError as error:
            self._damaged = tr(
                "{problem} The file is kept, with “.aside” added to its name.", problem=text_of(error))
            with suppress(OSError):
                files.set_aside(draft())

    def add_recorded(self, step: Step) -> None:
        """Append a recorded step, or update the goal of the last step if that is about the same value."""
        steps, last = self.values["step"], (self.values["step"] or [{}])[-1]
        same = _inner(last, "check").get("value") == step["check"]["value"] and all(
            last.get(kind) == step.get(kind) for kind in ("page", "tab"))
        if same:
            last["check"] = step["check"]
        else:
            steps.append(step)
        self._show_steps(len(steps) - 1)

    def _take(self, values: Step) -> None:
        self.values = values
        with QSignalBlocker(self.title), QSignalBlocker(self.minutes):
            self.title.setText(str(values.get("title", "")))
            minutes = values.get("minutes")
            self.minutes.setValue(round(minutes) if isinstance(minutes, (int, float)) else 20)
        self._show_steps(0)

    def _check(self) -> None:
        """Save the draft, and show the problems that make it an invalid lesson."""
        data = self._data
        try:
            files.write_whole(draft(), data)
            lesson.parse(data, self.title.text())
            faults: list[Fault] = []
        except lesson.LessonError as error:
            faults = error.faults if self.values["step"] else [Fault(0, message(
                "The lesson has no steps yet. Record what you do in the window, or add a step."))]
        except OSError as error:
            faults = [Fault(0, error.strerror or str(error))]
        problems = [self._in_words(data, each) for each in faults[:MOST_SHOWN]]
        self.notice.setText(joined("\n", *filter(None, (self._damaged, *problems))))
        why = tr("The lesson has problems: see above.") if faults else ""
        for each in (self.try_button, self.save_button):
            set_blocker(each, why)

    def _in_words(self, data: bytes, fault: Fault) -> str:
        document = toml.Document(data)
        lines = [document.line("step", index) for index in range(len(self.values["step"]))]
        step = sum(line <= fault.line for line in lines)
        return tr("Step {n}: {problem}", n=step, problem=tr(fault.what)) if step else tr(fault.what)

    # Steps

    @property
    def _data(self) -> bytes:
        """The lesson as the contents of a file."""
        return tomli_w.dumps(self.values, multiline_strings=True).encode()

    @property
    def _index(self) -> int:
        return self.steps.currentRow()

    @property
    def _step(self) -> Step:
        steps = self.values["step"]
        return steps[self._index] if 0 <= self._index < len(steps) else {}

    def _show_steps(self, chosen: int) -> None:
        with QSignalBlocker(self.steps):
            self.steps.clear()
            self.steps.addItems([f"{n}. {step.get('title', '')}" for n, step in enumerate(self.values["step"], 1)])
            self.steps.setCurrentRow(min(chosen, self.steps.count() - 1))
        self._show_step()

    def _show_step(self) -> None:
        step, check, predict = self._step, _inner(self._step, "check"), _inner(self._step, "predict")
        relation = _relation(check)
        parts: list[tuple[Any, Any]] = [
            (self.step_title, step.get("title", "")), (self.text, step.get("text", "")),
            (self.task, step.get("try", "")), (self.point, step.get("point", "")),
            (self.settings, _as_typed(_inner(step, "settings"))), (self.value, check.get("value", "")),
            (self.goal, _as_toml(check[relation]) if relation else ""), (self.question, predict.get("question", "")),
            (self.answers, "\n".join(map(str, predict.get("choices", ())))),
            (self.explanation, predict.get("explanation", "")),
            (self.answer, predict.get("answer", "") or _as_toml(predict.get("number", ""))),
        ]
        blockers = [QSignalBlocker(each) for each in (self.place, self.relation, *(widget for widget, _ in parts))]
        for widget, text in parts:
            (widget.setPlainText if isinstance(widget, QPlainTextEdit) else widget.setText)(str(text))
        self.place.setCurrentIndex(max(0, self.place.findData(step.get("page") or step.get("tab") or "")))
        self.relation.setCurrentIndex(list(RELATIONS).index(relation))
        del blockers
        self.form.setEnabled(bool(step))
        set_blocker(self.delete, "" if step else tr("There is nothing to delete."))
        set_blocker(self.up, "" if self._index > 0 else tr("This is the first one."))
        set_blocker(self.down, "" if self._index < self.steps.count() - 1 else tr("This is the last one."))
        self._clock.start()

    def _change(self) -> None:
        """Copy the form into the lesson and the step."""
        self.values |= {"title": self.title.text(), "minutes": self.minutes.value()}
        self._clock.start()
        step = self._step
        if not self.values["step"]:
            return
        where = self.place.currentData()
        for kind in ("page", "tab"):
            step.pop(kind, None)
        step["tab" if where in TABS else "page"] = where
        _put(step, "title", self.step_title.text(), keep=True)
        _put(step, "text", typed_text(self.text), keep=True)
        _put(step, "try", typed_text(self.task))
        _put(step, "point", self.point.text().strip())
        _put(step, "settings", _table(typed_text(self.settings)))
        _put(step, "check", self._check_of(_inner(step, "check")))
        _put(step, "predict", self._question(_inner(step, "predict")))
        self.steps.currentItem().setText(f"{self._index + 1}. {self.step_title.text()}")

    def _check_of(self, before: Step) -> Step:
        """Return the goal of the form; empty if there is none. What the form does not show is kept: another bound, and
        whether a goal is a text, such as "5"."""
        relation, typed = list(RELATIONS)[self.relation.currentIndex()], self.goal.text()
        if not relation:
            return {}
        same = relation == _relation(before)
        goal = before[relation] if same and typed == _as_toml(before[relation]) else _value(typed)
        kept = before if same else {key: each for key, each in before.items() if key in ("name", "when")}
        return {**kept, "value": self.value.text().strip(), relation: goal}

    def _question(self, before: Step) -> Step:
        """Return the question of the form; empty if there is none."""
        if not self.question.text().strip():
            return {}
        kept = {key: each for key, each in before.items() if key in ("token", "tolerance")}
        choices = [line.strip() for line in typed_text(self.answers).splitlines() if line.strip()]
        answer = self.answer.text().strip()
        found: Step = {**kept, "question": self.question.text().strip()}
        if choices:
            found |= {"choices": choices, "answer": answer}
        elif answer and "token" not in kept:
            found["number"] = _value(answer)
        _put(found, "explanation", self.explanation.text().strip())
        return found

    def _add(self) -> None:
        self.values["step"].append({"title": tr("New step"), "text": "", "page": next(iter(catalogue.ENTRIES))})
        self._show_steps(len(self.values["step"]) - 1)

    def _delete(self) -> None:
        written = any(self._step.get(key) for key in ("text", "try", "predict"))
        if self._step and (not written or confirmed(
            self, "editor_delete", tr("Delete a step"),
            tr("Delete step {n} with its texts? It cannot be restored.", n=self._index + 1), tr("Delete"),
        )):
            del self.values["step"][self._index]
            self._show_steps(max(0, self._index))

    def _move(self, by: int) -> None:
        steps, at = self.values["step"], self._index
        if 0 <= at + by < len(steps):
            steps.insert(at + by, steps.pop(at))
            self._show_steps(at + by)

    # Commands

    def _record(self, on: bool) -> None:
        self._recorder.record(on)
        self.record_button.setText(tr("Stop recording") if on else tr("Record"))

    def _try(self) -> None:
        self.record_button.setChecked(False)
        self._check()
        self._try_lesson(draft())

    def _may_replace(self, button: QPushButton) -> bool:
        """Return whether another lesson may replace the one in this window; ask if its changes are not saved."""
        return not self.values["step"] or self._data == self._saved or confirmed(
            self, button.objectName(), button.text().removesuffix("…"),
            tr("Another lesson replaces the one in this window. Save it first if you still need it."), tr("Replace"))

    def _new(self) -> None:
        if self._may_replace(self.new_button):
            self._take(_empty())
            self._damaged = ""

    def _open(self) -> None:
        if not self._may_replace(self.open_button):
            return
        found, _ = QFileDialog.getOpenFileName(self, tr("Open a lesson"), "", tr("Lessons (*.toml *.gptlesson)"))
        if found:
            self.open_file(Path(found))

    def _save(self) -> None:
        save_as(self, "lesson.toml", self._save_as, self.notice.setText)

    def _save_as(self, path: Path) -> None:
        files.save_whole(path, self._data)
        self._saved = self._data

    def closeEvent(self, event: QCloseEvent) -> None:
        self.record_button.setChecked(False)
        if self._clock.isActive():
            self._clock.stop()
            self._check()
        super().closeEvent(event)

    # Construction

    def _make_parts(self) -> None:
        self.title = self._line("editor_title", tr("Title of the lesson"))
        self.minutes = spin_box("editor_minutes", tr("Minutes"), 1, lesson.MOST_MINUTES)
        self.title.setPlaceholderText(tr("Title of the lesson"))
        self.steps = named(QListWidget(), "editor_steps", tr("Steps of the lesson"))
        self.steps.currentRowChanged.connect(lambda _: self._show_step())
        self.record_button = button(tr("Record"), "editor_record", tr(
            "Turns what you do in the window into steps, each with what you did as its goal"))
        self.record_button.setCheckable(True)
        self.record_button.toggled.connect(self._record)
        self.add_button = button(tr("Add a step"), "editor_add", do=self._add)
        self.up = button(tr("Up"), "editor_up", tr("Moves the step up"), "quiet", lambda: self._move(-1))
        self.down = button(tr("Down"), "editor_down", tr("Moves the step down"), "quiet", lambda: self._move(1))
        self.delete = button(tr("Delete"), "editor_delete", tr("Deletes the step"), "quiet", self._delete)
        self.step_title = self._line("editor_step_title", tr("Title"))
        self.point = self._line("editor_point", tr("Point at"))
        self.text, self.task = self._box("editor_text", tr("Text")), self._box("editor_try", tr("Try"))
        self.settings = self._box("editor_settings", tr("At the start"))
        tabs = {tab: tr("Page: {name}", name=tr(tab.capitalize())) for tab in TABS}
        experiments = {name: tr(entry.title) for name, entry in catalogue.ENTRIES.items()}
        self.place = choice_box("editor_place", tr("Place"), tabs | experiments)
        self.settings.setPlaceholderText(tr("One setting per line, such as temperature = 2.0"))
        self.value = self._line("editor_value", tr("Value of the goal"))
        self.goal = self._line("editor_goal", tr("Goal"))
        self.relation = choice_box(
            "editor_relation", tr("Relation"), {name: tr(words) for name, words in RELATIONS.items()})
        self.question = self._line("editor_question", tr("Question"))
        self.answers = self._box("editor_answers", tr("Answers, one per line"))
        self.answers.setPlaceholderText(tr("One answer per line; none if the answer is a number"))
        self.answer = self._line("editor_answer", tr("Right answer"))
        self.explanation = self._line("editor_explanation", tr("Explanation"))
        self.notice = Notice("editor_notice", "notice")
        self.new_button = button(tr("New lesson"), "editor_new", tr("Begins a lesson without steps"), do=self._new)
        self.open_button = button(tr("Open…"), "editor_open", tr("Opens the file of a lesson here"), do=self._open)
        self.try_button = button(
            tr("Try it"), "editor_try_it", tr("Opens the lesson in the window"), "primary", self._try)
        self.save_button = button(tr("Save…"), "editor_save", tr("Saves the lesson as a TOML file"), do=self._save)
        for choice in (self.place, self.relation):
            choice.activated.connect(lambda _: self._change())
        self.minutes.valueChanged.connect(lambda _: self._change())

    def _line(self, name: str, words: str) -> QLineEdit:
        made = named(QLineEdit(), name, words)
        made.textEdited.connect(lambda _: self._change())
        return made

    def _fit(self) -> None:
        """Set the heights of the text boxes for the text size."""
        for box in self.form.findChildren(QPlainTextEdit):
            lines = TALL if box is self.text else LINES
            box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 12)

    def _box(self, name: str, words: str) -> QPlainTextEdit:
        made = named(QPlainTextEdit(), name, words)
        made.setTabChangesFocus(True)
        made.textChanged.connect(self._change)
        return made

    def _lay_out(self) -> None:
        self.form = QWidget()
        rows = QFormLayout(self.form)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for widget in (self.step_title, self.place, self.text, self.task, self.point, self.settings, self.question,
                       self.answers, self.answer, self.explanation):
            rows.addRow(tr("Answers") if widget is self.answers else widget.accessibleName(), widget)
        goal = hbox(grows(self.value, 2), self.relation, grows(self.goal), spacing=8)
        rows.insertRow(rows.rowCount() - QUESTION_ROWS, tr("Goal"), goal)
        head = hbox(
            label(tr("Lesson"), "heading", buddy=self.title), grows(self.title), label(tr("Minutes")), self.minutes,
            spacing=8)
        left = vbox(hbox(self.record_button, self.add_button, spacing=8), grows(self.steps),
                    hbox(self.up, self.down, self.delete, FREE, spacing=4), spacing=8)
        self.assemble(vbox(
            head, hbox(left, grows(scrolling(self.form, "editor_scroll"), 2), spacing=12), self.notice,
            hbox(self.new_button, self.open_button, FREE, self.save_button, self.try_button, spacing=8), spacing=12,
            margins=(16, 12, 16, 12)))


def _empty() -> Step:
    return {"title": "", "minutes": 20, "step": []}


def draft() -> Path:
    """Return the file of the lesson draft."""
    return paths.user_data() / "lesson_draft.toml"


def _read(path: Path) -> Step:
    """Return the contents of a lesson's file.

    Raises:
        UserError: the file cannot be read, or is not TOML.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(message("Cannot read “{path}”: {why}.", path=path, why=error)) from error
    steps = values.get("step", [])
    found = [each for each in steps if isinstance(each, dict)] if isinstance(steps, list) else []
    for predict in (_inner(step, "predict") for step in found):
        if not isinstance(predict.get("choices", []), list):
            del predict["choices"]
    return values | {"step": found}


def _inner(table: Step, key: str) -> Step:
    """Return the table of a key in a table; empty if there is none."""
    found = table.get(key)
    return found if isinstance(found, dict) else {}


def _put(table: Step, key: str, value: Any, keep: bool = False) -> None:
    if value or keep:
        table[key] = value
    else:
        table.pop(key, None)


def _as_toml(value: Any) -> str:
    return value if isinstance(value, str) else tomli_w.dumps({"x": value}).removeprefix("x = ").strip()


def _relation(check: Step) -> str:
    """Return the relation of a goal that the form shows; empty if it has none."""
    return next((each for each in RELATIONS if each and each in check), "")


def _table(typed: str) -> Step:
    """Return settings typed as lines of TOML; while they are not valid TOML, as text under one key."""
    try:
        return tomllib.loads(typed)
    except ValueError:
        return {typed.splitlines()[0][:40]: typed}


def _as_typed(settings: Step) -> str:
    """Return settings as lines of TOML; those that were not valid TOML, as they were typed."""
    typed = next(iter(settings.values()), None)
    if isinstance(typed, str) and "=" in typed and _table(typed) == settings:
        return typed
    return tomli_w.dumps(settings).strip()


def _value(typed: str) -> Any:
    """Return the number, true or false that was typed, or else the text."""
    try:
        return tomllib.loads(f"x = {typed.strip()}")["x"]
    except ValueError:
        return typed.strip()
