"""The .deb: the program in /opt/gptstudio for all users of a machine.

No script runs at installation: the packages for menu entries, file types, icons and manuals notice new ones themselves
(dpkg's triggers).
"""

import gzip
import hashlib
import os
import re
import tempfile
from email.utils import format_datetime
from pathlib import Path
from textwrap import fill

from children import say
from places import ROOT, released

from linux import staging

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
C_LIBRARY = ("ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1",
             "libutil.so.1")
NEEDED = {
    "libEGL.so.1": "libegl1", "libGL.so.1": "libgl1", "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6", "libX11.so.6": "libx11-6", "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1", "libdbus-1.so.3": "libdbus-1-3", "libglib-2.0.so.0": "libglib2.0-0 | libglib2.0-0t64",
    "libgthread-2.0.so.0": "libglib2.0-0 | libglib2.0-0t64", "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1", "libz.so.1": "zlib1g", "libzstd.so.1": "libzstd1",
}
RECOMMENDED = {
    "libwayland-client.so.0": "libwayland-client0", "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
"""Libraries that the frozen program takes from the system, and their packages: for any window, and for a window on
Wayland. packaging/try_installed.py compares them with the program."""

CONTROL = """\
Package: gptstudio
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {recommends}
Suggests: fonts-noto-cjk
Section: education
Priority: optional
Description: build a GPT-2, train it, and watch it choose every token
 GPT Studio opens a window in which a small GPT-2 is built, trained on a text
 and decoded token by token, with every number on the way to be seen and to be
 changed. Experiments and lessons lead from tokens to a model that writes.
 .
 Everything that it needs is inside: texts, vocabulary, lessons, both languages
 (English and Simplified Chinese) and PyTorch for the processor. Nothing is
 fetched after the installation. Runs are kept in each user's own folder.
"""


def make(app: Path, version: str, out: Path) -> Path | None:
    """Make gptstudio_VERSION_ARCHITECTURE.deb in ``out``; None if dpkg-deb is missing."""
    architecture = ARCHITECTURES.get(staging.MACHINE)
    if architecture is None:
        say(f".deb skipped: Debian's name of the architecture {staging.MACHINE} is unknown.")
        return None
    if staging.lacks("The .deb", "dpkg-deb", "ar", "xz"):
        return None
    package = out / f"gptstudio_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=out, prefix=".deb-") as folder:
        root = staging.folder(Path(folder) / "root")
        lay_out(app, version, root)
        control = CONTROL.format(version=debian_version(version), architecture=architecture, maintainer=maintainer(),
                                 kilobytes=staging.kilobytes(root), depends=depends(),
                                 recommends=", ".join(RECOMMENDED.values()))
        sums = "".join(f"{digest(path)}  {path.relative_to(root)}\n" for path in files_of(root))
        staging.write(root / "DEBIAN/control", control.encode())
        staging.write(root / "DEBIAN/md5sums", sums.encode())
        staging.work("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, package)
        compress(package, Path(folder))
    return package


def compress(package: Path, folder: Path) -> None:
    """Compress the files in a package. dpkg-deb reads all filters of xz, but writes only its presets (deb(5))."""
    members = ["debian-binary", "control.tar", "data.tar"]
    staging.work("ar", "x", "--output", folder, package)
    package.unlink()
    staging.work("xz", "--threads=0", *staging.filters(), folder / "control.tar", folder / "data.tar")
    staging.work("ar", "rcSD", package, *(next(folder.glob(f"{name}*")) for name in members))


def lay_out(app: Path, version: str, root: Path) -> None:
    """Lay out all files as they will be installed under /."""
    staging.lay_app(app, staging.folder(root / "opt") / "gptstudio")
    staging.lay_share(version, root / "usr/share")
    os.symlink("/opt/gptstudio/gptstudio", staging.folder(root / "usr/bin") / "gptstudio")
    documents = root / "usr/share/doc/gptstudio"
    staging.write(documents / "copyright", copyright_file().encode())
    staging.write(documents / "changelog.gz", gzip.compress(changelog(version).encode(), mtime=0))


def debian_version(version: str) -> str:
    """Return a version in Debian's sort order: 0.2.0~rc1 comes before 0.2.0."""
    return re.sub(r"(\d)\.?(a|b|rc|dev)(\d)", r"\1~\2\3", version)


def depends() -> str:
    """Return the package's dependencies, including a C library at least as new as this machine's."""
    library = (os.confstr("CS_GNU_LIBC_VERSION") or "glibc 2.35").split()[-1]
    return ", ".join((f"libc6 (>= {library})", *sorted(set(NEEDED.values()))))


def files_of(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())


def digest(path: Path) -> str:
    """Return the MD5 checksum of a file, for `dpkg --verify`; it protects against accidents, not attacks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def copyright_file() -> str:
    """Return the copyright file in Debian's format: our licence, the vocabulary's, and the location of the others."""
    return f"""\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: GPT Studio
Comment: The versions, licences and SHA-256 of every part that is bundled (Python, PyTorch, Qt and others) are in
 /opt/gptstudio/NOTICES.txt.

Files: *
Copyright: 2026 The GPT Studio authors
License: Expat
{indented((ROOT / "LICENSE").read_text(encoding="utf-8"))}

Files: opt/gptstudio/_internal/resources/gpt2/*
Copyright: 2019 OpenAI
License: Modified-MIT
{indented((ROOT / "resources/gpt2/NOTICE").read_text(encoding="utf-8"))}
"""


def indented(text: str) -> str:
    """Return the lines of a field's value: indented by a space, with a full stop for an empty line."""
    return "\n".join(f" {line}" if line.strip() else " ." for line in text.strip().splitlines())


def maintainer() -> str:
    """Return the name and address of the package's maintainer, from the variables of Debian tools (debchange(1)). By
    default, the address is visibly invalid (RFC 2606, section 2)."""
    name = os.environ.get("DEBFULLNAME", "The GPT Studio authors")
    return f"{name} <{os.environ.get('DEBEMAIL', 'authors@gptstudio.invalid')}>"


def changelog(version: str) -> str:
    """Return the project's changelog in the format of Debian's tools."""
    whole = (ROOT / "packaging" / "CHANGELOG.md").read_text(encoding="utf-8")
    text = re.sub(r"^#.*", "", whole, flags=re.MULTILINE).strip()
    paragraphs = [" ".join(each.split()) for each in re.split(r"\n(?=- |\n)", text)]
    body = "\n".join(fill(each, 78, initial_indent="  ", subsequent_indent="    ") for each in paragraphs if each)
    when = format_datetime(released())
    return (f"gptstudio ({debian_version(version)}) stable; urgency=medium\n\n{body}\n\n"
            f" -- {maintainer()}  {when}\n")
