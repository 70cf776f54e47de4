"""The Model panel: sizes, weights, the device, and the resulting figures."""

from __future__ import annotations

from collections.abc import Sequence

from gptstudio.app import training_tasks
from gptstudio.devices import Broken, Device
from gptstudio.training.model_source import SavedModel
from pages.page import Inside, InState, Named, Page


class ModelPanelPage(Page):
    """The panel next to every page except Learn."""

    place = "panel"
    preset, weights_box, device_box = Named("preset"), Named("weights"), Named("device")
    config, device = InState("config"), InState("device")
    """The model, None where a field has a problem; and the device to train it on."""
    editors, values = Inside("fields.editors"), Inside("fields.values")
    """The fields, and all values typed, valid or not."""
    sources, weights = Inside("weights_box.sources"), InState("weights")
    """The weights that are offered, and those that are chosen."""
    select = InState("select_model")

    def show_devices(self, found: list[Device], broken: Sequence[Broken] = ()) -> None:
        """Set the devices of the computer."""
        state = self.user.window.state
        state.devices, state.broken_devices = tuple(found), tuple(broken)
        state.device = next((each for each in found if each.kind == "cuda"), found[0])

    def listed_devices(self) -> list[str]:
        """Return the entries of the list of devices."""
        return [self.device_box.itemText(place) for place in range(self.device_box.count())]

    def read_memory(self) -> None:
        """Update the free memory."""
        training_tasks.update_free_memory(self.user.window.state)

    def keep_memory(self) -> None:
        """Stop updating the free memory."""
        self.user.window.training.computer.leave()

    def level(self, bar: str) -> str:
        """Return the level of the memory bar, "train" or "generate"."""
        return getattr(self.widget, f"{bar}_bar").level

    def load_weights(self, source: SavedModel) -> None:
        """Load a model into the panel, to be trained on."""
        self.user.window.library.train_with(source)
