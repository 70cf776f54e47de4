"""Runner that leads through a lesson, step by step."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from gptstudio.errors import UserError
from gptstudio.gui.actions import Actions
from gptstudio.gui.appearance import follow
from gptstudio.gui.canvas.spotlight import Spotlight
from gptstudio.gui.learn.lessons.guide import Guide
from gptstudio.gui.learn.lessons.telling import check_text
from gptstudio.gui.locks import Locks, whole
from gptstudio.gui.theme import theme
from gptstudio.gui.translation import tr
from gptstudio.gui.widgets.parts import named
from gptstudio.i18n import message
from gptstudio.labs.lesson import Lesson, LessonStep, Value

LOOK_EVERY_MS = 500
MOST_LOOKS = 20  # maximum number of attempts to find a control: a page may take some seconds to be created
LOOKS_BEFORE_WORDS = 2  # after so many it is said
LOCKED = message("Locked by the lesson")
MOST_OF_WINDOW = 0.36


class Runner(QObject):
    """One lesson in one window, from :meth:`start` to ``ended``.

    Args:
        root: the window that contains the card and the widgets that are highlighted.
        go: opens a step's page or tab in the window and applies its settings; returns the widget of that page, which is
            searched for names first. It raises a UserError if this fails, which the card shows.
        value: the current value that a step's check requests; None if there is none.
        actions: the commands of the window, locked with their controls.
        obstacle: the reason why that value does not count now, as a message; empty if it does.
    """

    ended = Signal()

    def __init__(
        self, lesson: Lesson, root: QMainWindow, go: Callable[[LessonStep], QWidget | None],
        value: Callable[[LessonStep], Value | None], obstacle: Callable[[LessonStep], str], actions: Actions):
        super().__init__(root)
        self.lesson, self.index = lesson, 0
        self.reached: set[int] = set()
        self._actions, self._locked = actions, list[str]()
        self._root, self._go, self._value, self._obstacle = root, go, value, obstacle
        self._place: QWidget | None = None
        self._notes: list[str] = []
        self._missing: list[tuple[str, Callable[[QWidget], None]]] = []
        self._looks = 0
        self.guide, self.locks = Guide(), Locks(self, LOCKED)
        self.spotlight = Spotlight(root)
        self._clock = QTimer(self, interval=LOOK_EVERY_MS)
        self._clock.timeout.connect(self._look)
        self.guide.back.clicked.connect(self.back)
        self.guide.next.clicked.connect(self.next)
        self.guide.end.clicked.connect(self.finish)
        self._keys = [QShortcut(QKeySequence(keys), root) for keys in ("Alt+Left", "Alt+Right")]
        for key, action in zip(self._keys, (self.back, self.next), strict=True):
            key.activated.connect(action)
        self._dock: QDockWidget | None = _dock(self.guide)
        theme.dress(self._dock)
        follow(self.guide, self._show_texts, self._fit)

    @property
    def step(self) -> LessonStep:
        return self.lesson.steps[self.index]

    def start(self, index: int = 0) -> None:
        if self._dock is None:
            raise RuntimeError("a lesson that has ended does not begin again")
        self._root.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self._dock)
        self.show_step(index)
        self._fit()

    def back(self) -> None:
        if self.index > 0:
            self.show_step(self.index - 1)

    def next(self) -> None:
        """To the step that follows; behind the last, the end."""
        if self.index + 1 < len(self.lesson.steps):
            self.show_step(self.index + 1)
        else:
            self.finish()

    def show_step(self, index: int) -> None:
        self._leave_step()
        self.index = index
        self.guide.show_step(self.lesson, index, self.reached)
        self._place, self._notes = None, []
        try:
            self._place = self._go(self.step)
        except UserError as error:
            self._notes = [tr(error.args[0])]  # not str(): its words are said in the user's language
        self._arrange()
        self._clock.start()
        self._look()

    def _show_texts(self) -> None:
        self.guide.show_step(self.lesson, self.index, self.reached)
        self._update()

    def finish(self) -> None:
        """Gives the window back as it was; a second time does nothing."""
        if self._dock is None:
            return
        self._leave_step()
        dock, self._dock = self._dock, None
        self._root.removeDockWidget(dock)
        for each in (dock, self.spotlight, *self._keys, self):
            each.deleteLater()
        self.ended.emit()

    def _leave_step(self) -> None:
        self._clock.stop()
        self.locks.release()
        for name in self._locked:
            self._actions.unlock(name)
        self._locked = []
        self.spotlight.point_at(None)

    def _arrange(self) -> None:
        step = self.step
        self._looks = 0
        self._missing = [(name, self.locks.hide) for name in step.hide]
        self._missing += [(name, self.locks.lock) for name in step.lock]
        self._locked = [*step.hide, *step.lock]
        for name in self._locked:
            self._actions.lock(name, LOCKED)
        if step.point:
            self._missing.append((step.point, self._point))

    def _look(self) -> None:
        """Looks for what was not there yet, and at the check; the clock rests when there is nothing to wait for."""
        self._looks += 1
        self._missing = [(name, use) for name, use in self._missing if not self._use(name, use)]
        check = self.step.check
        if check and self._open and check.reached(self._value(self.step)) and not self._obstacle(self.step):
            self.reached.add(self.index)
            self.guide.progress.show_steps(len(self.lesson.steps), self.index, self.reached)
        self._update()
        if not self._open and not (self._missing and self._looks < MOST_LOOKS):
            self._clock.stop()

    @property
    def _open(self) -> bool:
        """True if the step has a check that is not reached yet."""
        return self.step.check is not None and self.index not in self.reached

    def _update(self) -> None:
        now = self._value(self.step) if self._open else None
        self.guide.show_check(check_text(self.step, now, self.index in self.reached), self._open)
        missing = [name for name, _ in self._missing] if self._looks > LOOKS_BEFORE_WORDS else []
        obstacle = self._obstacle(self.step) if self._open else ""
        self.guide.show_notes([*self._notes, *filter(None, [obstacle]), *(
            tr("Cannot find the control “{name}” in this window; the step continues without it.", name=name)
            for name in dict.fromkeys(missing))])

    def _point(self, widget: QWidget) -> None:
        """Points at a widget, and opens the pane that it is in."""
        at = widget
        while at is not self._place and (parent := at.parentWidget()):
            tabs = parent.parentWidget()
            within = tabs is not None and tabs.parentWidget() is not self._root.centralWidget()  # not the window's own
            if within and isinstance(tabs, QTabWidget) and tabs.indexOf(at) >= 0:
                tabs.setCurrentWidget(at)
            at = parent
        self.spotlight.point_at(widget)

    def _use(self, name: str, use: Callable[[QWidget], None]) -> bool:
        """Apply ``use`` to the widget of this name; return whether it exists. Prefers the page's own, visible ones."""
        for room in (self._place, self._root):
            found = [each for each in (room, *room.findChildren(QWidget)) if each.objectName() == name] if room else []
            if found:
                use(whole(next((each for each in found if each.isVisible()), found[0])))
                return True
        return False

    def _fit(self) -> None:
        """The card is as high as some lines of its text, and leaves most of the window to the page."""
        if self._dock:
            height = min(self.guide.sizeHint().height(), round(MOST_OF_WINDOW * self._root.height()))
            self._root.resizeDocks([self._dock], [height], Qt.Orientation.Vertical)


def _dock(guide: Guide) -> QDockWidget:
    """A strip of the window: what it takes it takes beside the page, and covers nothing."""
    made = named(QDockWidget(tr("Lesson")), "lesson_dock", tr("Lesson"))
    made.setFeatures(QDockWidget.DockWidgetFeature.NoDockWidgetFeatures)
    made.setAllowedAreas(Qt.DockWidgetArea.BottomDockWidgetArea)
    made.setTitleBarWidget(QWidget())
    made.setWidget(guide)
    return made
