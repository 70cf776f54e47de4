"""All visible text passes through here, so that it can be shown in another language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from gptstudio.gpt.sizing import MB


def tr(text: str, /, **values: object) -> str:
    """``text`` in the user's language, with ``{names}`` filled in."""
    # The name of a file may have bytes that are no characters; Qt wants characters.
    shown = QCoreApplication.translate("GPTStudio", text.encode("utf-8", "replace").decode())
    return shown.format(**values) if values else shown


def size(count: float) -> str:
    """Bytes as people say them: '52.3 MB', '6.1 GB'. MB and GB are 2**20 and 2**30 bytes, as in the seeds."""
    if count < 1024 * MB:
        return f"{count / MB:,.1f} MB"
    return f"{count / (1024 * MB):,.1f} GB"


def duration(seconds: float) -> str:
    """'8 s', '3 min 20 s', '2 h 5 min'."""
    seconds = round(seconds)
    if seconds < 60:
        return tr("{s} s", s=seconds)
    if seconds < 3600:
        return tr("{m} min {s} s", m=seconds // 60, s=seconds % 60)
    return tr("{h} h {m} min", h=seconds // 3600, m=seconds % 3600 // 60)


def percent(share: float) -> str:
    """A probability as people read it, never rounded to a false 0 or 100."""
    if 0 < share < 0.0001:
        return "< 0.01 %"
    if 0.99995 <= share < 1:
        return "> 99.99 %"
    return f"{share:.2%}".replace("%", " %") if share < 0.1 else f"{share:.1%}".replace("%", " %")
