"""The folder in which huggingface_hub keeps what it fetched, laid out as its guide on the cache describes it: blobs
under their checksums, and for each version of a repository a snapshot that points to them. No torch."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import AsyncFileLock

from gptstudio import files
from gptstudio.weights_io.hub import Remote

POLL_S = 0.1
PIECE = 8 * 2**20


def root() -> Path:
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def snapshot(repository: str, names: Iterable[str]) -> Path | None:
    """The folder of the version fetched last, where all these files are in it."""
    from huggingface_hub import try_to_load_from_cache

    found = [try_to_load_from_cache(repository, name) for name in names]
    paths = [Path(path) for path in found if isinstance(path, str)]
    return paths[0].parent if len(paths) == len(found) else None


def blob(remote: Remote) -> Path:
    return _folder(remote) / "blobs" / remote.etag


def partial(remote: Remote) -> Path:
    """Return the path of a partial download; huggingface_hub continued such files until 1.17, and now removes them."""
    return blob(remote).with_name(f"{remote.etag}.incomplete")


def present(remote: Remote) -> int:
    """Bytes that need not be fetched."""
    with suppress(OSError):
        return min(remote.size, (blob(remote) if blob(remote).exists() else partial(remote)).stat().st_size)
    return 0


def is_right(path: Path, remote: Remote, check: Callable[[], None]) -> bool:
    """Return whether a file has the checksum that the server reports.

    Args:
        check: called now and then; raises to cancel.
    """
    digest = hashlib.sha256()
    if len(remote.etag) != 64:  # as git names a file
        digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    return hashed(path, digest, check) == remote.etag


def hashed(path: Path, digest: Any, check: Callable[[], None]) -> str:
    """The digest of a file's bytes behind those that ``digest`` has; ``check`` as in :func:`is_right`."""
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            check()
            digest.update(piece)
    return str(digest.hexdigest())


@asynccontextmanager
async def locked(remote: Remote) -> AsyncIterator[None]:
    """Wait while another program, ours or any that uses huggingface_hub, fetches the same file."""
    path = root() / ".locks" / _folder(remote).name / f"{remote.etag}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = AsyncFileLock(path, mode=0o664, run_in_executor=False)  # as huggingface_hub: several users may share a cache
    with suppress(RuntimeError):  # a disk without locks: two may fetch the same, and the checksum tells
        await lock.acquire(poll_interval=POLL_S)
    try:
        yield
    finally:
        await lock.release()


def keep(remote: Remote) -> None:
    """Make the partial download a blob."""
    files.flush(partial(remote))
    os.replace(partial(remote), blob(remote))


def point(remote: Remote) -> Path:
    """Put the file's name into its snapshot: a link to the blob, or the blob itself where there are no links."""
    path = _folder(remote) / "snapshots" / remote.commit / remote.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        path.symlink_to(Path("..", "..", "blobs", remote.etag))
    except OSError:  # Windows, unless in developer mode
        os.replace(blob(remote), path)
    return path


def refer(remote: Remote) -> None:
    """Write the snapshot as the target of ``main``."""
    path = _folder(remote) / "refs" / "main"
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_whole(path, remote.commit.encode())


def _folder(remote: Remote) -> Path:
    return root() / "--".join(["models", *remote.repository.split("/")])
