"""Runs that are trained once for a module, and copied for each test that wants one like them."""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def kept_runs(tmp_path_factory) -> Iterator[Path]:
    """The folder of the originals; they are removed with the module, because whole runs fill a disk."""
    folder = tmp_path_factory.mktemp("kept")
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def study_once(study, kept_runs) -> Callable[..., Any]:
    """Return a function like ``study`` that copies a run requested before in this module: a separate run with its own
    name, title and time. Its journal names the folder in which it was trained, as that of a moved run does.
    ``resumed``: stopped at a step, and continued to the end."""
    from gptstudio.training.control import Control
    from gptstudio.training.launch import resume
    from gptstudio.training.run_folder import RunFolder

    def run(
        title: str = "", stop_at: int | None = None, path: Path | None = None, resumed: bool = False, **changes: Any
    ) -> RunFolder:
        asked = json.dumps([stop_at, resumed, changes], default=repr, sort_keys=True)
        names = kept_runs / "names.json"
        known = json.loads(names.read_text()) if names.exists() else {}
        if asked not in known:
            original = study(stop_at=stop_at, path=kept_runs / f"run {len(known)}", **changes)
            if resumed:
                resume(original, Control(), [])
            known[asked] = f"kept {len(known)}"
            original.path.rename(kept_runs / known[asked])
            names.write_text(json.dumps(known))
        return _copy(RunFolder(kept_runs / known[asked]), title, path)

    return run


def _copy(original: Any, title: str, path: Path | None) -> Any:
    from gptstudio import files, paths
    from gptstudio.gpt.config import config_name
    from gptstudio.training.run_folder import RunFolder, stamp

    record, created = original.record(), datetime.now().astimezone()
    path = path or files.make_unused_folder(paths.runs(), f"{stamp(created)}_{config_name(record.spec.config)}")
    shutil.copytree(original.path, path, dirs_exist_ok=True)
    made = RunFolder(path)
    made.write(record.model_copy(update={"created": created, "title": title}))
    return made
