"""Light and dark theme: one set of colours each, with one accent, following the system.

The two curve colours and the component colours are taken from Okabe and Ito's palette (2008), which people with any
common colour blindness can distinguish.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from gptstudio import paths


@dataclass(frozen=True)
class Colours:
    """Colours of the screen. Text on ``window`` and ``surface`` has a contrast of at least 4.5 to 1."""

    window: str
    surface: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    training: str
    validation: str
    good: str
    amber: str
    bad: str
    components: tuple[str, ...]
    curves: tuple[str, ...]
    """Colours of curves in one chart: those of Okabe and Ito without black and yellow, each of which vanishes on one of
    the two backgrounds; lighter on a dark one."""


LIGHT = Colours(
    window="#f4f5f7", surface="#ffffff", text="#1d2330", muted="#5b6475", line="#d9dde5",
    accent="#3157c8", on_accent="#ffffff", training="#0067a5", validation="#c05600",
    good="#1a7f4b", amber="#9a6200", bad="#c4302b",
    components=("#0072b2", "#56b4e9", "#e69f00", "#009e73", "#8a8f99", "#cc79a7"),
    curves=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"),
)
DARK = Colours(
    window="#16191f", surface="#1f242c", text="#e8ebf1", muted="#a0a9b8", line="#363d49",
    accent="#85a5ff", on_accent="#0f1420", training="#56b4e9", validation="#f0a04b",
    good="#5cc98f", amber="#e6b450", bad="#ff8078",
    components=("#3f9bd6", "#8fd0f5", "#e6b450", "#33b592", "#8a93a3", "#d995bd"),
    curves=("#3f9bd6", "#f08a3c", "#33b592", "#d995bd", "#e6b450", "#8fd0f5"),
)


SMALLEST_ZOOM, LARGEST_ZOOM = 0.5, 3.0
PROJECTED = 4.0
"""Minimum width of a curve in pixels in projector mode."""


DRESSED = "dressed"
"""Property of the widgets that have a style sheet themselves. It lives as long as the widget: if Qt has created the
widget, such as a menu bar, PySide may drop its Python object and create another."""


class Theme(QObject):
    """Current colours and text size. Widgets that paint themselves read them, and repaint when they change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.colours = LIGHT
        self.scheme = "system"
        self.zoom, self._points = 1.0, 9.0  # points: size of the system's text
        self.projecting, self._own_zoom = False, 1.0  # projector mode, and the text size outside it
        self.curve_colours: dict[str, str] = {}  # chosen by the user, as #rrggbb, by the colour of a curve's style

    def follow_system(self, app: QApplication) -> None:
        """Use the system's colours, now and after each change, for everything that is created from now on."""
        app.setStyle("Fusion")
        self._points = QFontInfo(app.font()).pointSizeF()
        hints = app.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        self.colours = _colours_of(hints.colorScheme())
        app.setPalette(_palette(self.colours))

    def dress(self, *parts: QWidget) -> None:
        """Set the style sheet on windows, or parts of one, once they are assembled. It also applies to widgets added
        later.

        With a style sheet, Qt restyles all descendants of a widget each time that it gets a new parent. An
        application's style sheet would apply from the start; a part's applies to a page only when the page is added to
        it, so that creating the page takes a third of the time.
        """
        for part in parts:
            part.setProperty(DRESSED, True)
            self.restyle(part)

    def dresses(self, widget: QWidget) -> bool:
        """Return whether a widget has the style sheet itself."""
        return bool(widget.property(DRESSED))

    def restyle(self, widget: QWidget) -> None:
        """Set the current style sheet on a widget that has one."""
        if self.dresses(widget) and widget.styleSheet() != (sheet := self._sheet()):
            widget.setStyleSheet(sheet)

    def choose(self, scheme: str) -> None:
        """Use the ``light`` or the ``dark`` colours from now on, or those of the ``system``."""
        self.scheme = scheme
        self.use(self._chosen())

    def _chosen(self) -> Colours:
        system = _colours_of(_application().styleHints().colorScheme())
        return {"light": LIGHT, "dark": DARK}.get(self.scheme, system)

    def project(self, on: bool, zoom: float = 1.0) -> None:
        """Enter or leave projector mode: dark colours, thick curves, and text at least ``zoom`` times its default size.
        Leaving it restores the colours and the text size that the user has chosen."""
        if on != self.projecting:
            self.projecting = on
            self.colours = DARK if on else self._chosen()
            zoom, self._own_zoom = (max(zoom, self.zoom), self.zoom) if on else (self._own_zoom, self._own_zoom)
            self._resize(zoom)
            self._apply()

    def curve_width(self, width: float) -> float:
        """Return the width in pixels of a curve whose width is ``width`` pixels at the default text size. In projector
        mode curves are thick, except for those of one pixel."""
        pixels = width * self.zoom
        return max(pixels, PROJECTED) if self.projecting and width > 1 else pixels

    def _follow(self, scheme: Qt.ColorScheme) -> None:
        if self.scheme == "system" and not self.projecting:
            self.use(_colours_of(scheme))

    def choose_curve_colours(self, colours: Mapping[str, str]) -> None:
        """Draw curves in other colours, as #rrggbb by their own colours; an empty mapping restores all."""
        self.curve_colours = dict(colours)
        self.changed.emit()

    def use(self, colours: Colours) -> None:
        if colours != self.colours:
            self.colours = colours
            self._apply()

    def enlarge(self, factor: float | None) -> None:
        """Scale all text by a factor; None restores the default size."""
        zoom = min(LARGEST_ZOOM, max(SMALLEST_ZOOM, self.zoom * factor)) if factor else 1.0
        if zoom != self.zoom:
            self._resize(zoom)
            self._apply()

    def _resize(self, zoom: float) -> None:
        self.zoom = zoom
        font = _application().font()
        font.setPointSizeF(self._points * zoom)
        _application().setFont(font)  # so that a widget measures its text correctly before it has a style sheet

    def _apply(self) -> None:
        _application().setPalette(_palette(self.colours))
        self.changed.emit()

    def _sheet(self) -> str:
        # A style sheet shields widgets from the application's font, so the size is in the sheet.
        return _sheet(self.colours, self._points * self.zoom, max(1.0, self.zoom))


theme = Theme()
"""Theme of the program, the source of all colours."""


def colour(name: str, alpha: float = 1.0) -> QColor:
    """Return a colour of the theme by the name of its field."""
    made = QColor(getattr(theme.colours, name))
    made.setAlphaF(alpha)
    return made


def _application() -> QApplication:
    return cast(QApplication, QApplication.instance())


def _colours_of(scheme: Qt.ColorScheme) -> Colours:
    return DARK if scheme == Qt.ColorScheme.Dark else LIGHT


def _palette(c: Colours) -> QPalette:
    role, palette = QPalette.ColorRole, QPalette()
    for roles, value in (
        ((role.Window,), c.window),
        ((role.Base, role.AlternateBase, role.Button, role.ToolTipBase), c.surface),
        ((role.Text, role.WindowText, role.ButtonText, role.ToolTipText), c.text),
        ((role.Highlight, role.Accent, role.Link), c.accent),
        ((role.HighlightedText,), c.on_accent),
        ((role.Mid, role.Midlight, role.Dark), c.line),
        ((role.PlaceholderText,), c.muted),
    ):
        for each in roles:
            palette.setColor(each, QColor(value))
    for each in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, QColor(c.muted))
    return palette


def _sheet(c: Colours, points: float, zoom: float) -> str:
    """Return the style sheet. ``points``: size of text; ``zoom``: factor of signs that grow with it."""
    icons = (paths.resources() / "icons").as_posix()
    box, arrow, step = (round(pixels * zoom) for pixels in (14, 12, 20))
    groove, handle = round(4 * zoom), 2 * round(7 * zoom)
    return f"""
    QWidget {{ font-size: {points:.1f}pt; }}
    QToolTip {{ color: {c.text}; background: {c.surface}; border: 1px solid {c.line}; padding: 4px; }}
    QFrame[card="true"] {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 8px; }}
    QFrame[overlay="true"] {{ background: {c.surface}; border: 1px solid {c.amber}; border-radius: 8px; }}
    QLabel[role="muted"], QCheckBox[role="muted"], QLineEdit[role="muted"] {{ color: {c.muted}; }}
    QLabel[role="problem"] {{ color: {c.bad}; }}
    QLabel[role="notice"] {{ color: {c.amber}; }}
    QLabel[role="good"] {{ color: {c.good}; }}
    QLabel[role="heading"] {{ font-weight: 600; }}
    QLabel[role="title"] {{ font-weight: 600; font-size: {1.35 * points:.1f}pt; }}
    QLabel[role="reading"] {{ font-size: {1.35 * points:.1f}pt; }}
    QLabel[role="figure"] {{ font-weight: 600; }}
    QLabel[role="counter"] {{ font-weight: 600; font-size: {1.7 * points:.1f}pt; }}
    QPushButton {{ padding: 5px 14px; border: 1px solid {c.line}; border-radius: 6px; background: {c.surface}; }}
    QPushButton:hover, QPushButton:focus {{ border-color: {c.accent}; }}
    QPushButton:pressed {{ background: {c.line}; }}
    QPushButton:disabled {{ color: {c.muted}; background: {c.window}; }}
    QPushButton[role="primary"] {{
        background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600; padding: 8px 26px;
    }}
    QPushButton#start {{ font-weight: 600; padding: 8px 26px; min-width: 5em; }}
    QPushButton[role="primary"]:focus {{ border-color: {c.text}; }}
    QPushButton[role="primary"]:disabled {{ background: {c.line}; color: {c.muted}; border-color: {c.line}; }}
    QPushButton[role="segment"] {{ border-radius: 0; padding: 5px 16px; color: {c.muted}; margin-left: -1px; }}
    QPushButton[role="segment"][first="true"] {{ margin-left: 0; }}
    QPushButton[role="segment"]:checked {{
        color: {c.accent}; border-bottom: 2px solid {c.accent}; padding-bottom: 4px;
    }}
    QPushButton[role="segment"]:disabled {{ border-style: dashed; }}
    QPushButton[role="quiet"] {{
        border-color: transparent; background: transparent; color: {c.accent}; padding: 2px 5px;
    }}
    QPushButton[role="quiet"]:disabled {{ color: {c.muted}; }}
    QPushButton[role="quiet"]:focus {{ border-color: {c.accent}; }}
    QPushButton[role="quiet"]:checked {{ background: {c.line}; color: {c.text}; }}
    QPushButton[role="door"] {{ padding: 0; text-align: left; }}
    QPushButton[role="icon"] {{ padding: 4px 6px; }}
    QTabBar#tabs {{ border-bottom: 1px solid {c.line}; }}
    QTabBar::tab {{ padding: 9px 22px; color: {c.muted}; border: none; border-bottom: 2px solid transparent; }}
    #run_pane QTabBar::tab, #write_panes QTabBar::tab {{ padding: 9px 12px; }}
    QTabBar::tab:selected {{ color: {c.text}; border-bottom: 2px solid {c.accent}; font-weight: 600; }}
    QTabBar::tab:focus {{ color: {c.accent}; }}
    QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit {{
        background: {c.surface}; border: 1px solid {c.line}; border-radius: 5px; padding: 3px 6px;
        selection-background-color: {c.accent}; selection-color: {c.on_accent};
    }}
    QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus {{ border-color: {c.accent}; }}
    QAbstractSpinBox[wrong="true"], QLineEdit[wrong="true"] {{ border-color: {c.bad}; }}
    QPushButton[locked], QPushButton[role="primary"][locked], QCheckBox[locked], QLineEdit[locked],
    QAbstractSpinBox[locked], QComboBox[locked], QPlainTextEdit[locked] {{
        color: {c.muted}; background: {c.window}; border-style: dashed; border-color: {c.line};
    }}
    QComboBox::drop-down {{ border: none; width: {11 + round(11 * zoom)}px; }}
    QComboBox::down-arrow, QAbstractSpinBox::down-arrow, QAbstractSpinBox::up-arrow {{
        image: url("{icons}/down.svg"); width: {arrow}px; height: {arrow}px;
    }}
    QAbstractSpinBox::up-arrow {{ image: url("{icons}/up.svg"); }}
    QAbstractSpinBox {{ padding-right: {step}px; }}
    QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
        subcontrol-origin: border; width: {step}px; border: none; background: transparent;
    }}
    QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
    QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
    QCheckBox::indicator, QTableView::indicator {{
        width: {box}px; height: {box}px; border: 1px solid {c.muted}; border-radius: 4px; background: {c.surface};
    }}
    QCheckBox::indicator:checked, QTableView::indicator:checked {{
        background: {c.accent}; border-color: {c.accent}; image: url("{icons}/check.svg");
    }}
    QCheckBox::indicator:focus, QCheckBox::indicator:hover {{ border-color: {c.accent}; }}
    QCheckBox::indicator:checked:focus {{ border-color: {c.text}; }}
    QRadioButton::indicator {{
        width: {box}px; height: {box}px; border: 1px solid {c.muted}; border-radius: {box // 2 + 1}px;
        background: {c.surface};
    }}
    QRadioButton::indicator:checked {{
        background: qradialgradient(
            cx: 0.5, cy: 0.5, radius: 0.5, fx: 0.5, fy: 0.5, stop: 0.55 {c.accent}, stop: 0.65 {c.surface});
    }}
    QRadioButton::indicator:focus, QRadioButton::indicator:hover {{ border-color: {c.accent}; }}
    QTreeView, QListWidget {{ background: {c.surface}; border: 1px solid {c.line}; border-radius: 5px; }}
    QTreeView::item {{ padding: 2px 0; }}
    QListWidget::item {{ padding: 4px; }}
    QTreeView#lab_list {{ padding: 4px 2px; outline: none; show-decoration-selected: 1; }}
    QTreeView#lab_list::item {{ padding: 0 4px; }}
    QTreeView#lab_list::item:hover:!selected {{ background: {c.window}; }}
    QTableView {{
        background: {c.surface}; outline: none;
        selection-background-color: {c.line}; selection-color: {c.text};
    }}
    QTableView, QTextEdit, QScrollArea[reached="true"] {{ border: 1px solid transparent; border-radius: 5px; }}
    QTextEdit#samples {{ background: {c.surface}; border-color: {c.line}; padding: 3px 6px; }}
    QTextEdit#writes_now {{ background: transparent; }}
    QTableView:focus, QTextEdit:focus, QTextEdit#samples:focus, QTreeView#lab_list:focus,
    QScrollArea[reached="true"]:focus {{ border-color: {c.accent}; }}
    QTableView[fixed="true"] {{ border: none; border-right: 1px solid {c.line}; border-radius: 0; }}
    QTableView::item {{ padding: 0 6px; border: none; }}
    QHeaderView, QHeaderView::section {{ background: transparent; color: {c.muted}; border: none; }}
    QHeaderView::section {{ border-bottom: 1px solid {c.line}; padding: 4px 7px; }}
    QSlider {{ min-height: {step}px; }}
    QSlider::groove:horizontal {{ height: {groove}px; border-radius: 2px; background: {c.line}; }}
    QSlider::sub-page:horizontal {{ height: {groove}px; border-radius: 2px; background: {c.accent}; }}
    QSlider::handle:horizontal {{
        width: {handle}px; height: {handle}px; border-radius: {handle // 2 + 2}px;
        margin: {(groove - handle) // 2 - 2}px 0;
        background: {c.surface}; border: 2px solid {c.accent};
    }}
    QSlider[role="muted"]::sub-page:horizontal {{ background: {c.line}; }}
    QSlider[role="muted"]::handle:horizontal {{ border-color: {c.muted}; }}
    QSlider::handle:horizontal:focus, QSlider::handle:horizontal:hover {{ background: {c.accent}; }}
    QScrollBar:vertical {{ width: 10px; background: transparent; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {c.line}; border-radius: 5px; min-height: 24px; }}
    QScrollBar::handle:vertical:hover {{ background: {c.muted}; }}
    QScrollBar:horizontal {{ height: 10px; background: transparent; margin: 0; }}
    QScrollBar::handle:horizontal {{ background: {c.line}; border-radius: 5px; min-width: 24px; }}
    QScrollBar::handle:horizontal:hover {{ background: {c.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QAbstractScrollArea::corner {{ background: transparent; border: none; }}
    QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
    QTabWidget::right-corner {{ bottom: 7px; }}
    QSplitter::handle {{ background: transparent; width: 10px; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: transparent; border: none; }}
    QProgressBar {{ border: none; background: {c.line}; border-radius: 3px; max-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    """
