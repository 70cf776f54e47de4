"""Go through a lesson in the real window, off screen, as a learner would, and report the steps that cannot be finished.

The search for a goal knows nothing about the experiments: it changes one field after the other, first the one that the
step names, as a user does who tries out a page.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gptstudio.fields import FieldView, SpecError, fields_of
from gptstudio.gpt.config import GPTConfig
from gptstudio.gui.window_driver import WindowDriver, go_off_screen, home_for_now

if TYPE_CHECKING:
    from gptstudio.gui.learn.lessons.runner import Runner
    from gptstudio.labs.lesson import Check

STUCK = 2
"""Exit code if a learner cannot finish a step."""
SCREEN = 1366, 768
"""Size of the window in pixels, that of a small laptop."""
LOOKED_S = 2.0
"""Seconds in which a page creates the controls that a step names."""
SEARCHED_S = 60.0
"""Seconds after which the search for a goal on the page of an experiment ends."""
ANSWER_S = 30.0
MOST_WORDS = 400
FACTORS = (2.0, 4.0, 0.5, 0.25, 10.0, -1.0)
STEPS = (1, -1, 2, -2, 5, 10)
MOST_PARTS = 100


@dataclass(frozen=True)
class StepResult:
    """Result of one step.

    Attributes:
        step: number of the step, counted from 1.
        title: title of the step.
        seconds: time until its goal was reached.
        problem: reason why a learner cannot finish it; empty if one can.
    """

    step: int
    title: str
    seconds: float
    problem: str = ""


def run(settings: str, as_json: bool = False) -> int:
    """Go through the lesson that a settings file names, and print a line for each step.

    Args:
        settings: path of the settings file.
        as_json: print one JSON object for each step.

    Returns:
        The exit code: 0 if every step can be finished, else :data:`STUCK`.
    """
    go_off_screen()
    from gptstudio import settings as computer
    from gptstudio.i18n import ENGLISH

    with home_for_now(settings):
        found = computer.in_force()
        path = found.lesson_file(found.language or ENGLISH)
        if path is None or not path.is_file():
            print("The settings name no lesson, so there is nothing to rehearse.", file=sys.stderr)
            return STUCK
        results = []
        for each in _results(path, found.language or ENGLISH):
            results.append(each)
            print(json.dumps(asdict(each), ensure_ascii=False) if as_json else _line(each), flush=True)
    stuck = [each.step for each in results if each.problem]
    if not as_json:
        print(f"A learner cannot finish the steps {', '.join(map(str, stuck))}." if stuck
              else f"Every step can be finished; {len(results)} steps, {sum(each.seconds for each in results):.0f} s.")
    return STUCK if stuck else 0


def _line(result: StepResult) -> str:
    sign, indented = "✗" if result.problem else "✓", result.problem.replace("\n", "\n   ")
    line = f"{sign} {result.step}. {result.title}  ({result.seconds:.0f} s)"
    return f"{line}\n   {indented}" if result.problem else line


def _results(path: Path, code: str) -> Iterator[StepResult]:
    from gptstudio.gui.app import make_app
    from gptstudio.gui.language import language
    from gptstudio.gui.window import MainWindow

    make_app()
    language.load(code)
    window = MainWindow()
    window.resize(*SCREEN)
    window.show()
    window.wake()
    driver = LessonDriver(window, Path())
    try:
        yield from driver.go_through(path)
    finally:
        driver.leave()


class LessonDriver(WindowDriver):
    """Simulated learner who reads nothing, but uses every control that a step names."""

    def go_through(self, path: Path) -> Iterator[StepResult]:
        """Yield the result of each step of a lesson, in order."""
        self._rest(LOOKED_S)
        self._window.learning.open_lesson(path)
        runner = self._window.lessons.runner
        if runner is None:
            yield StepResult(1, path.stem, 0.0, "The lesson does not open.")
            return
        while not runner.at_end:
            began = time.monotonic()
            index, step = runner.index, runner.step
            problems = [*self._finish(runner)]
            seconds = time.monotonic() - began
            yield StepResult(index + 1, step.title, round(seconds, 1), "\n".join(dict.fromkeys(problems)))
            runner.guide.next.click()

    def _finish(self, runner: Runner) -> Iterator[str]:
        """Carry out a step; yield the reasons why that is not possible."""
        self._settle()
        self._rest(LOOKED_S)
        if runner.is_asking:
            yield from self._guess(runner)
        yield from (f"“{name}” is not in the window." for name in runner.controls.missing)
        if runner.step.check and runner.is_open:
            yield from self._reach(runner, runner.step.check)
        yield from filter(None, runner.guide.notes.text().split("\n"))

    # Questions.

    def _guess(self, runner: Runner) -> Iterator[str]:
        question, predict = runner.guide.question, runner.step.predict
        if predict and predict.choices:
            question.choices[predict.choices.index(predict.answer)].click()
        elif predict and predict.token:
            yield from self._guess_token(runner)
        else:
            question.number.setText("1")
            question.guess.click()
        self._rest(0.1)
        if runner.is_asking:
            yield "The question cannot be answered."
            question.skip.click()

    def _guess_token(self, runner: Runner) -> Iterator[str]:
        if runner.guide.question.guess.isHidden():
            yield from self._generate()
        if strip := self._find("token_strip"):
            QTest.keyClick(strip, Qt.Key.Key_Left)
            self._rest(0.5)
        runner.guide.question.guess.click()

    # Goals.

    def _reach(self, runner: Runner, check: Check) -> Iterator[str]:
        step = runner.step
        if step.page:
            self._search(runner, check)
        elif step.tab == "model":
            yield from self._choose_model(runner)
        elif step.tab == "train":
            yield from self._train(runner)
        else:
            yield from self._use_generate(check)
        until = time.monotonic() + LOOKED_S
        self._wait(lambda: not runner.is_open or time.monotonic() > until)
        if runner.is_open and not runner.check_goal():  # on a busy machine, its clock may not have checked it yet
            yield f"The goal was not reached: {runner.guide.check.text() or check.value}"

    def _choose_model(self, runner: Runner) -> Iterator[str]:
        """Change one field of the model after the other until the goal is reached, then the preset. If it is not
        reached, restore the model, which later steps use."""
        state, box = self._window.state, self._window.panel.preset
        first, usable = state.config, box.isEnabled()
        views = [view for view in fields_of(GPTConfig) if view.kind in ("int", "bool")]
        for view in sorted(views, key=lambda view: not runner.step.point.endswith(f"_{view.name}")):
            editor = self._find(f"config_{view.name}")
            if first is None or editor is None or not editor.isEnabled():
                continue
            usable = True
            for value in _candidates(view, getattr(first, view.name), None):
                with suppress(SpecError):
                    state.config = first.but(**{view.name: value})
                    runner.check_goal()
                if not runner.is_open:
                    return
        for place in range(box.count()) if box.isEnabled() else ():
            if runner.is_open:
                box.setCurrentIndex(place)
                box.textActivated.emit(box.currentText())
                self._rest(0.02)
                runner.check_goal()
        if runner.is_open:
            state.config = first
        if not usable:
            yield "The model cannot be changed here."

    def _train(self, runner: Runner) -> Iterator[str]:
        state, start = self._window.state, self._window.train.start
        if not state.running:
            if not start.isEnabled():
                yield f"A run cannot be started here: {start.toolTip()}"
                return
            start.click()
            self._wait(lambda: state.running)
        self._wait(lambda: not runner.is_open or not state.running)

    def _use_generate(self, check: Check) -> Iterator[str]:
        goal = _goal_of(check)
        for name, value in (dict(check.when) | {check.value: goal}).items():
            if name in ("temperature", "top_k"):
                yield from self._set_number(name, value)
        if check.value in ("temperature", "top_k"):
            return
        if check.value == "tokens":
            yield from self._generate()
        elif check.value == "attention_steps":
            yield from self._generate()
            for place in range(int(goal)):
                self._window.generate.attention.step.button(place).click()
                self._rest(0.3)
                self._settle()
        elif check.value == "changes":
            yield from self._generate()
            yield from self._change_inside(int(goal))

    def _set_number(self, name: str, value: object) -> Iterator[str]:
        number = self._find(f"{name}_number")
        if number is None or not number.isEnabled():
            yield f"“{name}” cannot be changed here."
            return
        QTest.keyClick(number, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(number, f"{value:g}" if isinstance(value, (int, float)) else str(value))
        QTest.keyClick(number, Qt.Key.Key_Return)

    def _generate(self) -> Iterator[str]:
        state, go = self._window.state, self._window.generate.go
        if not go.isEnabled():
            yield f"No text can be generated here: {go.toolTip()}"
            return
        go.click()
        self._rest(0.2)
        self._wait(lambda: not state.generating)

    def _change_inside(self, count: int) -> Iterator[str]:
        """Disable parts of the model in *What if*, by clicks on its diagram."""
        chart: Any = self._find("what_if_map")
        if chart is None or not chart.isVisible():
            yield "What if cannot be used here."
            return
        for place in list(chart.items().values())[:count]:
            QTest.mouseClick(chart.surface(), Qt.MouseButton.LeftButton, pos=place.center().toPoint())
            self._rest(0.3)
            self._settle()

    # Experiments.

    def _search(self, runner: Runner, check: Check) -> None:
        """Change the fields of a page until the goal is reached."""
        page = self._window.learn.page(runner.step.page)
        first, until = dict(page.request.shallow()), time.monotonic() + SEARCHED_S
        order = sorted(fields_of(type(page.request)), key=lambda view: (
            view.name != check.value, not runner.step.point.endswith(f"_{view.name}"), view.name in check.when))
        for view in order:
            editor = page.controls.editors.get(view.name)
            if editor is not None and not editor.isEnabled():
                continue
            for value in _candidates(view, first[view.name], _goal_of(check) if view.name == check.value else None):
                if not runner.is_open or time.monotonic() > until:
                    return
                page.update_request(**{**first, view.name: value})
                self._settle()
                self._rest(0.02)
                runner.check_goal()
        page.update_request(**first)
        self._settle()

    def _settle(self) -> None:
        """Wait until no computation for the current page is pending."""
        until, window = time.monotonic() + ANSWER_S, self._window
        with suppress(TimeoutError):
            self._wait(lambda: time.monotonic() > until or not (window.tasks.busy("model") or (
                window.state.page == "learn" and window.learn.current and window.learn.current.waiting)))

    def _find(self, name: str) -> QWidget | None:
        return next(iter(self._window.findChildren(QWidget, name)), None)


def _goal_of(check: Check) -> Any:
    """Return a value that meets a goal."""
    for bound in (check.equals, check.at_least, check.at_most):
        if bound is not None:
            return bound
    return None


def _candidates(view: FieldView, now: Any, goal: Any) -> Iterator[Any]:
    """Yield other values of a field, the nearest first. ``goal``: value that a step requires, or None."""
    if goal is not None:
        yield int(goal) if view.kind == "int" else goal
    match view.kind:
        case "bool":
            yield not now
        case "choice":
            yield from (each for each in view.choices if each != now)
        case "text":
            yield from ((f"{now} {now}" * times)[:MOST_WORDS] for times in (1, 2, 4)) if now else ()
        case "int" | "float":
            yield from _numbers(view, 0 if now is None else now)
        case "matrix":
            for row in range(len(now)):
                for factor in FACTORS:
                    yield tuple(tuple(x * factor for x in each) if place == row else each
                                for place, each in enumerate(now))
        case "numbers":
            yield from (tuple(level for _ in now) for level in (0.9, 0.5, 0.1, 1.0))
            yield from (tuple(x * factor for x in now) for factor in FACTORS)


def _numbers(view: FieldView, now: float) -> Iterator[float]:
    low = view.low if view.low is not None else now - 10
    high = view.high if view.high is not None else max(10.0, abs(now) * 10)
    parts = min(MOST_PARTS, round((high - low) / view.step)) if view.step and view.high is not None else 8
    found = [now + step for step in STEPS] + [now * factor for factor in FACTORS] + [
        low + (high - low) * part / parts for part in range(parts + 1)]
    for each in dict.fromkeys(int(each) if view.kind == "int" else each for each in found):
        if low <= each <= high and each != now:
            yield each
