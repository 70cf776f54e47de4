"""What a lab gives: its code, run as a user would run it, and its answer as JSON."""

import contextlib
import io
import json
from typing import Any

from gptstudio.labs.lab import Lab, plain
from gptstudio.torch_settings import RandomStream


def ran(lab: Lab, lab_request: Any, seed: int = 0) -> dict[str, Any]:
    """Run the code of a request with a random stream of its own, and return its names; ``printed`` is its output."""
    names: dict[str, Any] = {}
    with RandomStream(seed).active(), contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(lab.code(lab_request), names)
    return names | {"printed": printed.getvalue()}


def as_json(found: Any) -> Any:
    """Return a request or an answer, written as JSON and read again."""
    return json.loads(json.dumps(plain(found), allow_nan=False))
