"""Published GPT-2 models, and functions to download them. No torch; the network is used only on request.

Downloaded files are in the cache of huggingface_hub, so that every program on this computer shares them. Their SHA-256
must be the published one that is pinned here, or, if none is known, the one that the server reports.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from gptstudio import files
from gptstudio.gpt import sizing
from gptstudio.gpt.config import PRESETS, GPTConfig
from gptstudio.i18n import message
from gptstudio.training.control import Control, Stopped
from gptstudio.units import bytes_text
from gptstudio.weights_io import hub, stored_tensors
from gptstudio.weights_io.refusals import ExchangeError

CHECKSUMS = {
    # huggingface.co/openai-community/gpt2 at 607a30d783df; also pinned in github.com/Diaugeia/ModernTSF
    # (src/tsflab/models/llm4ts/spec.py)
    "openai-community/gpt2": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
    # huggingface.co/openai-community/gpt2-medium at 6dcaa7a952f7; also pinned in
    # github.com/ALLPROTO/core-lm-cross-model-lab (models.json)
    "openai-community/gpt2-medium": "fc5a354a19255ad494f3d71549390baca1ccf61d1d822b9408971705c687c9cd",
    # huggingface.co/openai-community/gpt2-large at 32b71b12589c; also pinned in github.com/SyedNaveedMahmood/kd-sink
    # (protocols/s1_artifact_partial_v1.json)
    "openai-community/gpt2-large": "5f47f3e12f91cd33b662ce7e433b6150ad5512b5884a2cee961b50e9c3bbebce",
    # huggingface.co/openai-community/gpt2-xl at 15ea56dee5df; also pinned in github.com/mikepfrank/GPT-2-tools
    # (src/gpt2_local/runtime.py)
    "openai-community/gpt2-xl": "0f8b28eb05a8075f48b61b6f35332978c74fc7763fa9fb4051a1c30511736a6a",
    # huggingface.co/distilbert/distilgpt2 at 2290a62682d0; also pinned in github.com/ALLPROTO/core-lm-cross-model-lab
    # (blind_v1/model-assets.draft.json)
    "distilbert/distilgpt2": "e1ff18884359fe8beb795a5f414feb85a6ce3d929ad019c0d958c039d2b94a1b",
}
"""SHA-256 of model.safetensors, by repository."""
CONFIG, WEIGHTS = NAMES = ("config.json", "model.safetensors")
LOOK_S = 0.1
"""Seconds between two checks for a stop."""
REPORT_EVERY_S = 0.05
T = TypeVar("T")


@dataclass(frozen=True)
class Published:
    """A model that can be downloaded.

    Attributes:
        name: common name, which was also the name of the repository when the model was published.
        repository: current repository.
    """

    name: str
    repository: str
    title: str
    config: GPTConfig

    @property
    def parameters(self) -> int:
        return sizing.parameter_count(self.config)


def _gpt2(preset: str, **changes: int) -> GPTConfig:
    """Return a configuration as OpenAI published it: biases in attention, output layer tied to the embedding."""
    return PRESETS[preset].but(qkv_bias=True, tie_weights=True, **changes)


PUBLISHED = (
    Published("gpt2", "openai-community/gpt2", "GPT-2", _gpt2("gpt2-small")),
    Published("gpt2-medium", "openai-community/gpt2-medium", "GPT-2 medium", _gpt2("gpt2-medium")),
    Published("gpt2-large", "openai-community/gpt2-large", "GPT-2 large", _gpt2("gpt2-large")),
    Published("gpt2-xl", "openai-community/gpt2-xl", "GPT-2 XL", _gpt2("gpt2-xl")),
    Published("distilgpt2", "distilbert/distilgpt2", "DistilGPT2", _gpt2("gpt2-small", n_layers=6)),
)


@dataclass(frozen=True)
class Sizes:
    """Size of a download in bytes, and the number of bytes that are not on this computer yet."""

    total_bytes: int
    to_fetch_bytes: int


def cached(published: Published) -> Path | None:
    """Return the folder of a model if any program has already downloaded it to this computer. Uses no network."""
    found = (hub.snapshot(repository, NAMES) for repository in (published.repository, published.name))
    return next((folder for folder in found if folder and _is_whole(folder / WEIGHTS)), None)


def sizes(published: Published, control: Control | None = None) -> Sizes:
    """Return the sizes of a download; query the server only if the model is not on this computer.

    Raises:
        ExchangeError: the server cannot be reached, or refuses.
        Stopped: by ``control``.
    """
    if folder := cached(published):
        return Sizes(sum((folder / name).stat().st_size for name in NAMES), 0)
    return _run(_sizes(published), control or Control())


def fetch(published: Published, progress: Callable[[int, int], None], control: Control) -> Path:
    """Download the missing files, continue a cancelled download, and check the result.

    If the model is already here, the network is not used, but the checksum is verified. Runs in the calling thread.

    Args:
        progress: called with the number of bytes that are here, and the total.

    Returns:
        The folder with ``config.json`` and ``model.safetensors``.

    Raises:
        ExchangeError: there is no network, the server refuses or sends wrong data, the disk is full, or the weights are
            not the published ones.
        Stopped: by ``control``, within a second; the partial download is kept.
    """
    if folder := cached(published):
        _check_cached(published, folder / WEIGHTS, control)
        return folder
    return _run(_fetch(published, progress, control), control)


def _check_cached(published: Published, weights: Path, control: Control) -> None:
    """Check the cached weights, which any program may have downloaded from any server."""
    pinned = CHECKSUMS.get(published.repository)
    if pinned and (found := stored_tensors.hashed(weights, hashlib.sha256(), lambda _: control.check())) != pinned:
        raise ExchangeError(message(
            "{path} is not {title} as published: its checksum is {found}, the published SHA-256 is {pinned}. It was "
            "changed, damaged or downloaded from another server. Delete it and download the model again. To use it as "
            "your own weights, open it with Model > Open weights.",
            path=weights, title=published.title, found=found, pinned=pinned))


def _is_whole(weights: Path) -> bool:
    """Return whether a file has the length in its header: one truncated by a full disk must be downloaded again."""
    try:
        return bool(stored_tensors.inspect_safetensors(weights))
    except (ExchangeError, OSError):
        return False


async def _sizes(published: Published) -> Sizes:
    async with hub.client() as http:
        remotes = await _look_up(http, published)
    total = sum(remote.size for remote in remotes)
    return Sizes(total, total - sum(map(hub.present, remotes)))


async def _fetch(published: Published, progress: Callable[[int, int], None], control: Control) -> Path:
    async with hub.client() as http:
        remotes = await _look_up(http, published)
        _check_offered(published, remotes[1])
        with hub.disk_in_words(hub.cache_folder()):
            _check_free_space(remotes)
            done, total = 0, sum(remote.size for remote in remotes)
            for remote in remotes:
                report = _reporter(progress, done, total)
                async with hub.locked(remote):
                    await _bring(http, remote, report, control)
                    path = hub.point(remote)
                done += remote.size
                progress(done, total)
            hub.refer(remotes[0])
    return path.parent


async def _look_up(http: Any, published: Published) -> list[hub.Remote]:
    """Look up all files of one version, even if a new one is published in between."""
    config = await hub.look_up(http, published.repository, CONFIG)
    return [config, await hub.look_up(http, published.repository, WEIGHTS, revision=config.commit)]


def _check_offered(published: Published, weights: hub.Remote) -> None:
    """Check before the download that the server's checksum, which verifies the received bytes, is the pinned one."""
    pinned = CHECKSUMS.get(published.repository)
    if pinned and weights.etag != pinned:
        raise hub.download_error(message(
            "The weights that {host} offers as {title} are not the published ones: their checksum is {offered}, the "
            "published SHA-256 is {pinned}. They were changed or are another version, so nothing was downloaded. If "
            "HF_ENDPOINT points to a mirror, contact its operator; otherwise look for a newer version of GPT Studio.",
            host=hub.host(), title=published.title, offered=weights.etag, pinned=pinned))


def _check_free_space(remotes: list[hub.Remote]) -> None:
    needed, folder = sum(remote.size - hub.present(remote) for remote in remotes), hub.cache_folder()
    free = files.free_bytes(folder)
    if needed > free:
        raise ExchangeError(message(
            "{needed} still have to be downloaded, but {folder} has only {free} free. Free some space there, or "
            "set the environment variable HF_HOME to a folder on another disk.",
            needed=bytes_text(needed), folder=folder, free=bytes_text(free)))


async def _bring(http: Any, remote: hub.Remote, report: Callable[[int], None], control: Control) -> None:
    """Make sure that the blob exists and is correct; one stored by another program may be damaged."""
    blob, partial = hub.blob(remote), hub.partial(remote)
    if blob.exists() and hub.is_right(blob, remote, control.check):
        return
    blob.parent.mkdir(parents=True, exist_ok=True)
    await hub.download(http, remote, partial, report)
    if not hub.is_right(partial, remote, control.check):
        partial.unlink()
        raise hub.download_error(message(
            "The download does not match what {host} says about {name}: the checksums differ. It was damaged or "
            "changed in transit and has been deleted. Try again; if it happens again, use another network.",
            host=hub.host(), name=remote.name))
    hub.keep(remote)


def _reporter(progress: Callable[[int, int], None], before: int, total: int) -> Callable[[int], None]:
    """Return a callback that reports the number of downloaded bytes at a visible rate instead of for each packet."""
    reported_s = 0.0

    def report(here: int) -> None:
        nonlocal reported_s
        if time.monotonic() - reported_s >= REPORT_EVERY_S:
            progress(before + here, total)
            reported_s = time.monotonic()

    return report


def _run(work: Coroutine[Any, Any, T], control: Control) -> T:
    """Run a coroutine in this thread until it is done or cancelled.

    Not ``asyncio.run``: that waits for the thread that resolves the server's address, which cannot be cancelled.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_until_stopped(work, control))
    finally:
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _until_stopped(work: Coroutine[Any, Any, T], control: Control) -> T:
    task = asyncio.ensure_future(work)
    while not control.stopping:
        done, _ = await asyncio.wait({task}, timeout=LOOK_S)
        if done:
            return task.result()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    raise Stopped
