"""Trials of the .deb, which installs for all users of the machine."""

import re
import time
from pathlib import Path

from children import call
from linux.deb import C_LIBRARY, NEEDED, RECOMMENDED
from places import ROOT

from trying import life
from trying.machine import Screen, Trials, User, disk, is_cache

ENTRY = "/usr/share/applications/gptstudio.desktop"


def try_package(trials: Trials, app: Path, packages: list[Path], user: User, screen: Screen) -> None:
    """Install the package, start it, train, upgrade and purge."""
    with trials.tried("the package asks for every library that the program does not bring"):
        lacking = asked_for(app) - {path.name for path in app.rglob("*")} - {*C_LIBRARY, *NEEDED, *RECOMMENDED}
        assert not lacking, lacking
    others = (ROOT.parent, screen.work, user.home)
    before = disk(*others)
    with trials.tried("apt-get install ./gptstudio.deb"):
        apt("install", f"{packages[0]}")
    with trials.tried("started from its menu entry by an ordinary user") as notes:
        window, seconds = life.start(user, screen, "gio", "launch", ENTRY)
        notes.append(f"window after {seconds:.2f} s")
    with trials.tried("trains at one press") as notes:
        life.train(user, screen, window)
        notes.append(f"{user.events(event='step_done')} steps; {screen.picture('deb-training').name}")
    with trials.tried("upgraded while it trains, which goes on, stops and saves"):
        apt("install", f"{packages[1]}")
        assert "post1" in call("dpkg-query", "-W", "gptstudio").stdout
        life.stop(user, screen, window)
        screen.picture("deb-trained")
    with trials.tried("every page opens in the program that runs on after the upgrade"):
        life.visit_pages(user, screen, window)
        screen.picture("deb-pages-after-upgrade")
    with trials.tried("left by a polite signal"):
        life.leave(user)
    runs = sorted(user.runs.glob("*"))
    with trials.tried("started again after the upgrade, with the run of before in its list") as notes:
        window, seconds = life.start(user, screen, "gio", "launch", ENTRY)
        assert sorted(user.runs.glob("*")) == runs
        assert len(runs) == 1
        notes.append(f"window after {seconds:.2f} s")
        time.sleep(life.AWAKE_S)
        screen.press(window, "ctrl+4")
        time.sleep(life.AWAKE_S)
        screen.picture("deb-runs")
        life.leave(user)
    with trials.tried("the command line lists the run"):
        assert runs[0].name in user.do("gptstudio", "runs", "--json").stdout
    with trials.tried("nothing was written to the program's own folder"):
        verified = call("dpkg", "--verify", "gptstudio").stdout
        extra = {str(path) for path in Path("/opt/gptstudio").rglob("*")} - owned("gptstudio")
        assert not verified
        assert not extra, extra
    with trials.tried("apt-get purge leaves the user's runs, and nothing else") as notes:
        kept = user.files()
        apt("purge", "gptstudio")
        after = disk(*others)
        left = sorted(path for path in after - before if not is_cache(path))
        assert not left, left[:10]
        assert user.files() == kept
        assert not [path for path in before - after if "gptstudio" in path]
        notes.append(f"of the user: {', '.join(sorted(name_of(user, path) for path in tops(user)))}")


def apt(command: str, what: str) -> None:
    """Install or remove packages without prompts."""
    done = call("apt-get", "-qy", "-o", "DPkg::Lock::Timeout=120", command, what,
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:]


def owned(package: str) -> set[str]:
    """Return the files of a package, as dpkg lists them."""
    return set(call("dpkg", "-L", package).stdout.splitlines())


def asked_for(app: Path) -> set[str]:
    """Return the names of all libraries that any part of the program requires."""
    programs = [path for path in app.rglob("*") if path.is_file() and path.open("rb").read(4) == b"\x7fELF"]
    said = call("objdump", "-p", *programs, check=True).stdout
    return set(re.findall(r"NEEDED\s+(\S+)", said))


def tops(user: User) -> set[Path]:
    """Return the program's folders in the user's home folder."""
    return {path for path in user.home.rglob("*") if path.name.startswith("gptstudio") and path.is_dir()}


def name_of(user: User, path: Path) -> str:
    return f"~/{path.relative_to(user.home)}"
