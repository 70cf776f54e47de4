"""Trials of starting the program from unusual paths and in unusual environments."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from children import start

from trying import life
from trying.machine import Screen, Trials, User, words

UNCHANGED = ("C", "POSIX")
REFUSED_S = 15
"""Seconds after which pressing Start counts as refused, with a message on the screen."""


def try_conditions(trials: Trials, installer: Path, user: User, screen: Screen) -> None:
    """Start from a path with spaces and Chinese characters, in different locales, and without a usable home folder."""
    place = user.home / "我的 程序 ü"
    moved = place / "安装 file.run"
    user.do("mkdir", place)
    shutil.copy(installer, moved)
    moved.chmod(0o644)
    with trials.tried("installed from and into a path with spaces and Chinese, LANG=C"):
        done = user.do("sh", moved, "--quiet", "--target", place / "GPT Studio", LANG="C")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    program = place / "GPT Studio/current/gptstudio"
    for locale in UNCHANGED:
        with trials.tried(f"passes its self-test from there with LC_ALL={locale}") as notes:
            done = user.do(program, "--selftest", user.home / f"self-test {locale}", LC_ALL=locale)
            assert done.returncode == 0, done.stdout + done.stderr
            notes.append(f"{len(done.stdout.splitlines())} stages")
    with trials.tried("its window opens from the menu entry there with LANG=C") as notes:
        _, seconds = life.start(user, screen, "gio", "launch", user.data / "applications/gptstudio.desktop", LANG="C")
        notes.append(f"window after {seconds:.2f} s")
        screen.picture("run-strange-path")
        life.leave(user)
    try_homes(trials, program, user, screen)
    with trials.tried("the installer with a HOME that does not exist refuses in words") as notes:
        done = user.do("sh", installer, HOME="/nonexistent")
        assert done.returncode == 1
        notes.append(done.stderr.strip())
    with trials.tried("uninstalled from there"):
        assert user.do(place / "GPT Studio/gptstudio-uninstall").returncode == 0
        assert not (place / "GPT Studio").exists()


def try_homes(trials: Trials, program: Path, user: User, screen: Screen) -> None:
    """Start without HOME, with a folder that does not exist, and with one on a read-only disk."""
    locked = Path(screen.work) / "locked-home"
    locked.mkdir(exist_ok=True)
    locked.chmod(0o555)
    homes = {"without HOME": None, "HOME does not exist": "/nonexistent", "HOME may not be written": str(locked)}
    for what, home in homes.items():
        with trials.tried(f"{what}: the window opens, and Start trains or says why not") as notes:
            errors = screen.work / "errors.txt"
            with errors.open("wb") as file:
                process = start(*user.command(program, DISPLAY=screen.NUMBER, HOME=home), stderr=file)
            with its_end_said(process, errors, user):
                window = screen.window()
                trains = life.press_start(user, screen, window, REFUSED_S)
                notes.append("it trains" if trains else "it does not train; what it says is in the picture")
                screen.picture(f"home-{what.split()[-1]}")
                assert process.poll() is None, "the window is gone"
                life.leave(user)
                process.wait(30)
                assert "Traceback" not in words(errors), "an error is on the terminal"
    shutil.rmtree(locked)


@contextmanager
def its_end_said(process: subprocess.Popen[bytes], errors: Path, user: User) -> Iterator[None]:
    """Context manager that adds to a failed check whether the program had ended, its exit code and its last output, and
    then ends the program."""
    try:
        yield
    except AssertionError as error:
        code = process.poll()
        user.kill()
        ended = "it was still running" if code is None else f"it had ended with code {code}"
        raise AssertionError(f"{error}; {ended}; it said: {words(errors)[-800:].strip() or 'nothing'}") from error
