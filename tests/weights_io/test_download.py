"""Published weights fetched from a real server on 127.0.0.1, which fails in the ways that servers do."""

import json
import os
import random
import re
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import warm_python
from messages import message
from mirror import Mirror, commit, git_name, sha256

from gptstudio import __version__
from gptstudio.training.control import Control, Stopped
from gptstudio.weights_io import download, hub
from gptstudio.weights_io.refusals import ExchangeError

SMALL = download.PUBLISHED[0]
REPOSITORY = SMALL.repository
CONFIG = json.dumps({"model_type": "gpt2"}).encode()
NEVER_S = 300
"""A server's silence so long that only a stop can end it within a test."""


def weights(size: int = 200_000, seed: int = 123) -> bytes:
    """Return a safetensors file with one tensor of random bytes."""
    header = json.dumps({"wte.weight": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
    return len(header).to_bytes(8, "little") + header + random.Random(seed).randbytes(size)


WEIGHTS = weights()
PINNED = download.CHECKSUMS
TOTAL = len(CONFIG) + len(WEIGHTS)
OTHERS = {"README.md": b"words", "pytorch_model.bin": b"\0" * 1000}


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    made = Mirror({REPOSITORY: {"config.json": CONFIG, "model.safetensors": WEIGHTS} | OTHERS})
    yield made
    made.close()


@pytest.fixture(autouse=True)
def hub_here(mirror, tmp_path, monkeypatch) -> Path:
    """Configure huggingface_hub for the mirror: it reads the environment at import, so its constants are patched.

    Returns:
        Its cache.
    """
    from huggingface_hub import constants

    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    use(mirror.url, monkeypatch)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "PAUSE_S", 0.01)
    monkeypatch.setattr(download, "CHECKSUMS", {REPOSITORY: sha256(WEIGHTS)})
    return tmp_path / "hub"


@pytest.fixture
def patient(monkeypatch) -> None:
    """Let no timeout end before the test does."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_DOWNLOAD_TIMEOUT", NEVER_S)
    monkeypatch.setattr(constants, "HF_HUB_ETAG_TIMEOUT", NEVER_S)


def use(url: str, monkeypatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", url + "/{repo_id}/resolve/{revision}/{filename}")


def fetch(control: Control | None = None) -> Path:
    return download.fetch(SMALL, lambda done, total: None, control or Control())


def refusal() -> str:
    """Return the message of a fetch that must fail."""
    with pytest.raises(ExchangeError) as caught:
        fetch()
    assert message("copy_model_s") in str(caught.value), "there is always another way"
    return str(caught.value)


def fetched_by_another(mirror: Mirror) -> Path:
    """Return the folder, as any program gets it from huggingface_hub."""
    from huggingface_hub import snapshot_download

    wanted = list(download.NAMES)
    return Path(snapshot_download(REPOSITORY, allow_patterns=wanted, endpoint=mirror.url, token=False))


def stop_when(happened: Callable[[], bool], control: Control) -> None:
    def wait() -> None:
        until(happened)
        control.stop()

    threading.Thread(target=wait, daemon=True).start()


def bytes_of(content: bytes, cache: Path) -> int:
    """Return how many bytes of a file have been downloaded, complete or not."""
    return sum(path.stat().st_size for path in cache.glob(f"*/blobs/{sha256(content)}*"))


def left_behind(cache: Path) -> list[str]:
    """Return names and sizes of blobs, complete or not."""
    return sorted(f"{path.name} {path.stat().st_size}" for path in cache.glob("*/blobs/*"))


TO_THE_MIRROR = "from gptstudio.weights_io import download; download.CHECKSUMS.clear()"
"""Code that another program runs first, for which this server's weights are not the published ones."""


def environment(mirror: Mirror, cache: Path) -> dict[str, str]:
    """Return the environment that a user sets before the program starts."""
    settings = {"HF_ENDPOINT": mirror.url, "HF_HUB_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    others = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "TRANSFORMERS_"))}
    return others | settings


# The published models.


def test_that_the_published_models_have_the_stated_sizes():
    # Hugging Face's and OpenAI's model cards; DistilGPT2's card says 82 million
    counted = {each.name: round(each.parameters / 1e6) for each in download.PUBLISHED}
    assert counted == {"gpt2": 124, "gpt2-medium": 355, "gpt2-large": 774, "gpt2-xl": 1558, "distilgpt2": 82}


# A whole download.


def test_that_a_model_arrives_complete_from_one_version_with_progress_and_nothing_else_does(mirror, monkeypatch):
    monkeypatch.setattr(download, "REPORT_EVERY_S", 0)
    told = []
    folder = download.fetch(SMALL, lambda done, total: told.append((done, total)), Control())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "config.json": CONFIG, "model.safetensors": WEIGHTS
    }
    assert mirror.served == {"config.json": len(CONFIG), "model.safetensors": len(WEIGHTS)}
    versions = {path.split("/resolve/")[1] for method, path, _ in mirror.requests if method == "HEAD"}
    assert versions == {"main/config.json", f"{commit(REPOSITORY)}/model.safetensors"}
    assert told == sorted(told)
    assert {total for _, total in told} == {TOTAL}
    assert told[-1][0] == TOTAL
    assert len(told) > 4


def test_that_sizes_are_known_before_during_and_after_a_download(mirror, monkeypatch):
    monkeypatch.setattr(hub, "TRIES", 0)
    assert download.sizes(SMALL) == download.Sizes(TOTAL, TOTAL)
    mirror.faults.cut_at = [100_000]
    assert message("come_kept") in refusal()
    assert download.sizes(SMALL) == download.Sizes(TOTAL, len(WEIGHTS) - 100_000)
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS
    assert download.sizes(SMALL) == download.Sizes(TOTAL, 0)
    assert mirror.served["model.safetensors"] == len(WEIGHTS), "what had come was not fetched again"


def test_that_neither_a_token_nor_anything_about_this_computer_is_sent(mirror, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    fetch()
    assert len(mirror.requests) == 5, "two files looked for and fetched, one of them from the storage"
    for _, path, headers in mirror.requests:
        once = headers.pop("X-Amzn-Trace-Id")
        assert str(uuid.UUID(once, version=4)) == once, "drawn at random"
        assert headers.pop("Host").rpartition(":")[0] in ("127.0.0.1", "localhost")
        assert headers == {
            "Accept": "*/*", "Connection": "keep-alive", "Accept-Encoding": "identity",
            "User-Agent": f"gptstudio/{__version__}",
        }
        assert path.startswith((f"/{REPOSITORY}/resolve/", f"/storage/{REPOSITORY}/"))


def test_that_a_renamed_repository_is_followed(mirror):
    mirror.repositories["moved/gpt2"] = mirror.repositories.pop(REPOSITORY)
    mirror.renamed[REPOSITORY] = "moved/gpt2"
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


# Interrupted downloads.


def test_that_a_broken_connection_is_resumed_where_it_broke(mirror):
    mirror.faults.cut_at = [50_000, 50_001, 180_000]
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS
    assert mirror.served["model.safetensors"] == len(WEIGHTS), "no byte came twice"
    assert mirror.starts() == ["", "bytes=50000-", "bytes=50001-", "bytes=180000-"]


def test_that_a_killed_program_leaves_a_download_that_another_continues(mirror, hub_here):
    mirror.faults.stall_at = 120_000
    code = (
        f"{TO_THE_MIRROR}; from gptstudio.training.control import Control; "
        "download.fetch(download.PUBLISHED[0], lambda done, total: None, Control())"
    )
    with warm_python.start("-c", code, env=environment(mirror, hub_here), stdout=1, stderr=2) as other:
        came = hub_here.joinpath("models--openai-community--gpt2", "blobs", f"{sha256(WEIGHTS)}.incomplete")
        until(lambda: came.exists() and came.stat().st_size == 120_000)
        other.kill()
    mirror.faults.stall_at = None
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS
    assert mirror.served["model.safetensors"] == len(WEIGHTS)
    assert mirror.starts() == ["", "bytes=120000-"]


def test_that_a_server_without_ranges_sends_the_whole_file_again(mirror):
    mirror.faults.cut_at, mirror.faults.no_ranges = [150_000], True
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


def test_that_a_server_without_ranges_that_always_breaks_is_given_up(mirror):
    mirror.faults.cut_at, mirror.faults.no_ranges = [150_000] * 50, True
    assert message("could_reached_stopped") in refusal()
    assert len(mirror.starts()) == 1 + 1 + hub.TRIES


def test_that_a_server_that_never_sends_the_end_is_given_up(mirror, hub_here):
    mirror.faults.ends_at = 150_000
    assert message("sent_another_number") in refusal()
    assert left_behind(hub_here) == [f"{git_name(CONFIG)} {len(CONFIG)}"]


# Wrong content.


def test_that_weights_with_another_checksum_are_deleted_and_fetched_again(mirror, hub_here):
    mirror.faults.wrong_byte = 190_000
    refused = refusal()
    assert message("checksums_differ") in refused
    assert "deleted" in refused
    assert left_behind(hub_here) == [f"{git_name(CONFIG)} {len(CONFIG)}"]
    assert download.cached(SMALL) is None
    mirror.faults.wrong_byte = None
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("longer", [-1000, 1000])
def test_that_a_file_of_another_length_than_stated_is_refused(mirror, hub_here, longer):
    mirror.faults.says_longer, mirror.faults.no_ranges = longer, True
    assert f"announced {len(WEIGHTS) + longer:,} bytes for model.safetensors but sent a different number" in refusal()
    assert mirror.starts() == [""], "it is not asked for again"
    assert left_behind(hub_here) == [f"{git_name(CONFIG)} {len(CONFIG)}"]
    mirror.faults.says_longer = 0
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


def test_that_a_longer_leftover_of_the_same_name_does_no_harm(mirror, hub_here):
    leftover = hub_here.joinpath("models--openai-community--gpt2", "blobs", f"{sha256(WEIGHTS)}.incomplete")
    leftover.parent.mkdir(parents=True)
    leftover.write_bytes(WEIGHTS + b"more")
    refusal()
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("etag", ["../../../../somewhere", "W/none", ""])
def test_that_a_server_that_gives_no_checksum_is_not_trusted(mirror, hub_here, etag):
    mirror.faults.etag = etag or '"'
    assert message("what_its_checksum") in refusal()
    assert left_behind(hub_here) == []


# The published checksum.


def published_as(digest: str | None, monkeypatch) -> None:
    monkeypatch.setattr(download, "CHECKSUMS", {REPOSITORY: digest} if digest else {})


def test_that_a_published_checksum_is_known_of_every_model():
    assert set(PINNED) == {each.repository for each in download.PUBLISHED}
    assert len({*PINNED.values()}) == len(PINNED)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in PINNED.values())


def test_that_other_weights_under_a_published_name_are_refused_before_a_byte_is_read(
    mirror, hub_here, monkeypatch
):
    published_as(PINNED[REPOSITORY], monkeypatch)
    refused = refusal()
    assert message("not_published") in refused
    assert sha256(WEIGHTS) in refused
    assert PINNED[REPOSITORY] in refused
    assert mirror.served == {}
    assert left_behind(hub_here) == []


def test_that_a_server_that_repeats_the_published_checksum_is_not_believed(mirror, hub_here, monkeypatch):
    published_as(PINNED[REPOSITORY], monkeypatch)
    mirror.faults.etag = PINNED[REPOSITORY]
    assert message("checksums_differ") in refusal()
    assert left_behind(hub_here) == [f"{git_name(CONFIG)} {len(CONFIG)}"]


def test_that_other_weights_that_another_program_fetched_are_refused(mirror, monkeypatch):
    folder = fetched_by_another(mirror)
    published_as(PINNED[REPOSITORY], monkeypatch)
    with pytest.raises(ExchangeError) as caught:
        fetch()
    assert str(folder / "model.safetensors") in str(caught.value)
    assert sha256(WEIGHTS) in str(caught.value)


def test_that_without_a_published_checksum_the_one_of_the_server_counts(mirror, monkeypatch):
    published_as(None, monkeypatch)
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


# Stopped downloads.


@pytest.mark.usefixtures("patient")
def test_that_a_stop_ends_the_wait_for_a_server_that_went_silent_in_the_middle(mirror, hub_here):
    mirror.faults.stall_at = 100_000
    control = Control()
    stop_when(lambda: bytes_of(WEIGHTS, hub_here) == 100_000, control)
    with pytest.raises(Stopped):
        fetch(control)
    mirror.faults.stall_at = None
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS
    assert mirror.served["model.safetensors"] == len(WEIGHTS), "what had come was kept"


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("ask", [fetch, lambda control: download.sizes(SMALL, control)])
def test_that_a_stop_ends_the_wait_for_a_server_that_answers_nothing(mirror, ask):
    mirror.faults.silent = True
    control = Control()
    stop_when(mirror.stalled.is_set, control)
    with pytest.raises(Stopped):
        ask(control)


def test_that_a_stop_ends_the_wait_for_an_unresolved_name(mirror, monkeypatch):
    asked, over = threading.Event(), threading.Event()

    def unanswered(*arguments: object, **more: object) -> None:
        asked.set()
        over.wait()
        raise socket.gaierror("no answer")

    monkeypatch.setattr(socket, "getaddrinfo", unanswered)
    use("http://far.example", monkeypatch)
    control = Control()
    stop_when(asked.is_set, control)
    with pytest.raises(Stopped):
        fetch(control)
    over.set()


def test_that_a_stop_ends_the_wait_for_another_download_of_the_same_model(mirror, hub_here):
    from filelock import FileLock

    lock = hub_here.joinpath(".locks", "models--openai-community--gpt2", f"{sha256(WEIGHTS)}.lock")
    lock.parent.mkdir(parents=True)
    control = Control()

    def fetched() -> None:
        with pytest.raises(Stopped):
            fetch(control)

    with FileLock(lock):
        other = threading.Thread(target=fetched)
        other.start()
        until(lambda: download.sizes(SMALL).to_fetch_bytes == len(WEIGHTS))  # the small file is there, the other waits
        control.stop()
        other.join(timeout=20)
    assert not other.is_alive()


def test_that_two_that_fetch_the_same_model_fetch_it_once(mirror):
    found: list[Path] = []
    both = [threading.Thread(target=lambda: found.append(fetch())) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(found) == 2
    assert len(set(found)) == 1
    assert mirror.served["model.safetensors"] == len(WEIGHTS)


def test_that_no_thread_is_left(mirror):
    def others() -> set[str]:
        return {each.name for each in threading.enumerate() if "process_request_thread" not in each.name}

    before = others()
    mirror.faults.stall_at = 100_000
    control = Control()
    stop_when(mirror.stalled.is_set, control)
    with pytest.raises(Stopped):
        fetch(control)
    mirror.faults.stall_at = None
    fetch()
    until(lambda: others() <= before)


# No network, or a network that refuses.


def test_that_a_missing_network_is_reported_with_a_message(mirror):
    mirror.close()
    refused = refusal()
    assert f"127.0.0.1:{mirror.port}, or it stopped responding" in refused
    assert message("connection_firewall_proxy") in refused


@pytest.mark.parametrize(("status", "part"), [
    (401, "and GPT Studio does not sign in."), (403, "and GPT Studio does not sign in."), (404, "does not have"),
    (407, "The proxy requires a user name and password (status 407)."),
    (429, "received too many requests from this network (status 429)."), (500, "Try again later;"),
    (503, "Try again later;"),
])
def test_that_a_refusal_is_reported_with_a_message(mirror, status, part):
    mirror.faults.status = status
    message = refusal()
    assert part in message
    assert str(status) in message


def test_that_a_silent_server_is_given_up_and_reported_with_a_message(mirror, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_ETAG_TIMEOUT", 0.2)
    mirror.faults.silent = True
    assert "or it stopped responding: read timeout" in refusal()


def test_that_an_unknown_kind_of_proxy_is_reported_with_a_message(monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "carrier-pigeon://127.0.0.1:1")
    assert message("settings_network_cannot") in refusal()


def test_that_a_missing_proxy_is_reported_with_a_message(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, but not listening
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{taken.getsockname()[1]}")
        monkeypatch.setenv("NO_PROXY", "")
        assert message("proxy_stands_between") in refusal()


@pytest.mark.parametrize("address", ["not an address", "http://127.0.0.1:port", "ftp://127.0.0.1"])
def test_that_an_invalid_address_is_reported_with_a_message(monkeypatch, address):
    use(address, monkeypatch)
    refusal()


def test_that_offline_nothing_is_requested_and_it_is_reported_with_a_message(mirror, monkeypatch):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert message("hf_hub_offline") in refusal()
    assert mirror.requests == []


# The disk.


def test_that_a_disk_without_room_is_reported_before_anything_is_fetched(mirror, monkeypatch):
    from gptstudio import files

    monkeypatch.setattr(files, "free_bytes", lambda folder: TOTAL - 1)
    with pytest.raises(ExchangeError, match=r"has only 0\.2 MB free"):
        fetch()
    assert mirror.served == {}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit on the size of a file to set")
def test_that_a_disk_that_fills_up_is_reported_with_a_message_and_the_received_part_is_kept(mirror, hub_here):
    code = (
        f"import resource; {TO_THE_MIRROR}; from gptstudio.training.control import Control; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
        "download.fetch(download.PUBLISHED[0], lambda done, total: None, Control())"
    )
    output = warm_python.run("-c", code, env=environment(mirror, hub_here)).stderr
    assert f"cannot be saved in {hub_here}: File too large. Free some space there" in output
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS
    assert mirror.starts() == ["", "bytes=100000-"]


def test_that_a_cache_that_cannot_be_written_is_reported_with_a_message(hub_here):
    hub_here.write_text("a file in place of a folder")
    assert f"cannot be saved in {hub_here}" in refusal()


# Downloaded models.


def test_that_a_downloaded_model_opens_and_can_be_imported(mirror, tmp_path, monkeypatch):
    """Through links: the cache names its files by their checksums."""
    from weight_files import huggingface_model

    from gptstudio.training import checkpoint
    from gptstudio.weights_io import importing

    model = huggingface_model()
    model.save_pretrained(tmp_path / "published")
    mirror.repositories[REPOSITORY] = {path.name: path.read_bytes() for path in (tmp_path / "published").iterdir()}
    published_as(sha256(mirror.repositories[REPOSITORY]["model.safetensors"]), monkeypatch)
    found = importing.inspect(fetch())
    assert (found.kind, found.heads_read) == ("huggingface", True)
    imported = checkpoint.load(importing.import_weights(found, SMALL.name).path)
    assert imported.tok_emb.weight.equal(model.transformer.wte.weight)


# A shared cache.


@pytest.mark.parametrize("first", [lambda mirror: fetch(), fetched_by_another], ids=["us", "another program"])
def test_that_a_cached_model_needs_no_request_and_no_network(mirror, monkeypatch, first):
    from huggingface_hub import constants

    folder = first(mirror)
    mirror.requests.clear()
    assert fetch() == folder
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert fetch() == download.cached(SMALL) == folder
    assert download.sizes(SMALL).to_fetch_bytes == 0
    assert mirror.requests == []


def test_that_another_program_finds_the_downloaded_files(mirror, hub_here):
    from huggingface_hub import scan_cache_dir, snapshot_download, try_to_load_from_cache

    folder = fetch()
    assert snapshot_download(REPOSITORY, local_files_only=True) == str(folder)
    assert try_to_load_from_cache(REPOSITORY, "model.safetensors") == str(folder / "model.safetensors")
    scanned = scan_cache_dir(hub_here)
    assert not scanned.warnings
    assert scanned.size_on_disk == TOTAL
    mirror.served.clear()
    assert fetched_by_another(mirror) == folder
    assert mirror.served == {}


def test_that_a_model_fetched_under_its_first_name_is_found(mirror):
    new = fetched_by_another(mirror).parents[1]
    old = new.rename(new.with_name("models--gpt2"))
    mirror.requests.clear()
    assert fetch().is_relative_to(old)
    assert mirror.requests == []


@pytest.mark.parametrize("damage", [lambda whole: whole[:-5], lambda whole: b"", lambda whole: b"<html>"])
def test_that_a_file_cut_off_by_a_full_disk_is_fetched_again(mirror, damage):
    blob = (fetch() / "model.safetensors").resolve()
    blob.write_bytes(damage(WEIGHTS))
    assert download.cached(SMALL) is None
    assert (fetch() / "model.safetensors").read_bytes() == WEIGHTS


def test_that_a_system_without_links_gets_the_files_themselves(mirror, monkeypatch):
    from huggingface_hub import try_to_load_from_cache

    def no_links(*arguments: object) -> None:
        raise OSError("a privilege is not held")

    monkeypatch.setattr(Path, "symlink_to", no_links)
    folder = fetch()
    assert not (folder / "model.safetensors").is_symlink()
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert try_to_load_from_cache(REPOSITORY, "config.json") == str(folder / "config.json")
    assert fetch() == folder


def test_that_the_environment_sets_the_server_and_the_folder(mirror, tmp_path):
    code = (
        f"{TO_THE_MIRROR}; from gptstudio.training.control import Control; "
        "print(download.hub.host(), download.fetch(download.PUBLISHED[0], lambda done, total: None, Control()))"
    )
    settings = environment(mirror, tmp_path / "elsewhere")
    output = warm_python.run("-c", code, env=settings, check=True).stdout.split()
    assert output[0] == f"127.0.0.1:{mirror.port}"
    assert Path(output[1]).is_relative_to(tmp_path / "elsewhere")
    mirror.requests.clear()
    offline = warm_python.run("-c", code, env=settings | {"HF_HUB_OFFLINE": "1"}, check=True)
    assert offline.stdout.split() == output
    assert mirror.requests == []


def until(happened: Callable[[], bool]) -> None:
    while not happened():
        time.sleep(0.01)
