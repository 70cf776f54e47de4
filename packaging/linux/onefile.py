"""The one-file installer: for one user without root, in a single file that works on any system with sh, tar and xz.

makeself packs it. The script at its head is our own (``installer.sh``): makeself's script makes a folder before it
checks its checksum, unpacks into /tmp and then copies, and does not check itself. Our installer is sealed: its first
lines compare the SHA-256 of everything after them, script and archive, before any of it is run.
"""

import hashlib
import shlex
import tempfile
from pathlib import Path

from places import released

from linux import staging

NO_SEAL = b"0" * 64
SEALED = b"# The digest covers everything below this line.\n"


def make(app: Path, version: str, out: Path) -> Path | None:
    """Make gptstudio-VERSION-linux-MACHINE.run in ``out``; None if makeself or xz is missing."""
    if staging.lacks("The one-file installer", "makeself", "xz"):
        return None
    installer = out / f"gptstudio-{version}-linux-{staging.MACHINE}.run"
    installer.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".run-") as folder:
        payload, head = Path(folder) / "payload", Path(folder) / "head.sh"
        payload.mkdir()
        staging.lay_app(app, payload / "app")
        staging.lay_share(version, payload / "share")
        staging.write(payload / "uninstall.sh", (staging.HERE / "uninstall.sh").read_bytes(), 0o755)
        head.write_text(header(version), encoding="utf-8")
        staging.work(  # the level is inserted into the command line of xz, where the filters after it override it
            "makeself", "--quiet", "--xz", "--complevel", "6 " + " ".join(staging.filters()), "--threads", "0",
            "--tar-format", "gnu", "--tar-extra", tar_options(),
            "--nomd5", "--nocrc", "--notemp", "--header", head, payload, installer, f"GPT Studio {version}",
            variables={"TMPDIR": folder},
        )
    seal(installer)
    return installer


def tar_options() -> str:
    """Return options of tar with which the same files always produce the same archive."""
    return f"--sort=name --owner=0 --group=0 --mtime=@{int(released().timestamp())}"


def header(version: str) -> str:
    """Return the shell command that makeself runs as its header: it writes our script with its number of lines and the
    unpacked size."""
    values = f's/@LINES@/$SKIP/; s/@KILOBYTES@/$USIZE/; s/@VERSION@/{version}/g'
    return f'sed "{values}" {shlex.quote(str(staging.HERE / "installer.sh"))} > "$archname"\n'


def seal(installer: Path) -> None:
    """Write the SHA-256 of all lines below the head into the head."""
    head, line, rest = installer.read_bytes().partition(SEALED)
    installer.write_bytes(head.replace(NO_SEAL, digest(rest)) + line + rest)
    installer.chmod(0o755)


def digest(data: bytes) -> bytes:
    """Return the SHA-256 in hexadecimal, as printed by sha256sum."""
    return hashlib.sha256(data).hexdigest().encode()
