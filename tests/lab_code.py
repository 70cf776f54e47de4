"""The code that the page of a lab shows, run as a user would run it."""

import contextlib
import io
from typing import Any

from gptstudio.labs.lab import Lab
from gptstudio.torch_settings import RandomStream


def ran(lab: Lab, lab_request: Any, seed: int = 0) -> dict[str, Any]:
    """Run the code of a request with a random stream of its own, and return its names; ``printed`` is its output."""
    names: dict[str, Any] = {}
    with RandomStream(seed).active(), contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(lab.code(lab_request), names)
    return names | {"printed": printed.getvalue()}
