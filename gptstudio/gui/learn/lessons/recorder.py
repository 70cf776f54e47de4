"""Recording of a lesson: what is done in the window becomes steps, each with what was done as its goal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gptstudio.app.state import AppState
from gptstudio.gpt import sizing
from gptstudio.gui.translation import tr
from gptstudio.labs import lesson_places
from gptstudio.labs.lesson import LessonStep, control_of
from gptstudio.labs.lesson_places import SINGLE, LessonPlace

LOOK_EVERY_MS = 400
SAMPLING = ("temperature", "top_k")

Place = tuple[str, str]
"""``page`` or ``tab``, and the name of the experiment or the tab."""
Values = dict[tuple[Place, str], Any]
Step = dict[str, Any]
"""Table of a step as a lesson's file has it."""


class Recorder(QObject):
    """Compares the window with how it was a moment ago, while it records."""

    recorded = Signal(object)
    """Emitted with a :data:`Step` after the user has done something that can be a goal."""

    def __init__(self, state: AppState, page_of: Callable[[str], Any], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._page_of = state, page_of
        self._before: Values = {}
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look)

    @property
    def recording(self) -> bool:
        return self._clock.isActive()

    def record(self, on: bool) -> None:
        """Begin or end recording."""
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
        """Return the values that a goal can ask for at the page that is shown, and in the Model panel."""
        state = self._state
        found: Values = {}
        if state.config:
            found[("tab", "model"), "parameters"] = sizing.parameters(state.config).total
        if state.page == "learn" and (page := self._page_of("learn").current) and not page.waiting:
            request = page.request.shallow()
            for view in lesson_places.of_lab(page.lab.name).fields().values():
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
    """Return the step for a change of a value: the place as it was before, and the new value as the goal."""
    kind, where = place
    step = LessonStep(title="", text="", page=where if kind == "page" else "", tab=where if kind == "tab" else "")
    at = lesson_places.of_lab(where) if kind == "page" else lesson_places.TABS[where]
    view, earlier = at.fields().get(name), before[place, name]
    check: Step = {"value": name}
    if (where, name) == ("train", "step"):
        check["at_least"] = 1
    elif any(each is None or isinstance(each, (bool, str)) for each in (value, earlier)):
        check["equals"] = "" if value is None else value
    else:
        check["at_least" if value > earlier else "at_most"] = value
    title = tr(view.label) if view else name.replace("_", " ").capitalize()
    point = control_of(step, name)
    found: Step = {"title": title, "text": "", kind: where, "point": point, "check": check}
    settings = _settings(at, {of: each for (there, of), each in before.items() if there == place})
    return found | ({"settings": settings} if kind == "page" and settings else {})


def _settings(place: LessonPlace, values: Step) -> Step:
    """Return the values of a page that are not those of the first of the book's examples."""
    first = place.given.shallow() if place.given else {}
    return {name: value for name, value in values.items() if value is not None and value != first.get(name)}
