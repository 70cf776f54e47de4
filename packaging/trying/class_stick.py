"""Trials of a USB stick for a class: installing from it while it is read-only, and collecting results."""

import json
import time
from pathlib import Path

from trying import life
from trying.machine import Screen, Trials, User

LEARNERS = ("first", "second", "third")
STEPS = 12
SMALL = ("--n-layers", "2", "--n-heads", "2", "--emb-dim", "64", "--context-length", "32")


def try_stick(trials: Trials, stick: Path, user: User, screen: Screen) -> None:
    """Install from the stick, check settings, lesson and window, train, hand in, and remove everything.

    Args:
        stick: mount point of the stick.
    """
    program = user.home / ".local/bin/gptstudio"
    before = user.files()
    with trials.tried("the stick is read-only"):
        assert user.do("touch", stick / "results/a").returncode, "a file could be written"
    with trials.tried("sh install.sh by an ordinary user") as notes:
        done = user.do("sh", stick / "install.sh")
        assert done.returncode == 0, done.stdout + done.stderr
        notes.append(done.stdout.splitlines()[-1])
    with trials.tried("gptstudio settings: those of the class, with texts and lesson that are there"):
        found = json.loads(user.do(program, "settings", "--json").stdout)
        assert not found["faults"], found["faults"]
        assert Path(found["lesson"]).is_relative_to(user.home), found
        assert Path(found["texts"]).is_relative_to(user.home), found
    with trials.tried("gptstudio settings --check: this computer is ready") as notes:
        done = user.do(program, "settings", "--check")
        notes.append("; ".join(done.stdout.splitlines()))
        assert done.returncode == 0, done.stdout
    with trials.tried("started from its menu entry, with the lesson of the class") as notes:
        _, seconds = life.start(user, screen, "gio", "launch", user.data / "applications/gptstudio.desktop")
        notes.append(f"window after {seconds:.2f} s")
        time.sleep(life.AWAKE_S + life.PAGE_S)
        notes.append(screen.picture("stick-lesson").name)
        life.leave(user)
    collect(trials, program, user)
    with trials.tried("uninstalled: runs, logs, texts and lesson are left, and nothing else"):
        assert user.do(user.home / ".local/bin/gptstudio-uninstall").returncode == 0
        theirs = [user.data / "gptstudio", user.home / ".local/state/gptstudio", user.home / "gptstudio-class",
                  user.home / "results", user.home / ".cache/fontconfig"]  # the last is used by all programs with text
        new = map(Path, user.files() - before)
        left = [path for path in new if path.is_file() and not any(map(path.is_relative_to, theirs))]
        assert not left, left


def collect(trials: Trials, program: Path, user: User) -> None:
    """Train a run for each of three learners, and compare their reports like the class view."""
    results = user.home / "results"
    with trials.tried("three learners train and write reports"):
        user.do("mkdir", results)
        for seed, name in enumerate(LEARNERS):
            done = user.do(program, "train", *SMALL, "--steps", f"{STEPS}", "--seed", f"{seed}", "--json")
            assert done.returncode == 0, done.stderr
            newest = max(user.runs.iterdir(), key=lambda run: run.stat().st_mtime).name
            done = user.do(program, "report", newest, results / f"{name}.html")
            assert done.returncode == 0, done.stderr
    with trials.tried("gptstudio class reads them all") as notes:
        done = user.do(program, "class", results, "--json")
        assert done.returncode == 0, done.stderr
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(rows) == len(LEARNERS), rows
        notes.append(f"{len(rows)} reports")
