"""Self-test of the program, off screen: everything that an installation needs to work, stage by stage.

Missing pieces of an installation show only in use: modules that are imported late, files that are read late, libraries
that are loaded by name. So each stage does what a user would, and the first failure ends the test.
"""

from __future__ import annotations

import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from gptstudio.gui.tour import Guide
from gptstudio.gui.window_driver import home_for_now

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

STEPS, TOKENS = 30, 20
REPORT, PICTURE = "selftest.txt", "selftest.png"
LATE = (
    "chardet", "filelock", "huggingface_hub.errors", "platformdirs", "psutil", "regex", "segno",
    "tomli_w", "tiktoken", "tokenizers", "torch._dynamo", "rich.progress", "cyclopts", "ssl", "urllib.request",
)
"""Modules that the program imports only when needed, besides its own."""
COMMANDS = ("--help", "size", "runs", "lab --list", "lab attention", "generate --max-new-tokens 2")
Stage = Callable[[], object]
Program = Callable[[list[str]], int]
AMISS = "Could not parse stylesheet"
"""Message of an error that Qt only logs."""


def run(program: Program, directory: Path | None = None) -> int:
    """Test everything that an installation needs, print a line for each stage, and return 0 if all succeed, else 1.

    Args:
        program: runs a command line, and returns its exit code.
        directory: folder for selftest.png and selftest.txt; a new temporary folder if not given.
    """
    directory = directory or Path(mkdtemp(prefix="gptstudio-selftest-"))
    directory.mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with (directory / REPORT).open("w", encoding="utf-8") as report, ExitStack() as at_last:
        said = StageReporter(report)
        return 0 if all(said.stage(name, stage) for name, stage in stages(program, directory, at_last)) else 1


class StageReporter:
    """Reporter of the stages, on the screen and in a file: an app without a console has only the file."""

    def __init__(self, file: Any):
        self._file = file

    def stage(self, name: str, stage: Stage) -> bool:
        """Run a stage; return whether it succeeded. Errors in callbacks of Qt and on threads count as failures."""
        began, faults, before = time.monotonic(), list[str](), sys.excepthook
        sys.excepthook = lambda *fault: faults.extend(traceback.format_exception(*fault))
        try:
            found = stage()
        except BaseException:  # noqa: BLE001  (whatever a stage ends with is reported)
            faults.append(traceback.format_exc())
        finally:
            sys.excepthook = before
        if faults:
            self._say(sys.stderr, f"FAILED {name}\n{''.join(faults)}")
            return False
        self._say(sys.stdout, f"{name:<34} {time.monotonic() - began:6.1f} s   {found or ''}".rstrip())
        return True

    def _say(self, stream: Any, words: str) -> None:
        print(words, file=self._file, flush=True)
        if stream:
            print(words, file=stream, flush=True)


def stages(program: Program, directory: Path, at_last: ExitStack) -> Iterator[tuple[str, Stage]]:
    """Yield the stages by name, in their order. ``at_last`` closes what they open."""
    yield "all modules can be imported", every_module
    home = at_last.enter_context(home_for_now())
    probe = WindowTest(directory)
    yield "the window opens", lambda: probe.open(at_last)
    yield f"training ({STEPS} steps)", probe.learn_a_little
    yield "the model was saved", probe.find_saved
    yield f"generating ({TOKENS} tokens)", probe.write
    yield "screenshot of the window", probe.photograph
    yield "export and import of weights", lambda: probe.exchange(home)
    yield "both languages", probe.languages
    yield "the lessons", lessons
    yield "the manual", probe.manual
    yield "the experiments and their formulas", probe.experiments
    yield "the command line", lambda: commands(program)


def every_module() -> str:
    """Import all modules of this package, and those that it imports late."""
    import gptstudio

    ours = [module.name for module in walk_packages(gptstudio.__path__, "gptstudio.") if "__main__" not in module.name]
    for name in (*ours, *LATE):
        import_module(name)
    return f"{len(ours)} modules of GPT Studio"


def lessons() -> str:
    """Load each lesson in each language, with the labs that compute its numbers."""
    from gptstudio.i18n import LANGUAGES
    from gptstudio.labs.lesson import load, shipped

    read = [load(path) for language in LANGUAGES for path in shipped(language)]
    if len(read) < len(LANGUAGES):
        raise RuntimeError("no lessons were found")
    return f"lessons read: {len(read)}"


def commands(program: Program) -> str:
    """Run some commands of the command line, as if typed."""
    for words in COMMANDS:
        with redirect_stdout(StringIO()) as output:
            code = program(words.split())
        if code != 0:
            raise RuntimeError(f"gptstudio {words} exited with code {code}")
        if not output.getvalue().strip():
            raise RuntimeError(f"gptstudio {words} printed nothing")
    return f"{len(COMMANDS)} commands"


class WindowTest(Guide):
    """Test of the window, which does what the tour does, and checks the results."""

    def __init__(self, directory: Path):
        self._directory = directory
        self._events: list[Any] = []
        self._muttered: list[str] = []

    def open(self, at_last: ExitStack) -> str:
        """Open the window with everything that loads later, torch above all; return the name of Qt's platform."""
        from PySide6.QtCore import qInstallMessageHandler

        from gptstudio.gui.app import make_app
        from gptstudio.gui.window import MainWindow

        at_last.callback(qInstallMessageHandler, qInstallMessageHandler(lambda *said: self._muttered.append(said[-1])))
        self._app = make_app()
        self._window = MainWindow()
        at_last.callback(self._window.leave)
        self._window.tasks.delivered.connect(lambda _, items: self._events.extend(items))
        self._window.tasks.failed.connect(lambda _, error: self._events.append(error))
        self._window.show()
        self._window.wake()
        self._wait(lambda: not self._window.tasks.busy() and self._window.state.text_check is not None)
        return self._app.platformName()

    def learn_a_little(self) -> str:
        """Train a small model, on The Verdict if it is present, otherwise on the story."""
        from gptstudio.gpt.config import GPTConfig
        from gptstudio.training.events import StepDone

        state, train = self._window.state, self._window.train
        state.select_model(GPTConfig(context_length=64, emb_dim=64, n_heads=4, n_layers=2))
        self._ready(STEPS)
        train.start.click()
        self._wait(lambda: not state.running)
        losses = [event.loss for event in self._events if isinstance(event, StepDone)]
        if state.spec is None or len(losses) != STEPS:
            raise RuntimeError(f"{len(losses)} steps were completed")
        if not losses[-1] < losses[0]:
            raise RuntimeError(f"the loss did not fall: it went from {losses[0]} to {losses[-1]}")
        return f"loss {losses[0]:.2f} to {losses[-1]:.2f}, {state.spec.text}"

    def find_saved(self) -> str:
        """Check that Generate has selected the checkpoint."""
        from gptstudio.training.model_source import newest_of_each_run

        (saved,) = newest_of_each_run()
        chosen = self._window.state.model
        if chosen != saved:
            raise RuntimeError(f"{chosen} was selected instead of {saved}")
        return saved.name

    def write(self) -> str:
        generate = self._window.generate
        self._window.state.show_page("generate")
        generate.settings.editors["max_new_tokens"].set_value(TOKENS)
        self._write()
        written = len(generate.document.ids) - generate.document.given
        if written != TOKENS:
            raise RuntimeError(f"{written} tokens were generated")
        return repr(generate.text())

    def photograph(self) -> str:
        """Save a picture of the window, and check that it was painted: an unpainted one has a single colour."""
        self._app.processEvents()  # update the layouts after the last changes
        path, image = self._directory / PICTURE, self._window.grab().toImage()
        if not image.save(str(path)):
            raise RuntimeError(f"could not save {path}")
        colours = {image.pixel(x, y) for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
        if len(colours) <= 20:
            raise RuntimeError("the window was not painted")
        return str(path)

    def exchange(self, home: Path) -> None:
        self.export(home)
        self.import_weights(home)

    def languages(self) -> str:
        """Check the translations of the program's own texts, and of Qt's on the buttons of its questions."""
        from PySide6.QtCore import QCoreApplication

        from gptstudio.gui.language import language
        from gptstudio.gui.translation import tr
        from gptstudio.i18n import ENGLISH, LANGUAGES

        said = {}
        for code in (*LANGUAGES, ENGLISH):
            language.load(code)
            said[code] = tr("Train"), QCoreApplication.translate("QPlatformTheme", "Cancel")
        for words in zip(*said.values(), strict=True):
            if len(set(words)) != len(LANGUAGES):
                raise RuntimeError(f"not translated: {words}")
        return ", ".join(ours for ours, _ in said.values())

    def manual(self) -> str:
        """Load each page of the manual in each language, with its pictures."""
        from PySide6.QtGui import QTextDocument

        from gptstudio.app import manual
        from gptstudio.gui.help.help_window import PageView
        from gptstudio.i18n import LANGUAGES

        pages = [manual.markdown(name, code) for code in LANGUAGES for name in manual.PAGES]
        view = PageView()
        pictures = {name for page in pages for name in re.findall(r"\((\.\./pictures/[^)]+)\)", page)}
        kind = QTextDocument.ResourceType.ImageResource.value
        if not pictures or any(view.loadResource(kind, name).isNull() for name in pictures):
            raise RuntimeError("pictures of the manual are missing")
        return f"{len(pages)} pages, {len(pictures)} pictures"

    def experiments(self) -> str:
        """Show the page of each experiment with its first answer, and check that formulas are drawn."""
        from gptstudio.gui.learn.kit.formula import Formula
        from gptstudio.labs.catalogue import ENTRIES

        learn = self._window.learn
        self._window.state.show_page("learn")
        for name in ENTRIES:
            self._open_lab(name)
        formulas = learn.findChildren(Formula)
        if not formulas or any(formula.sizeHint().height() <= 0 for formula in formulas):
            raise RuntimeError("no formula was drawn, or one has no height")
        return f"{len(ENTRIES)} experiments, {len(formulas)} formulas"

    def _wait(self, ready: Callable[[], bool]) -> None:
        """Process events, then raise the errors that threads only report to the window, or that Qt only logs."""
        from gptstudio.app.tasks import TaskError
        from gptstudio.training.events import Ended

        super()._wait(ready)
        for message in self._events:
            if isinstance(message, TaskError) or (isinstance(message, Ended) and message.outcome == "failed"):
                raise RuntimeError(getattr(message, "details", "") or str(message))
        for words in self._muttered:
            if AMISS in words:
                raise RuntimeError(words)

    def _take(self, name: str, dialog: QWidget | None = None) -> None:
        """Take no picture: one is enough."""
