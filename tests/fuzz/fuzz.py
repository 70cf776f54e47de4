#!/usr/bin/env python3
"""Look for bytes that break a reader of files, guided by the lines they reach (libFuzzer, by atheris).

    python tests/fuzz/fuzz.py [--seconds 3600] [--work build/fuzz] [TARGET ...]

The files that reach the most are kept in corpus/, which a test opens again with the readers.

A reader gives a value or raises UserError. Everything else is a finding, kept in WORK/TARGET-found: another exception,
more than 10 s, more than 3 GB, a file written elsewhere, a program started. Needs `pip install atheris` (Linux).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

import inside  # noqa: E402

CORPUS = HERE / "corpus"
MOST_BYTES, MOST_FILES = 4096, 40
"""Limits: bytes of a kept file, and files of a target."""
WRITABLE = (tempfile.gettempdir(), "/dev/")
"""Folders that a reader may write to; looked up here, because the lookup opens files."""
Read = Callable[[Path], object]


def readers() -> dict[str, tuple[str, Read]]:
    """Return the readers: for each target the name of its files, or their ending, and the function that reads one."""
    from gptstudio import settings
    from gptstudio.data import texts
    from gptstudio.history import class_runs
    from gptstudio.inference import tree_files
    from gptstudio.labs import lesson
    from gptstudio.training import journal, sweep_toml
    from gptstudio.weights_io import importing, tokenizer_files

    def weights(path: Path) -> object:
        return importing.read(importing.inspect(path))

    return {
        "pth": (".pth", weights),
        "safetensors": (".safetensors", weights),
        "lesson": (".toml", lambda path: lesson.parse(path.read_bytes(), path.name)),
        "settings": (".toml", settings.load),
        "sweep": (".toml", sweep_toml.read),
        "journal": (".jsonl", lambda path: list(journal.read(path))),
        "packed-run": (".zip", class_runs.read),
        "report": (".html", class_runs.read),
        "text-document": (".json", tree_files.load),
        "text": (".txt", lambda path: texts.read(str(path))),
        "vocabulary": ("vocab.json", lambda path: tokenizer_files.find(path.with_name("model.safetensors"), 50_300)),
        **inside.readers(),
    }


def attempt(target: str, data: bytes) -> None:
    """Let the reader of a target open these bytes. UserError is an answer; everything else is raised."""
    from gptstudio.errors import UserError

    name, read = readers()[target]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:  # noqa: S108
        path = Path(folder) / (f"file{name}" if name.startswith(".") else name)
        path.write_bytes(data)
        with suppress(UserError):
            read(path)


def kept(target: str) -> Iterator[Path]:
    """Yield the committed files of a target."""
    return iter(sorted((CORPUS / target).glob("*")))


def main(argv: list[str]) -> int:
    if argv[:1] == ["--one"]:
        return fuzz_here(argv[1], argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(readers()))
    parser.add_argument("--seconds", type=int, default=3600, help="of all targets together")
    parser.add_argument("--work", type=Path, default=HERE.parents[1] / "build" / "fuzz", help="for inputs and findings")
    options = parser.parse_args(argv)
    targets = options.targets or list(readers())
    found = [target for target in targets if not fuzz(target, options.seconds // len(targets), options.work)]
    print(f"{len(targets)} targets, with findings: {', '.join(found) or 'none'}")
    return len(found)


def fuzz(target: str, seconds: int, work: Path) -> bool:
    """Fuzz one target in a separate process, and keep the smallest files that reach as much.

    Returns:
        True if nothing was found.
    """
    inputs, small, findings = work / target, work / f"{target}-small", work / f"{target}-found"
    for folder in (inputs, findings):
        folder.mkdir(parents=True, exist_ok=True)
    for seed in [*kept(target), *seeds(target)]:
        shutil.copy(seed, inputs / f"seed-{seed.name}")
    inside.write_seed(target, inputs / "seed-real")
    if target in ("pth", "safetensors"):
        write_small_weights(target, inputs / "seed-tiny")
    program = [sys.executable, __file__, "--one", target]
    limits = ["-timeout=10", "-rss_limit_mb=3000", f"-max_len={4 * MOST_BYTES}", "-detect_leaks=0"]
    with (work / f"{target}.log").open("w", encoding="utf-8") as log:
        def run(*arguments: object) -> None:
            subprocess.run([*program, *limits, *map(str, arguments)], stdout=log, stderr=log, check=False)

        run(f"-artifact_prefix={findings}/", f"-max_total_time={seconds}", inputs)
        shutil.rmtree(small, ignore_errors=True)
        small.mkdir()
        run("-merge=1", small, inputs)
    short = (file for file in small.iterdir() if file.stat().st_size <= MOST_BYTES)
    files = sorted(short, key=lambda file: (file.stat().st_size, file.name))
    shutil.rmtree(CORPUS / target, ignore_errors=True)
    (CORPUS / target).mkdir(parents=True)
    for file in files[:: max(1, -(-len(files) // MOST_FILES))]:
        shutil.copy(file, CORPUS / target / file.name[:16])
    return not any(findings.iterdir())


def seeds(target: str) -> Iterator[Path]:
    """Yield real files of a kind that are in the source already."""
    patterns = {
        "lesson": "resources/lessons/*/*.toml", "settings": "tests/version_0_1/elsewhere/settings.toml",
        "journal": "tests/version_0_1/runs/*/journal.jsonl", "packed-run": "tests/version_0_1/elsewhere/*.zip",
        "report": "tests/formats/report-*.html", "text": "resources/texts/story.txt",
    }
    if target in patterns:
        yield from HERE.parents[1].glob(patterns[target])


def write_small_weights(target: str, file: Path) -> None:
    """Write a real file of weights, as small as a model can be, for a target that has none among the sources."""
    import torch
    from safetensors.torch import save_file

    from gptstudio.gpt import weights
    from gptstudio.gpt.config import GPTConfig
    from gptstudio.gpt.model import GPTModel

    tiny = GPTConfig(vocab_size=3, context_length=2, emb_dim=2, n_heads=1, n_layers=1)
    state = weights.to_book(GPTModel(tiny).state_dict(), tiny)
    if target == "pth":
        torch.save(state, file)
    else:
        save_file({name: tensor.clone() for name, tensor in state.items() if "mask" not in name}, file)


def fuzz_here(target: str, arguments: list[str]) -> int:
    """Become libFuzzer for one target."""
    import atheris
    import torch  # noqa: F401 - before instrumentation, which is for our own modules

    with atheris.instrument_imports(include=["gptstudio", "tomllib", "zipfile", "json"]):
        readers()
    again = f"{sys.executable} {__file__} --one {target}"  # how libFuzzer starts itself again to merge
    os.environ["GPTSTUDIO_HOME"] = tempfile.mkdtemp(prefix="fuzz-home-")
    sys.addaudithook(refuse_side_effects)
    atheris.Setup([again, *arguments], lambda data: attempt(target, data))
    atheris.Fuzz()
    return 0


def refuse_side_effects(event: str, arguments: tuple) -> None:
    """Make a finding of a reader that writes outside of temporary folders, starts a program, connects or unpickles."""
    if event == "open":
        path, mode, _ = arguments
        if isinstance(path, (str, Path)) and set(mode or "") & set("wax+") and not str(path).startswith(WRITABLE):
            raise AssertionError(f"wrote {path}")
    elif event in ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "socket.connect", "pickle.find_class"):
        raise AssertionError(f"{event} {arguments}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
