"""Trials of the one-file installer, for one user without root."""

import shutil
from pathlib import Path

from trying import life
from trying.machine import Screen, Trials, User, disk

REFUSED = 3


def try_installers(trials: Trials, installers: list[Path], user: User, screen: Screen) -> None:
    """Run damaged installers, then install, start, train, upgrade and uninstall."""
    old, new = installers
    kept = user.files()
    try_damaged(trials, old, user, screen.work / "damaged.run")
    with trials.tried("sh gptstudio.run by an ordinary user") as notes:
        done = user.do("sh", old)
        assert done.returncode == 0, done.stderr
        notes.append(done.stdout.splitlines()[-1])
    entry = user.data / "applications/gptstudio.desktop"
    with trials.tried("started from its menu entry") as notes:
        window, seconds = life.start(user, screen, "gio", "launch", entry)
        notes.append(f"window after {seconds:.2f} s")
    with trials.tried("the .run: trains at one press") as notes:
        life.train(user, screen, window)
        notes.append(f"{user.events(event='step_done')} steps; {screen.picture('run-training').name}")
    with trials.tried("the .run: upgraded while it trains, which goes on, stops and saves") as notes:
        done = user.do("sh", new, "--quiet")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        life.stop(user, screen, window)
        screen.picture("run-trained")
        assert len(list((user.data / "gptstudio-app").glob("[0-9]*"))) == 2
    with trials.tried("not uninstalled while it runs") as notes:
        done = user.do(user.home / ".local/bin/gptstudio-uninstall")
        assert done.returncode == 1
        notes.append(done.stderr.strip())
        life.leave(user)
    runs = set(user.runs.glob("*"))
    with trials.tried("started again after the upgrade, with its runs") as notes:
        window, seconds = life.start(user, screen, "gio", "launch", entry)
        assert set(user.runs.glob("*")) == runs
        notes.append(f"window after {seconds:.2f} s")
        life.leave(user)
    with trials.tried("installed once more: what the running one had kept is gone"):
        assert user.do("sh", new, "--quiet").returncode == 0
        assert len(list((user.data / "gptstudio-app").glob("[0-9]*"))) == 1
    with trials.tried("uninstalled: the user's runs are left, and nothing else") as notes:
        done = user.do(user.home / ".local/bin/gptstudio-uninstall")
        assert done.returncode == 0, done.stderr
        notes.append(done.stdout.strip().replace("\n", " "))
        of_the_program = {path for path in user.files() - kept if "/.local/share/gptstudio/" not in path}
        assert not {path for path in of_the_program if Path(path).is_file()}, of_the_program
        assert not (user.data / "gptstudio-app").exists()
        assert set(user.runs.glob("*")) == runs
        if left := sorted(of_the_program):
            notes.append(f"left of the user's own: {left}")
        assert not [path for path in disk(user.home, screen.work) if path.startswith("/opt/gptstudio")]


def try_damaged(trials: Trials, whole: Path, user: User, damaged: Path) -> None:
    """Run installers that are truncated or have a flipped bit in the middle, and check that nothing is installed."""
    before = user.files()
    for what in ("cut at its half", "one byte short", "one bit turned"):
        shutil.copy(whole, damaged)
        size = damaged.stat().st_size
        with trials.tried(f"a .run {what} is refused, and nothing is written") as notes:
            with damaged.open("r+b") as file:
                if what == "one bit turned":
                    file.seek(size // 2)
                    byte = file.read(1)[0]
                    file.seek(size // 2)
                    file.write(bytes([byte ^ 4]))
                else:
                    file.truncate(size // 2 if "half" in what else size - 1)
            done = user.do("sh", damaged)
            assert done.returncode == REFUSED, done
            assert user.files() == before
            notes.append(done.stderr.strip())
    damaged.unlink()
