"""Installers of the same files with a higher version, to try an upgrade."""

import re
import tempfile
from pathlib import Path

from linux import onefile, staging


def package(old: Path, work: Path) -> Path:
    """Make a .deb of the same files with a higher version, uncompressed to save time."""
    new = work / "newer.deb"
    with tempfile.TemporaryDirectory(dir=work) as folder:
        root = Path(folder) / "root"
        staging.work("dpkg-deb", "--raw-extract", old, root)
        control = root / "DEBIAN/control"
        text = re.sub(r"^(Version: .*)$", r"\1.post1", control.read_text(encoding="utf-8"), flags=re.MULTILINE)
        control.write_text(text, encoding="utf-8")
        staging.work("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, new)
    return new


def installer(old: Path, version: str, work: Path) -> Path:
    """Make a .run of the same archive with a higher version and its own checksum."""
    new = work / "newer.run"
    head, line, rest = old.read_bytes().partition(onefile.SEALED)
    found = onefile.digest(rest)
    rest = rest.replace(f"version={version} ".encode(), f"version={version}.post1 ".encode(), 1)
    new.write_bytes(head.replace(found, onefile.NO_SEAL) + line + rest)
    onefile.seal(new)
    return new
