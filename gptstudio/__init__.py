"""GPT Studio: build a GPT-2, train it, and watch it choose every token.

The packages and their import directions (enforced by import-linter in ``pyproject.toml``)::

    gui | cli | api -> labs -> history | weights_io | inference -> training -> data -> gpt

``gpt`` is the mathematics, ``training`` reports long work as events, ``cli`` prints these events, ``gui`` displays
them, and ``api`` passes them to Python. Only ``gui`` imports Qt.

In Python, ``import gptstudio as gs`` has the names of ``__all__``. Each is imported on first use (PEP 562), so that the
import itself takes no time; type checkers and editors read ``__init__.pyi``.
"""

import importlib

__version__ = "0.1.0"

_MODULES = {
    "gptstudio.api": ("TrainingError", "generate", "inspect", "load", "score", "train"),
    "gptstudio.errors": ("UserError",),
    "gptstudio.fields": ("SpecError",),
    "gptstudio.gpt.config": ("PRESETS", "GPTConfig"),
    "gptstudio.gpt.decoder": ("Decoder",),
    "gptstudio.gpt.sampling.params": ("SamplingParams",),
    "gptstudio.gpt.tokenizer": ("decode", "encode"),
    "gptstudio.inference.next_token": ("Inspection", "NextToken"),
    "gptstudio.inference.score_stats": ("TextScore",),
    "gptstudio.inference.spec": ("GenerateSpec",),
    "gptstudio.training.control": ("Control",),
    "gptstudio.training.events": (
        "Ended", "Evaluated", "Event", "SampleWritten", "StepDone", "TokenDrawn", "TokenRead"),
    "gptstudio.training.spec": ("TrainSpec",),
    "gptstudio.training.trained_run": ("TrainedRun",),
}
"""Names of the Python interface, by the module that defines them. Modules are imported by name, so that importing this
package does not import them."""
_PLACES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = ["__version__", *_PLACES]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(importlib.import_module(_PLACES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
