"""Values of a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gptstudio.fields import Spec, fields_of

Values = Mapping[str, Any]
"""Values of a form by field, as they were typed, right or wrong. Never changed in place."""


def form_values(spec: Spec) -> Values:
    """Return the values of the fields of a spec that stand in its form."""
    return {view.name: getattr(spec, view.name) for view in fields_of(type(spec)) if view.panel}
