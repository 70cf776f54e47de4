"""The pages that are not seen first: each is made and connected to the window when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gptstudio.gui.jobs import with_end

if TYPE_CHECKING:
    from gptstudio.gui.generate.generate_tab import GenerateTab
    from gptstudio.gui.learn.learn_tab import LearnTab
    from gptstudio.gui.runs.runs_tab import RunsTab
    from gptstudio.gui.texts.texts_tab import TextsTab
    from gptstudio.gui.window import MainWindow


def generate(window: MainWindow) -> GenerateTab:
    from gptstudio.gui.generate.generate_tab import GenerateTab

    page = GenerateTab()
    window.panel.config_changed.connect(page.set_fresh)
    window.panel.device_changed.connect(lambda device: page.set_device(device.key))
    page.requested.connect(window.submit_request)
    page.stop_requested.connect(lambda: window.stop_decoding())
    page.params_changed.connect(window.set_sampling_params)
    page.set_device(window.panel.device.key)
    page.set_fresh(window.panel.config)
    page.set_sources([])
    return page


def runs(window: MainWindow) -> RunsTab:
    from gptstudio.gui.runs.runs_tab import RunsTab

    page = RunsTab()
    page.requested.connect(window.background.submit)
    for worker in (window.background, window.fetcher):
        worker.arrived.connect(page.apply)
    window.trainer.arrived.connect(lambda came: page.take_training(with_end(came)))
    page.operations.transfer_requested.connect(window.fetcher.submit)
    page.open_requested.connect(window.open_run)
    page.operations.resume_requested.connect(window.go_on_with)
    page.operations.again_requested.connect(window.run_again)
    page.talk_requested.connect(window.talk_to)
    page.train_requested.connect(lambda: window.go_to(window.train, window.train.start))
    page.runs_changed.connect(lambda: window.offer_models())
    if window.train.running and window.train.view.started:
        page.take_training([window.train.view.started])
    return page


def texts(window: MainWindow) -> TextsTab:
    from gptstudio.gui.answers_texts import measure_texts
    from gptstudio.gui.texts.texts_tab import TextsTab

    page = TextsTab()
    window.train.spec_changed.connect(page.set_spec)
    page.check_requested.connect(lambda request: window.reader.submit(measure_texts(request)))
    page.chosen.connect(window.train_on)
    window.reader.arrived.connect(page.apply)
    page.set_spec(window.train.spec)
    page.offer(window.settings_locks.texts)
    return page


def learn(window: MainWindow) -> LearnTab:
    return window.learning_controller.tab
