"""``gptstudio update-check``: whether there is a newer version. No Qt, no torch."""

from __future__ import annotations

from dataclasses import asdict

from gptstudio.app import updates
from gptstudio.cli import output
from gptstudio.cli.arguments import Json


def update_check(*, json: Json = False) -> None:
    """Ask the releases page once, over HTTPS, whether there is a newer version. Nothing is installed."""
    from gptstudio.app import release_check  # with urllib, which no other command needs

    found = release_check.check(updates.address())
    if json:
        output.print_json({"running": found.running, "newer": found.newer, "latest": asdict(found.latest)})
        return
    output.line(found.words())
    if found.newer:
        for line in found.latest.notes.splitlines():
            output.line(f"  {line}".rstrip())
        output.line(found.latest.page)
