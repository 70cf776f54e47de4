"""Broken installers, and installers run over an existing program: refused, or installed cleanly. Only the runs are
kept.

The program in them is a small one (``tests/installing.py``). ``packaging/try_installed.py`` does the same with the real
one, on a machine where it may be installed.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from installing import PACKAGING, Home, need, snapshot

pytestmark = [
    pytest.mark.fault(25),
    pytest.mark.skipif(sys.platform != "linux", reason="these installers are for Linux"),
]

SEALED = b"# The digest covers everything below this line.\n"
AS_ROOT = pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="dpkg and mount ask for root")


@pytest.fixture
def home(tmp_path) -> Home:
    return Home(tmp_path / "home of 学生")


@pytest.fixture(params=[3, pytest.param(1, marks=pytest.mark.release)], ids=["some", "all"])
def one_of(request) -> int:
    """Return the number by which the tries are divided; before a release, all of them are made."""
    return request.param


def flipped(data: bytes, bit: int) -> bytes:
    """Return the bytes with one bit flipped."""
    return data[:bit // 8] + bytes([data[bit // 8] ^ (1 << bit % 8)]) + data[bit // 8 + 1:]


def test_that_an_installer_that_was_cut_or_changed_is_refused_and_writes_nothing(
    tmp_path, installer, home, fault, one_of
):
    whole, before, damaged = installer().read_bytes(), home.everything(), tmp_path / "damaged.run"
    shebang, sealed, rng = whole.index(b"\n") + 2, whole.index(SEALED) + len(SEALED), random.Random(25)
    ends = [shebang, shebang + 40, 500, 2000, len(whole) - 1]
    ends += [rng.randrange(shebang, len(whole)) for _ in range(36 // one_of)]
    bits = [rng.randrange(sealed * 8, len(whole) * 8) for _ in range(60 // one_of)]
    for what, data, codes in (
        *((f"cut at byte {end}", whole[:end], range(1, 256)) for end in ends),
        *((f"bit {bit} of {len(whole) * 8}", flipped(whole, bit), (3,)) for bit in bits),
        ("a page of zeros", whole[:8192] + bytes(4096) + whole[12288:], (3,)),
        ("appended", whole + b"\n", (3,)),
        ("line ends of Windows", whole.replace(b"\n", b"\r\n"), range(1, 256)),
    ):
        damaged.write_bytes(data)
        with fault.tried(what):
            done = home.install(damaged)
            assert done.returncode in codes
            assert done.stderr
            assert home.everything() == before


def test_that_a_flipped_bit_in_the_few_lines_of_the_seal_harms_nothing(tmp_path, fault, one_of):
    """In a comment, or in a message that is not printed, it is not noticed, but the program that then runs is
    complete."""
    from linux import onefile

    head = (PACKAGING / "linux/installer.sh").read_bytes().partition(SEALED)[0] + SEALED
    made, flip, room = tmp_path / "made.run", tmp_path / "flipped.run", tmp_path / "room"
    made.write_bytes(head + b"echo whole >ran; exit 0\n" + bytes(3000))
    onefile.seal(made)
    whole = made.read_bytes()
    room.mkdir()
    for bit in range(0, len(head) * 8, 11 * one_of):
        flip.write_bytes(flipped(whole, bit))
        with fault.tried(f"bit {bit}, {whole[bit // 8:bit // 8 + 1]!r}"):
            done = subprocess.run(["sh", flip], cwd=room, capture_output=True, stdin=subprocess.DEVNULL, timeout=20)
            files = [path.name for path in room.iterdir()]
            for file in room.iterdir():
                file.unlink()
            assert files == ([] if done.returncode else ["ran"])


def test_that_an_older_version_is_removed_and_the_runs_stay(installer, home, fault):
    old, new, same = installer("1.0"), installer("1.1"), home.everything()
    with fault.tried("over an older version"):
        assert home.install(old).returncode == 0
        assert home.install(new).returncode == 0
        assert [folder.name.rsplit(".", 2)[0] for folder in home.versions()] == ["1.1"]
        assert snapshot(home.data / "gptstudio") == {name.removeprefix(".local/share/gptstudio/"): data
                                                     for name, data in same.items()
                                                     if name.startswith(".local/share/gptstudio/")}
    with fault.tried("over the same version"):
        assert home.install(new).returncode == 0
        assert len(home.versions()) == 1
        assert home.do(home.program, "--version").returncode == 0
    with fault.tried("uninstalled"):
        done = home.do(home.uninstaller)
        assert done.returncode == 0
        assert f"are kept in {home.data / 'gptstudio'}" in done.stdout
        assert home.everything() == same


def test_that_a_running_program_keeps_its_files_over_an_upgrade(installer, home, fault):
    old, new, before = installer("1.0"), installer("1.1"), home.everything()
    assert home.install(old).returncode == 0
    mine, = home.versions()
    files = snapshot(mine)
    with subprocess.Popen([home.program, "60"]) as running:
        try:
            with fault.tried("installed over while it runs"):
                done = home.install(new)
                assert done.returncode == 0
                assert "still running" in done.stdout
                assert running.poll() is None
                assert snapshot(mine) == files
                assert (home.target / "current/gptstudio").resolve().parent != mine
            with fault.tried("uninstalled while it runs"):
                done = home.do(home.uninstaller)
                assert done.returncode == 1
                assert "Close it first" in done.stderr
                assert running.poll() is None
                assert home.do(home.program, "--version").returncode == 0
        finally:
            running.kill()
    with fault.tried("the next installation"):
        assert home.install(new).returncode == 0
        assert mine not in home.versions()
        assert len(home.versions()) == 1
    with fault.tried("uninstalled"):
        assert home.do(home.uninstaller).returncode == 0
        assert home.everything() == before


def kill_on_the_way(home: Home, made: Path, how: signal.Signals, after_s: float) -> None:
    """Start an installation and kill it after that time; if it was done by then, kill the next one sooner.

    A finished installation is removed in between if nothing was installed before.
    """
    environment, first = {"HOME": str(home.folder), "PATH": os.environ["PATH"]}, not home.versions()
    for _ in range(40):
        with subprocess.Popen(["sh", made, "--quiet"], env=environment, start_new_session=True) as process:
            try:
                assert process.wait(after_s) == 0, "it failed by itself"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, how)
        if process.returncode != 0:
            return
        if first:
            assert home.do(home.uninstaller).returncode == 0
        after_s *= 0.8
    pytest.fail("no kill hit it")


def test_that_a_killed_installation_leaves_a_program_that_starts(installer, home, fault, one_of):
    old, new, before = installer("1.0"), installer("1.1"), home.everything()
    assert home.install(old).returncode == 0
    started = time.monotonic()
    assert home.install(new, "--quiet").returncode == 0
    takes = time.monotonic() - started
    for number in range(0, 12, one_of):
        how = signal.SIGKILL if number % 2 else signal.SIGTERM
        with fault.tried(f"{how.name} after {number} twelfths"):
            kill_on_the_way(home, new, how, takes * number / 12)
            assert home.do(home.program, "--version").returncode == 0
    with fault.tried("installed afterwards"):
        assert home.install(new).returncode == 0
        assert len(home.versions()) == 1
        assert not list(home.target.glob(".new.*"))
        assert home.do(home.uninstaller).returncode == 0
        assert home.everything() == before


def test_that_an_unsuitable_place_is_refused_before_anything_is_written(tmp_path, installer, home, fault):
    made = installer()
    (home.folder / "full").mkdir()
    (home.folder / "full/diary.txt").write_text("mine")
    (home.folder / "file").write_text("")
    before = home.everything()
    gone = str(tmp_path / "nobody")
    for words, options, variables in (
        ("does not exist", [], {"HOME": gone}),
        ("contains other files", ["--target", "full"], {}),
        ("cannot be written", ["--target", "file/program"], {}),
        ("cannot be read", ["--settings", "none.toml"], {}),
    ):
        with fault.tried((words, options, variables)):
            done = home.install(made, *options, **variables)
            assert done.returncode == 1
            assert words in done.stderr
            assert home.everything() == before
            assert not Path(gone).exists()


def test_that_a_killed_first_installation_can_be_completed_and_removed(installer, home, fault, one_of):
    made, before = installer(), home.everything()
    for after_s in (0.02, 0.06, 0.15, 0.3)[::one_of]:
        with fault.tried(f"after {after_s} s"):
            kill_on_the_way(home, made, signal.SIGKILL, after_s)
            assert home.install(made).returncode == 0
            assert home.do(home.uninstaller).returncode == 0
            assert home.everything() == before


@AS_ROOT
def test_that_a_disk_without_enough_room_is_refused_with_a_message(installer, home, fault):
    made, small = installer(), home.folder / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", small], check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        with fault.tried("too small"):
            done = home.install(made, "--target", str(small / "program"))
            assert done.returncode == 1
            assert "not enough space" in done.stderr
            assert list(small.iterdir()) == []
        subprocess.run(["mount", "-o", "remount,ro", small], check=True)
        with fault.tried("read-only"):
            done = home.install(made, "--target", str(small / "program"))
            assert done.returncode == 1
            assert "cannot be written" in done.stderr
    finally:
        subprocess.run(["umount", small], check=True)


def test_that_a_program_that_does_not_start_here_replaces_nothing(installer, home, fault):
    good, bad = installer(), installer("1.1", "false")
    for what in ("on its own", "over one that starts"):
        with fault.tried(what):
            before = home.everything()
            done = home.install(bad)
            assert done.returncode == 1
            assert "does not start on this system" in done.stderr
            assert home.everything() == before
        home.install(good)


class System:
    """An empty root folder for dpkg."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("updates", "info", "triggers"):
            (folder / "var/lib/dpkg" / name).mkdir(parents=True)
        (folder / "var/lib/dpkg/status").touch()
        run = folder / "home/student/.local/share/gptstudio/runs/one"
        run.mkdir(parents=True)
        (run / "journal.jsonl").write_text("{}\n")

    def dpkg(self, *command: str | Path) -> subprocess.CompletedProcess[str]:
        options = [f"--root={self.folder}", "--force-depends", "--force-script-chrootless", "--log=/dev/null"]
        return subprocess.run(["dpkg", *options, *map(str, command)], capture_output=True, text=True, check=False)

    def everything(self) -> dict[str, str | bytes]:
        """Return all files except dpkg's own records."""
        return {name: data for name, data in snapshot(self.folder).items() if not name.startswith("var")}


@pytest.fixture
def system(tmp_path) -> System:
    need("dpkg")
    return System(tmp_path / "system")


@AS_ROOT
def test_that_a_damaged_package_is_refused_or_its_content_was_not_damaged(tmp_path, package, system, fault, one_of):
    """A bit in a time stamp of the package's outer archive does not affect its content."""
    made = package()
    whole, before, other = made.read_bytes(), system.everything(), tmp_path / "other.deb"
    assert system.dpkg("--install", made).returncode == 0
    right = system.everything()
    assert system.dpkg("--purge", "gptstudio").returncode == 0
    rng = random.Random(25)
    tries = {f"cut at byte {end}": whole[:end] for end in (rng.randrange(len(whole)) for _ in range(12 // one_of))}
    tries |= {f"bit {bit}": flipped(whole, bit) for bit in (rng.randrange(len(whole) * 8) for _ in range(24 // one_of))}
    for what, data in tries.items():
        other.write_bytes(data)
        with fault.tried(what):
            done = system.dpkg("--install", other)
            assert "cut" not in what or done.returncode != 0
            assert system.everything() == (before if done.returncode else right)
            system.dpkg("--purge", "gptstudio")


@AS_ROOT
def test_that_a_package_over_an_older_one_and_purged_leaves_the_runs_alone(package, system, fault):
    old, new, before = package("1.0"), package("1.1"), system.everything()
    assert system.dpkg("--install", old).returncode == 0
    with (subprocess.Popen([system.folder / "opt/gptstudio/gptstudio", "60"]) as running,
          fault.tried("over an older version that runs")):
        try:
            assert system.dpkg("--install", new).returncode == 0
            assert running.poll() is None
            assert "Version: 1.1\n" in system.dpkg("--status", "gptstudio").stdout
        finally:
            running.kill()
    with fault.tried("verified"):
        assert system.dpkg("--verify", "gptstudio").stdout == ""
    with fault.tried("purged"):
        assert system.dpkg("--purge", "gptstudio").returncode == 0
        assert system.everything() == before
