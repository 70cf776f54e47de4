"""Write resources/controls.toml: the name of every control of the window that settings can lock or hide; and
resources/widgets.json: the name of everything that a lesson can point at, with the widget that contains it.

    python packaging/controls.py

Opens the real window off screen with its own home folder, makes all its pages and dialogs, and lists the controls. A
test compares the files with the window. Dialogs that import or export a file are locked by the control that opens them.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QFrame, QMenu, QScrollArea, QTabWidget, QWidget

from gptstudio.labs.lesson import MADE_LATER

if TYPE_CHECKING:
    from gptstudio.gui.window import MainWindow

HEAD = """# What settings can lock and hide: the name of each control, and what it is called in the window.
# Written by packaging/controls.py; a test compares it with the window.
"""
HEADINGS = {
    "model_dock": "Model panel", "train_scroll": "Train", "generate_scroll": "Generate", "runs_scroll": "Runs",
    "texts_scroll": "Texts", "learn_scroll": "Learn",
}
PAGES = {"train_tab": "Train", "generate_tab": "Generate", "runs_tab": "Runs", "texts_tab": "Texts",
         "learn_tab": "Learn"}

Controls = dict[str, dict[str, str]]
Widgets = dict[str, dict[str, list[str]]]


def of_window(window: MainWindow) -> Controls:
    """Return all controls of a window by heading, after making all its pages."""
    from gptstudio.app.state import PAGES as PAGE_NAMES
    from gptstudio.gui.widgets.deferred import make_inside
    from gptstudio.labs.catalogue import ENTRIES

    for name in PAGE_NAMES:
        window.state.show_page(name)
    for name in ENTRIES:
        window.learn.page(name)
    for curve in window.runs.compare.curve_actions.values():  # a chart is made when it is first shown
        curve.setChecked(True)
    make_inside(window)
    menus = window.menus.by_name.values()
    found: Controls = {"Pages": PAGES, "Menus": dict(_of_menus(menus))}
    for room, heading in HEADINGS.items():
        part = window.findChild(QWidget, room)
        if part is None:
            raise RuntimeError(f"{room} is not in the window")
        whole = {room: heading} if room == "model_dock" else {}
        found[heading] = whole | dict(sorted(_of_actions(part)) + sorted(_of_widgets(part)))
    return found


def _of_menus(menus: Iterable[QMenu]) -> Iterator[tuple[str, str]]:
    for menu in menus:
        yield menu.objectName(), f"the whole menu {menu.title().replace('&', '')}"
        yield from ((_short(action), _words(action.text())) for action in menu.actions() if action.objectName())


def _of_actions(part: QWidget) -> Iterator[tuple[str, str]]:
    """Yield the names of actions that buttons and menus inside a page share."""
    for action in part.findChildren(QAction):
        if action.objectName().endswith("_action"):
            yield _short(action), _words(action.text())


def _of_widgets(part: QWidget) -> Iterator[tuple[str, str]]:
    for widget in part.findChildren(QWidget):
        name = widget.objectName()
        if _is_named(widget) and _is_control(widget):
            yield name, _words(widget.accessibleName()) or _of_card(name)


def widgets_of(window: MainWindow) -> Widgets:
    """Return the names of all widgets and commands of a window whose pages have been made (:func:`of_window`), each
    with the names of the widgets or menus that directly contain it; there are several if the same name occurs more than
    once."""
    from gptstudio.labs.attention import Stage

    widgets, commands = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for stage in get_args(Stage):  # the page makes the matrices of a stage when it is first shown
        window.learn.page("attention").use({"stage": stage})
    for widget in window.findChildren(QWidget):
        if _is_named(widget) and not isinstance(widget, QMenu):
            around = widget.parentWidget()
            while around and not _is_named(around):
                around = around.parentWidget()
            widgets[widget.objectName()] |= {around.objectName()} if around else set()
    for menu in window.menus.by_name.values():
        for action in menu.actions():
            inside = action.menu()
            if name := inside.objectName() if isinstance(inside, QMenu) else _short(action):
                commands[name].add(menu.objectName())
    return {kind: {name: sorted(found[name]) for name in sorted(found)}
            for kind, found in (("widgets", widgets), ("commands", commands))}


def _is_named(widget: QWidget) -> bool:
    name = widget.objectName()
    return bool(name) and not name.startswith(("qt_", "Scroll")) and not MADE_LATER.match(name)


def _is_control(widget: QWidget) -> bool:
    """Return whether a widget is operated by the user, or is a card with controls."""
    if isinstance(widget, (QScrollArea, QMenu)):
        return False
    card = isinstance(widget, QFrame) and bool(widget.property("card"))
    by_hand = isinstance(widget, (QAbstractButton, QTabWidget)) or bool(widget.focusPolicy())
    return card or (by_hand and bool(widget.accessibleName()))


def _of_card(name: str) -> str:
    return f"all of this card: {name.removesuffix('_card').replace('_', ' ')}"


def _short(action: QAction) -> str:
    return action.objectName().removesuffix("_action")


def _words(text: str) -> str:
    """Return a label without its shortcut, which follows a tab, and without numbers, which change."""
    return re.sub(r", \d.*", "", text.split("\t")[0]).replace("&", "")


def as_toml(controls: Controls) -> str:
    parts = [HEAD]
    for heading, names in controls.items():
        parts.append(f'\n["{heading}"]\n')
        parts += [f'{name} = "{_escaped(words)}"\n' for name, words in names.items()]
    return "".join(parts)


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def main() -> None:
    os.environ |= {"QT_QPA_PLATFORM": "offscreen", "GPTSTUDIO_LANG": "en", "GPTSTUDIO_SETTINGS": ""}
    from places import ROOT

    from gptstudio.gui.app import make_app
    from gptstudio.gui.window import MainWindow

    with TemporaryDirectory() as home:
        os.environ["GPTSTUDIO_HOME"] = home
        app = make_app()
        window = MainWindow()
        window.show()
        window.wake()
        while window.tasks.busy("pool"):
            app.processEvents()
        found, widgets = of_window(window), widgets_of(window)
        window.leave()
    Path(ROOT / "resources" / "controls.toml").write_text(as_toml(found), encoding="utf-8")
    Path(ROOT / "resources" / "widgets.json").write_text(json.dumps(widgets, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
