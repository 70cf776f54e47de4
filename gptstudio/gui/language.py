"""Language of the window, which is chosen in a menu and takes effect at the next start."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication

from gptstudio import paths, settings
from gptstudio.errors import UserError
from gptstudio.gui.translation import CONTEXT
from gptstudio.i18n import CHINESE, ENGLISH, LANGUAGES, message

VARIABLE = "GPTSTUDIO_LANG"
"""Environment variable that overrides every choice of the language."""

SIMPLIFIED = ("Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC")
"""Fonts of Windows, macOS and Linux. Without them, a computer that is not Chinese uses Japanese glyph shapes."""

NO_FONT = (
    "To display Chinese, GPT Studio needs a font with Chinese characters, such as Noto Sans CJK. This computer has "
    "none. Install one, then restart GPT Studio.\n\n"
    "要显示中文，需要安装含有汉字的字体，例如 Noto Sans CJK；这台电脑上没有。请安装后重新启动 GPT Studio。"
)
"""Message in both languages, independent of the language in use."""


CHOICES = ("language_menu", "view_menu")
"""Controls that set the language."""


class Language(QObject):
    """Language of this start, and the one chosen for the next."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.code = self.next = ENGLISH
        self._translators: list[QTranslator] = []

    def begin(self) -> None:
        """Load the language of this start: of the environment variable, the user's choice, the computer's settings, or
        the system.

        The user's choice is ignored if the settings lock it.
        """
        usual = QGuiApplication.font()
        QFont.insertSubstitutions(usual.family(), [QFontInfo(usual).family(), *SIMPLIFIED])
        code = os.environ.get(VARIABLE) or _chosen_or_set() or _of_system()
        self.load(code if code in LANGUAGES else ENGLISH)

    def load(self, code: str) -> None:
        """Use a language for everything that is created from now on."""
        app = QCoreApplication.instance()
        if app is None:
            raise RuntimeError("words are translated by the application")
        translators = _translators(code)
        for old in self._translators:
            app.removeTranslator(old)
        for new in translators:
            app.installTranslator(new)
        self._translators, self.code, self.next = translators, code, code

    def choose(self, code: str) -> None:
        """Save a language for the next start.

        Raises:
            UserError: the computer has no font for it, the translation file of the program is missing, or the choice
                could not be written.
        """
        if code == CHINESE and not has_chinese_font():
            raise UserError(NO_FONT)
        _translators(code)
        _keep(code)
        self.next = code
        self.chosen.emit()


language = Language()
"""Language of the program."""


def has_chinese_font() -> bool:
    return bool(QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese))


def said_in(code: str, sentence: str, **values: object) -> str:
    ours = _translators(code)[1:]
    return str(ours[0].translate(CONTEXT, sentence) if ours else sentence).format(**values)


def _translators(code: str) -> list[QTranslator]:
    """Return the translators of Qt's own texts, for the buttons of its questions, and of ours; none for English."""
    if code == ENGLISH:
        return []
    qt, ours = QTranslator(), QTranslator()
    qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    file = paths.resources() / "translations" / f"gptstudio_{code}.qm"
    if not ours.load(str(file)):
        raise UserError(message("Could not read the translation file {file}. Reinstall GPT Studio.", file=file))
    return [qt, ours]


def _of_system() -> str:
    chinese = QLocale.system().language() == QLocale.Language.Chinese
    return CHINESE if chinese and has_chinese_font() else ENGLISH


def _chosen_or_set() -> str:
    """Return the user's choice, otherwise the instructor's; only the instructor's if it cannot be changed."""
    computer = settings.in_force()
    set_for_all = computer.language if computer.language != CHINESE or has_chinese_font() else ""
    return set_for_all if set_for_all and computer.restricts(*CHOICES) else _chosen() or set_for_all


def _chosen() -> str:
    try:
        return paths.language().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _keep(code: str) -> None:
    file = paths.language()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{code}\n", encoding="utf-8")
    except OSError as error:
        raise UserError(message(
            "The language could not be kept for the next start: {file} could not be written ({error}).", file=file,
            error=error.strerror or error)) from error
