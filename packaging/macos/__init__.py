"""The macOS disk image: the program is signed from the inside out, notarised, and packed with macOS's own tools.

Each step is skipped with a message if its secret is missing:

GPTSTUDIO_MAC_IDENTITY     the name of a Developer ID Application certificate in the keychain
GPTSTUDIO_NOTARY_KEY       an App Store Connect key, as a .p8 file,
GPTSTUDIO_NOTARY_KEY_ID    its ten letters,
GPTSTUDIO_NOTARY_ISSUER    and who issued it
"""

import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from children import SetupError, call, say

from macos import mach_o
from macos.info import FLOOR

ENTITLEMENTS = Path(__file__).resolve().parent / "entitlements.plist"
NOTARY = ("GPTSTUDIO_NOTARY_KEY", "GPTSTUDIO_NOTARY_KEY_ID", "GPTSTUDIO_NOTARY_ISSUER")
TRIES = 5  # hdiutil sometimes finds its own image busy on hosted machines

Command = list[str]


def make(app: Path, version: str, out: Path) -> list[Path]:
    """Make the disk image of a bundle, ``GPT Studio.app``, in ``out``; nothing on systems other than macOS.

    Raises:
        SetupError: a step failed.
    """
    if not shutil.which("hdiutil"):
        say("macOS disk image skipped: only macOS has hdiutil and codesign.")
        return []
    out.mkdir(parents=True, exist_ok=True)
    image = out / f"gptstudio-{version}-macos-arm64.dmg"
    tell_newer_than_floor(app)
    sign(app)
    if can_be_notarised():
        notarise(app)  # so that the copy in Applications has its ticket, and its first start needs no network
    pack(app, image)
    if os.environ.get("GPTSTUDIO_MAC_IDENTITY"):
        run([sign_command(image)])
    if can_be_notarised():
        notarise(image)
    return [image]


def tell_newer_than_floor(app: Path) -> None:
    """Print the files that were built for a newer macOS than Info.plist states.

    They are no reason to stop: PySide6's wheels for macOS 13 contain bindings built for 15, and macOS loads a library
    unless something that it uses is missing.
    """
    floors = {file.relative_to(app): mach_o.floor(file) for file in mach_o.files(app)}
    newer = [f"{file} ({'.'.join(map(str, floor))})" for file, floor in floors.items() if floor > version(FLOOR)]
    if newer:
        say(f"Built for a newer macOS than the promised {FLOOR}; test the program there: {', '.join(newer)}")


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


# Signing.


def sign(app: Path) -> None:
    """Sign all executable code, the innermost first, since a signature covers the code inside. Without an identity,
    sign ad hoc for this machine, since Apple's processors run nothing unsigned."""
    if not os.environ.get("GPTSTUDIO_MAC_IDENTITY"):
        say("Signing skipped: GPTSTUDIO_MAC_IDENTITY is not set. The program is signed ad hoc, so macOS asks before "
            "its first start.")
    run(sign_commands(app))
    run([["codesign", "--verify", "--deep", "--strict", str(app)]])


def sign_commands(app: Path) -> list[Command]:
    """Return a signing command for each file, each framework and, last, the bundle, which is signed with its
    program."""
    program = app / "Contents" / "MacOS"
    files = [file for file in mach_o.files(app) if file.parent != program]
    frameworks = [each for each in app.rglob("*.framework") if each.is_dir() and not each.is_symlink()]
    inner = sorted((*files, *frameworks), key=lambda path: (-len(path.parts), str(path)))
    return [*(sign_command(each) for each in inner), sign_command(app, ENTITLEMENTS)]


def sign_command(path: Path, entitlements: Path | None = None, variables: Mapping[str, str] = os.environ) -> Command:
    """Return the command that signs a file or bundle and replaces its signature."""
    identity = variables.get("GPTSTUDIO_MAC_IDENTITY")
    if not identity:
        return ["codesign", "--force", "--sign", "-", str(path)]
    rights = ["--entitlements", str(entitlements)] if entitlements else []
    return ["codesign", "--force", "--timestamp", "--options", "runtime", *rights, "--sign", identity, str(path)]


# Notarising.


def can_be_notarised(variables: Mapping[str, str] = os.environ) -> bool:
    """Return whether the secrets for notarising are set; print a message if not."""
    missing = [name for name in ("GPTSTUDIO_MAC_IDENTITY", *NOTARY) if not variables.get(name)]
    if missing:
        say(f"Notarisation skipped: {', '.join(missing)} not set.")
    return not missing


def notarise(path: Path) -> None:
    """Have Apple notarise a bundle or an image, and staple its ticket to it."""
    with tempfile.TemporaryDirectory() as folder:
        run(notary_commands(path, Path(folder)))


def notary_commands(path: Path, folder: Path, variables: Mapping[str, str] = os.environ) -> list[Command]:
    """Return the commands for notarising; a bundle is sent as a zip file in ``folder``."""
    key, name, issuer = (variables[each] for each in NOTARY)
    sent = folder / "app.zip" if path.suffix == ".app" else path
    zipped = [["ditto", "-c", "-k", "--keepParent", str(path), str(sent)]] if sent != path else []
    return [
        *zipped,
        ["xcrun", "notarytool", "submit", str(sent), "--key", key, "--key-id", name, "--issuer", issuer,
         "--wait", "--timeout", "1h"],
        ["xcrun", "stapler", "staple", str(path)],  # fails if Apple did not accept it
    ]


# Packing.


def pack(app: Path, image: Path) -> None:
    """Make the image: the bundle next to a link to Applications, onto which the user drags it."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder) / "GPT Studio"
        stage.mkdir()
        run([["ditto", str(app), str(stage / app.name)]])
        (stage / "Applications").symlink_to("/Applications")
        run([pack_command(stage, image)], tries=TRIES)


def pack_command(stage: Path, image: Path) -> Command:
    """Return the command that makes the image, compressed with LZMA, which macOS reads since 10.15."""
    return ["hdiutil", "create", "-volname", "GPT Studio", "-srcfolder", str(stage), "-fs", "HFS+", "-format", "ULMO",
            "-ov", str(image)]


def run(commands: list[Command], tries: int = 1) -> None:
    """Run commands one after another.

    Raises:
        SetupError: a command failed; with its output.
    """
    for command in commands:
        for left in reversed(range(tries)):
            done = call(*command)
            if not done.returncode:
                break
            if not left:
                raise SetupError(f"{' '.join(command[:3])} failed: {(done.stderr or done.stdout).strip()}")
            time.sleep(10)
