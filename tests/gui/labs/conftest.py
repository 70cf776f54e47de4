"""A lab's page without the window around it, with a worker that answers what takes long."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

from gptstudio.gui.lab_task import LabTask
from gptstudio.gui.learn.kit.page import LabPage
from gptstudio.gui.theme import theme
from gptstudio.gui.worker import Failed, Post, Worker
from gptstudio.labs.catalogue import load

PATIENCE_MS = 60_000


@pytest.fixture
def open_page(application, qtbot) -> Iterator[Callable[..., Any]]:
    """Opens the page of a lab, 1100 by 700 pixels large unless told otherwise, and waits for its first answer."""
    worker, opened, failed = Worker("learner"), [], []

    def find(study: LabTask) -> Callable[[Post], None]:
        def work(post: Post) -> None:
            model = None
            if study.source:
                from gptstudio import devices
                from gptstudio.training.model_source import load as load_model

                model = load_model(study.source, devices.choose("cpu"), "reference")
            post(study.find(model))

        return work

    def arrived(messages: list[Any]) -> None:
        failed.extend(each for each in messages if isinstance(each, Failed))
        for message in messages:
            for page in opened:
                page.take(message)

    worker.arrived.connect(arrived)

    def make(name: str, width: int = 1100, height: int = 700, wait: bool = True) -> LabPage:
        page = import_module(f"gptstudio.gui.learn.{name}").Page(load(name))
        opened.append(page)
        page.requested.connect(lambda study: worker.submit(find(study)))
        page.resize(width, height)
        theme.dress(page)
        page.show()
        page.begin()
        if wait:
            qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)
        return page

    yield make
    worker.finish()
    for page in opened:
        page.close()
        page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert failed == []


@pytest.fixture
def turned(page, qtbot) -> Callable[..., None]:
    """Turns the question of the module's ``page``, and waits for the answer."""

    def turn(**changes: Any) -> None:
        page.turn(**changes)
        qtbot.waitUntil(lambda: not page.waiting, timeout=PATIENCE_MS)

    return turn
