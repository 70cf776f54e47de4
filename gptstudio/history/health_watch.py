"""Watch over the health of a run while its events come: what becomes a problem is said once. No torch."""

from __future__ import annotations

from gptstudio.history.health_history import HealthHistory, Quantity
from gptstudio.history.health_readings import HealthReading, reading
from gptstudio.training.events import ActivationsRead, Event, RunStarted, UpdatesRead

UPDATES: tuple[Quantity, ...] = ("update_ratio", "gradient_norm", "weight_norm")
ACTIVATIONS: tuple[Quantity, ...] = ("dead_units", "attention_entropy", "logits")


class HealthWatch:
    """Detector of unhealthy readings."""

    def __init__(self) -> None:
        self._health = HealthHistory()
        self._bad: set[Quantity] = set()

    def update(self, event: Event) -> list[HealthReading]:
        """Take the next event of the run; return the readings that have become a problem with it."""
        match event:
            case RunStarted():
                self._health.truncate_from(event.first_step)
                self._bad.clear()
            case UpdatesRead() | ActivationsRead():
                self._health.add(event, 0.0)
                return self._news(UPDATES if isinstance(event, UpdatesRead) else ACTIVATIONS)
        return []

    def _news(self, quantities: tuple[Quantity, ...]) -> list[HealthReading]:
        found = [made for name in quantities if (made := reading(self._health, name)) and made.level == "bad"]
        news = [made for made in found if made.quantity not in self._bad]
        self._bad = (self._bad - set(quantities)) | {made.quantity for made in found}
        return news
