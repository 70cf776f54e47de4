"""Root file systems of other Linux systems, made by debootstrap and entered in separate namespaces.

Everything written in one goes to a layer above it (overlayfs), which is removed afterwards.
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from children import SetupError, call, checked, say
from linux.deb import NEEDED, RECOMMENDED
from system_libraries import INSTALLER_TOOLS, PACKAGES

NAMES = {"jammy": "Ubuntu 22.04", "noble": "Ubuntu 24.04", "bookworm": "Debian 12", "trixie": "Debian 13"}
"""Names of the systems by their suites, the oldest first within a distribution."""
OLDEST = "jammy"
"""System on which installers are built: a frozen program needs the C library of the system that it was frozen on, or a
newer one."""
PYTHON = "/opt/python3.11"
"""Folder, in every system, of the Python that runs the programs of packaging; built on the oldest, it runs on all."""
PYTHON_LIBRARIES = ("libssl-dev", "zlib1g-dev", "libbz2-dev", "liblzma-dev", "libsqlite3-dev", "libffi-dev", "uuid-dev",
                    "pkg-config", "make")
PROFILE = "-m test --pgo test_json test_re test_dict test_list test_generators test_unpack test_functools"
"""Profiling task for optimising Python; CPython's default takes half an hour of one core."""
TRIALS = ("xvfb", "xdotool", "imagemagick", "libglib2.0-bin", "binutils", "makeself", "xz-utils", "ca-certificates")
ON_UBUNTU = "main,universe"
PASSED_ON = ("PIP_", "SSL_CERT_", "REQUESTS_CA_", "SOURCE_DATE_EPOCH", "DEB")
"""Prefixes of the environment variables passed on to a command in a root file system."""


class System:
    """Root file system in a folder.

    Args:
        suite: a key of ``NAMES``.
        folder: folder of all root file systems.
    """

    def __init__(self, suite: str, folder: Path) -> None:
        self.suite, self.folder, self.root = suite, folder, folder / suite

    @property
    def name(self) -> str:
        return NAMES[self.suite]

    def make(self) -> None:
        """Create the root file system unless it exists: a minimal system with the packages that the window and the
        trials need.

        Raises:
            SetupError: a tool failed.
        """
        if (self.root / "made").exists():
            return
        say(f"Making {self.name} in {self.root} ...")
        ubuntu = self.name.startswith("Ubuntu")
        with debootstrap_scripts(self.suite) as scripts:
            components = ["--components", ON_UBUNTU] if ubuntu else []
            done = call("debootstrap", "--variant=minbase", *components, self.suite, self.root,
                        env=os.environ | {"DEBOOTSTRAP_DIR": str(scripts)})
        if done.returncode:
            raise SetupError(f"debootstrap failed for {self.name}:\n{(done.stdout + done.stderr)[-1500:]}")
        self._add_updates()
        packages = {*TRIALS, *PACKAGES.values(), *INSTALLER_TOOLS.values(), *PYTHON_LIBRARIES,
                    *(each.split(" | ")[0] for each in (*NEEDED.values(), *RECOMMENDED.values()))}
        self.run("sh", "-euc", "apt-get -qy update; apt-get -qy install --no-install-recommends "
                 f"{shlex.join(sorted(packages))}; apt-get clean", keep=True, network=True, quiet=True)
        (self.root / "made").touch()

    def _add_updates(self) -> None:
        """Enable the suites with updates, if they are on the same server."""
        sources = self.root / "etc/apt/sources.list"
        first = sources.read_text(encoding="utf-8").splitlines()[0]
        suites = ["updates", "security"] if self.name.startswith("Ubuntu") else ["updates"]
        more = [first.replace(f" {self.suite} ", f" {self.suite}-{each} ") for each in suites]
        sources.write_text("\n".join([first, *more]) + "\n", encoding="utf-8")

    def make_python(self, source: Path) -> None:
        """Compile CPython in this system, into the folder shared by all systems, unless it exists.

        Args:
            source: CPython's unpacked source.

        Raises:
            SetupError: it could not be compiled.
        """
        target = self.folder / "python"
        if (target / "bin/python3").exists():
            return
        say("Compiling Python there, which takes a few minutes ...")
        target.mkdir(parents=True, exist_ok=True)
        steps = ("cp -r /source /tmp/python", "cd /tmp/python",
                 f"LDFLAGS=-Wl,-rpath,{PYTHON}/lib ./configure --prefix={PYTHON} --enable-shared "
                 "--enable-optimizations",
                 f"make -j{os.cpu_count()} PROFILE_TASK={shlex.quote(PROFILE)}", "make install")
        self.run("sh", "-euc", "; ".join(steps), binds={source: "/source"}, shared={target: PYTHON}, quiet=True)

    def run(self, *command: object, binds: Mapping[Path, str] | None = None, shared: Mapping[Path, str] | None = None,
            keep: bool = False, network: bool = False, quiet: bool = False) -> None:
        """Run a command in the root file system as root, with this machine's /dev and /sys, and separate processes.

        Args:
            binds: files and folders of this machine to mount read-only, and their paths there.
            shared: the same, mounted writable.
            keep: whether written files stay in the root file system; otherwise they go to a layer that is removed.
            network: whether there is a network.
            quiet: whether the output is printed only if the command fails.

        Raises:
            SetupError: the command failed.
        """
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".layer-") as layer:
            place = self.root if keep else Path(layer) / "root"
            script = "\n".join([*self._mounts(Path(layer), place, keep), *bind_mounts(place, binds or {}, "ro"),
                                *bind_mounts(place, shared or {}, "rw"),
                                f"exec chroot {place} env -i {environment()} {shlex.join(map(str, command))}"])
            apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"])]
            output = subprocess.PIPE if quiet else None
            done = call(*apart, "sh", "-euc", script, stdout=output, stderr=subprocess.STDOUT if quiet else None)
        if done.returncode:
            raise SetupError(f"A command failed in {self.name} ({done.returncode}).\n{(done.stdout or '')[-2500:]}")

    def _mounts(self, layer: Path, place: Path, keep: bool) -> Iterator[str]:
        """Yield the shell commands that mount the root file system at a path."""
        if not keep:
            for name in ("root", "upper", "work"):
                (layer / name).mkdir()
            layers = f"lowerdir={self.root},upperdir={layer}/upper,workdir={layer}/work"
            yield f"mount -t overlay overlay -o {layers} {place}"
        else:
            yield f"mount --bind {place} {place}"
        yield f"mount -t proc proc {place}/proc"
        yield f"mount --rbind /dev {place}/dev"
        yield f"mount --rbind /sys {place}/sys"
        for file in ("/etc/resolv.conf", "/etc/hosts"):  # without the second, some programs do not know localhost
            if Path(file).exists():
                yield f"cp --remove-destination {file} {place}{file}"


def bind_mounts(place: Path, binds: Mapping[Path, str], mode: Literal["ro", "rw"]) -> Iterator[str]:
    """Yield the shell commands that mount folders and files of this machine in a root file system."""
    for outside, inside in binds.items():
        target = shlex.quote(f"{place}{inside}")
        yield f"mkdir -p {target}" if outside.is_dir() else f"mkdir -p $(dirname {target}); touch {target}"
        yield f"mount --bind {shlex.quote(str(outside))} {target}"
        yield f"mount -o remount,bind,{mode} {target}"


def environment() -> str:
    """Return the environment variables for a command in a root file system, quoted for a shell."""
    kept = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    usual = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
             "DEBIAN_FRONTEND": "noninteractive"}
    return shlex.join(f"{name}={value}" for name, value in (usual | kept).items())


@contextmanager
def mounted_stick(folder: Path) -> Iterator[Path]:
    """Context manager that mounts an image with the files of a folder, read-only. It is ext4, since not every kernel
    supports FAT."""
    with tempfile.TemporaryDirectory(prefix="gptstudio-stick-") as made:
        image, place = Path(made) / "stick.img", Path(made) / "stick"
        place.mkdir()
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        checked("mkfs.ext4", "-q", "-d", folder, image, f"{size // 1000 + 50_000}k")
        checked("mount", "-o", "loop,ro", image, place)
        try:
            yield place
        finally:
            checked("umount", place)


@contextmanager
def debootstrap_scripts(suite: str) -> Iterator[Path]:
    """Yield a folder with debootstrap's scripts, to which one for the suite is added if debootstrap does not know
    it."""
    there = Path("/usr/share/debootstrap")
    if (there / "scripts" / suite).exists() or NAMES[suite].startswith("Debian"):
        yield there
        return
    with tempfile.TemporaryDirectory() as folder:
        copied = shutil.copytree(there, Path(folder) / "debootstrap", symlinks=True)
        (copied / "scripts" / suite).symlink_to(os.readlink(there / "scripts/jammy"))
        yield copied
