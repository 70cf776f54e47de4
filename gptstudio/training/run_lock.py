"""Lock of a run's folder: only one process at a time writes a run, and it records its identity. No torch."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel

from gptstudio import files, machine
from gptstudio.errors import UserError, text_of
from gptstudio.i18n import Message, message

WRITTEN_WITHIN_S = 120
"""Seconds since the last write after which a run counts as not being written, if no lock is available."""

PATIENCE_S = 0.2
"""Seconds to wait for the lock of a run, because a program that only queries it holds it briefly."""


class ReadOnly(UserError):
    """Run in a folder that this process cannot write to."""


class TakenOver(UserError):
    """Run whose folder was deleted while it was in progress, and now belongs to another run or another program."""


class Writer(BaseModel, frozen=True):
    """Writer of a run. ``lock`` is the inode of the lock file, which differs in a copied folder, so that the writer of
    the original does not count as writer of the copy. ``machine``: identity of its computer; empty in older files."""

    process: int
    host: str
    since: datetime
    lock: int
    machine: str = ""

    @property
    def message(self) -> Message:
        return message(
            "process {process} on {host}, since {since}",
            process=self.process, host=self.host, since=f"{self.since:%Y-%m-%d %H:%M}",
        )

    @property
    def elsewhere(self) -> bool:
        """True if the writer is on another computer; if an identity is unknown, host names are compared."""
        here = machine.identity()
        return self.machine != here if self.machine and here else self.host != platform.node()


@dataclass
class _Held:
    """Lock held by this process: the inode of its file, and the exit stack that releases it."""

    number: int
    release: ExitStack


_held: dict[Path, _Held] = {}
"""Locks held by this process, by run folder."""


@dataclass(frozen=True)
class RunLock:
    """The files ``lock``, which is held by the process that writes the run, and ``writer.json``, with its identity."""

    folder: Path

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the lock within the context, and record the identity of this process.

        Raises:
            UserError: another process is writing the run, or the folder cannot be written.
        """
        with ExitStack() as stack:
            stack.enter_context(self._locked())
            _held[self.folder] = _Held(self._number, stack)
            self._sign()
            try:
                yield
            finally:
                if not self._is_lost(_held.pop(self.folder)):
                    with suppress(OSError):
                        self._writer_path.unlink()

    def renew(self) -> None:
        """Acquire the lock again if its file was deleted with the folder, which is created again.

        Raises:
            TakenOver: another process writes there now.
            OSError: the folder cannot be created.
        """
        held = _held.get(self.folder)
        if not held or not self._is_lost(held):
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            held.release.enter_context(self._locked())
        except ReadOnly as error:
            raise OSError(str(error)) from error
        except UserError as error:
            raise TakenOver(text_of(error)) from error
        held.number = self._number
        self._sign()

    @property
    def is_lost(self) -> bool:
        """True if this process writes the run, but its lock file was deleted or replaced."""
        held = _held.get(self.folder)
        return held is not None and self._is_lost(held)

    def _is_lost(self, held: _Held) -> bool:
        try:
            return held.number != self._number
        except OSError:
            return True

    def _sign(self) -> None:
        """Record the identity of this process next to the lock."""
        here = Writer(
            process=os.getpid(), host=platform.node(), since=datetime.now().astimezone(), lock=self._number,
            machine=machine.identity(),
        )
        with suppress(OSError):  # a full disk: others then see the lock without an identity
            files.write_whole(self._writer_path, here.model_dump_json().encode())

    @property
    def writer(self) -> Writer | None:
        """Recorded writer: the current one, or the last one if it was killed; None if there is none."""
        try:
            writer = Writer.model_validate_json(self._writer_path.read_bytes())
            return writer if writer.lock == self._number else None
        except (OSError, ValueError):
            return None

    def is_held(self, journal: Path) -> bool:
        """Return whether a process is currently writing; if locking is impossible, decide by the age of the journal."""
        try:
            with self._locked():
                return False
        except ReadOnly:
            with suppress(OSError):
                return abs(time.time() - journal.stat().st_mtime) < WRITTEN_WITHIN_S
            return False
        except UserError:
            return os.path.isdir(self.folder)

    @property
    def _writer_path(self) -> Path:
        return self.folder / "writer.json"

    @property
    def _number(self) -> int:
        return (self.folder / "lock").stat().st_ino

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock within the context.

        Raises:
            UserError: another process or computer holds it, or the folder cannot be written.
        """
        from filelock import FileLock, Timeout  # takes 10 ms to import, which would delay the first window

        lock = FileLock(self.folder / "lock", timeout=PATIENCE_S)
        try:
            if not self.folder.is_dir():  # the lock would create it again
                raise UserError(message("The folder {folder} no longer exists.", folder=self.folder))
            lock.acquire()
        except Timeout as error:
            name, writer = self.folder.name, self.writer
            raise UserError(message(
                "Another window or program ({who}) is writing the run {name}. You can only view it here.",
                who=writer.message, name=name,
            ) if writer else message(
                "Another window or program is writing the run {name}. You can only view it here.", name=name
            )) from error
        except OSError as error:
            raise ReadOnly(message(
                "Could not write to {folder}: {why}. You can only view the run here.",
                folder=self.folder, why=error.strerror or error,
            )) from error
        try:
            writer = self.writer
            if writer and writer.elsewhere:  # on a shared disk, where other computers may not see a lock
                raise UserError(message(
                    "Another window or program seems to be writing the run {name}: {message}. You can only view it"
                    " here. If nothing is writing it any more, delete the file {writer_path}.",
                    name=self.folder.name, message=writer.message,
                    writer_path=self._writer_path,
                ))
            yield
        finally:
            lock.release()
