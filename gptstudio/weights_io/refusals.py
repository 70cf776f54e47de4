"""Errors of importing and exporting weights, including those for files that are refused. No torch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gptstudio.errors import UserError, shown, text_of
from gptstudio.i18n import message

CHANGED = message("it was changed after it had been opened. Open it again.")
CUT_OFF = message("The file is incomplete or damaged; download or copy it again.")


class ExchangeError(UserError):
    """Error for a file that cannot be opened, downloaded or written: what happened, what it means, what to do."""


def refused(path: Path, why: str) -> ExchangeError:
    """Return the error for a file that is refused."""
    return ExchangeError(message("{path} was not opened: {why}", path=path, why=why))


@contextmanager
def errors_as_messages(path: Path) -> Iterator[None]:
    """Context manager that raises every error of opening ``path`` as an ExchangeError."""
    try:
        yield
    except ExchangeError:
        raise
    except UserError as error:
        raise refused(path, text_of(error)) from error
    except OSError as error:
        which = f" ({error.filename})" if error.filename and Path(error.filename) != path else ""
        raise refused(path, message("{why}{which}.", why=error.strerror or error, which=which)) from error
    except MemoryError as error:
        raise refused(path, message(
            "there is not enough memory. Choose a smaller model, or close other programs."
        )) from error
    except ValueError as error:  # a path that is invalid on every system
        raise refused(path, message("{why}.", why=shown(error))) from error
