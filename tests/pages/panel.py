"""The Model panel: sizes, weights, the device, and what they come to."""

from __future__ import annotations

from gptstudio.training.model_source import SavedModel
from pages.page import Inside, Named, Page


class ModelPanelPage(Page):
    """Beside the pages, but for Learn."""

    place = "panel"
    preset, weights_box, device_box = Named("preset"), Named("weights"), Named("device")
    config, device = Inside("config"), Inside("device")
    """The model, None where a field has a problem; and where it is to be trained."""
    editors, values = Inside("fields.editors"), Inside("fields.values")
    """The fields, and all that is typed, right or wrong."""
    sources, weights = Inside("weights_box.sources"), Inside("weights_box.source")
    """The weights that are offered, and those that are chosen."""
    select, show_devices, read_memory = Inside("select"), Inside("show_devices"), Inside("update_free_memory")

    def keep_memory(self) -> None:
        """What is free is read no more."""
        self.user.window._memory.stop()

    def level(self, bar: str) -> str:
        """How full the bar of memory to train or to generate is."""
        return getattr(self.widget, f"{bar}_bar").level

    def load_weights(self, source: SavedModel) -> None:
        """Puts a model into the panel, to be trained on."""
        self.user.window.train_with(source)
