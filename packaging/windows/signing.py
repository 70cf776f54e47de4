#!/usr/bin/env python3
"""Authenticode signatures: by signtool on Windows, by osslsigncode anywhere, or by a command of your own.

    python3 packaging/windows/signing.py FILE      signs FILE in place, as set by these variables; returns 1 on failure

GPTSTUDIO_SIGN_COMMAND          signs {file} in place; for keys that cannot leave their hardware or cloud
GPTSTUDIO_CERTIFICATE           or: a .pfx file with certificate and key,
GPTSTUDIO_CERTIFICATE_PASSWORD  and its password
GPTSTUDIO_TIMESTAMP             the RFC 3161 server that certifies the time; an empty text asks none, and then the
                                signature ends with the certificate
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # NSIS starts this file as a script

from children import SetupError, call

NEEDED = "neither GPTSTUDIO_CERTIFICATE (a .pfx file) nor GPTSTUDIO_SIGN_COMMAND is set."
TIMESTAMP = "http://timestamp.digicert.com"
KITS = Path("C:/Program Files (x86)/Windows Kits/10/bin")


def main(arguments: list[str]) -> int:
    try:
        sign(Path(arguments[0]))
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def way(variables: Mapping[str, str] = os.environ) -> str:
    """Return the method of signing: ``command``, ``certificate``, or empty if files are not signed."""
    if variables.get("GPTSTUDIO_SIGN_COMMAND"):
        return "command"
    return "certificate" if variables.get("GPTSTUDIO_CERTIFICATE") else ""


def sign(file: Path) -> None:
    """Sign a program in place.

    Raises:
        SetupError: there is no signing tool, or it failed.
    """
    signed = file.with_suffix(".signed")
    words = command(file, signed, tool() if way() == "certificate" else "")
    try:
        call(*words, check=True)
        if signed.is_file():  # osslsigncode writes a copy
            signed.replace(file)
    except OSError as error:
        raise SetupError(f"{file.name} could not be signed: {words[0]}: {error.strerror}.") from error
    except subprocess.CalledProcessError as error:
        said = (error.stdout + error.stderr).strip().splitlines() or ["(nothing)"]
        raise SetupError(f"{file.name} could not be signed. {words[0]} said: {said[-1]}") from error
    finally:
        signed.unlink(missing_ok=True)


def command(file: Path, signed: Path, tool: str, variables: Mapping[str, str] = os.environ) -> list[str]:
    """Return the command that signs ``file``, in place or as ``signed``, depending on the tool."""
    if way(variables) == "command":
        return [word.replace("{file}", str(file)) for word in shlex.split(variables["GPTSTUDIO_SIGN_COMMAND"])]
    certificate, password = variables["GPTSTUDIO_CERTIFICATE"], variables.get("GPTSTUDIO_CERTIFICATE_PASSWORD", "")
    server = variables.get("GPTSTUDIO_TIMESTAMP", TIMESTAMP)
    if Path(tool).stem.lower() == "signtool":
        time = ["/tr", server, "/td", "SHA256"] if server else []
        return [tool, "sign", "/f", certificate, "/p", password, "/fd", "SHA256", *time, "/d", "GPT Studio", str(file)]
    time = ["-ts", server] if server else []
    return [tool, "sign", "-pkcs12", certificate, "-pass", password, "-h", "sha256", *time, "-n", "GPT Studio",
            "-in", str(file), "-out", str(signed)]


def tool() -> str:
    """Return the path of the signing tool.

    Raises:
        SetupError: there is none.
    """
    kits = sorted(map(str, KITS.glob("*/x64/signtool.exe")))
    found = shutil.which("signtool") or (kits[-1] if kits else None) or shutil.which("osslsigncode")
    if not found:
        raise SetupError("A certificate is given, but neither signtool (Windows SDK) nor osslsigncode was found. "
                         "Install one of them, or sign with GPTSTUDIO_SIGN_COMMAND.")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
