"""The macOS disk image, as far as it can be tested without a Mac: its metadata, and the commands that make it."""

import plistlib
import struct
import sys
from pathlib import Path

import macos
import pytest
from macos import mach_o
from macos.info import APP, IDENTIFIER, INFO, LESSON

IDENTITY = {"GPTSTUDIO_MAC_IDENTITY": "Developer ID Application: Nobody (AB12CD34EF)"}
NOTARY = {"GPTSTUDIO_NOTARY_KEY": "key.p8", "GPTSTUDIO_NOTARY_KEY_ID": "AAAAAAAAAA", "GPTSTUDIO_NOTARY_ISSUER": "me"}


def thin(processor: int = mach_o.ARM64, floor: tuple[int, int] = (14, 0)) -> bytes:
    """Return the beginning of a library: its header, an irrelevant command, and the one with its oldest macOS."""
    oldest = floor[0] << 16 | floor[1] << 8
    commands = struct.pack("<IIQ", 0x1B, 16, 0) + struct.pack("<IIIIII", 0x32, 24, 1, oldest, 0, 0)
    return struct.pack("<8I", mach_o.THIN, processor, 0, 6, 2, len(commands), 0, 0) + commands


def fat(*parts: tuple[int, bytes]) -> bytes:
    """Return libraries for several processors in one file."""
    header, body, place = struct.pack(">II", mach_o.FAT, len(parts)), b"", 8 + 20 * len(parts)
    for processor, part in parts:
        header += struct.pack(">IIIII", processor, 0, place + len(body), len(part), 0)
        body += part
    return header + body


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """A bundle as PyInstaller lays it out, with the smallest possible Mach-O files."""
    app = tmp_path / APP
    framework = "Contents/Frameworks/PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore"
    for name in ("Contents/MacOS/gptstudio", "Contents/Frameworks/torch/lib/libtorch_cpu.dylib", framework):
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        (app / name).write_bytes(thin())
    (app / "Contents/Info.plist").write_text("no program")
    (app / "Contents/Frameworks/empty.so").touch()
    (app / "Contents/Frameworks/Java.class").write_bytes(struct.pack(">II", mach_o.FAT, 65))
    (app / "Contents/Frameworks/libtorch_cpu.dylib").symlink_to("torch/lib/libtorch_cpu.dylib")
    return app


def test_that_the_entitlements_are_a_property_list_with_no_more_than_is_needed():
    rights = plistlib.loads(macos.ENTITLEMENTS.read_bytes())
    assert rights == {"com.apple.security.cs.allow-jit": True,
                      "com.apple.security.cs.allow-unsigned-executable-memory": True}


def test_that_info_plist_can_be_written_and_the_type_of_lessons_is_declared_where_it_is_used():
    info = plistlib.loads(plistlib.dumps(INFO))
    assert info == INFO
    assert info["LSMinimumSystemVersion"] == "14.0"
    (document,), (declared,) = info["CFBundleDocumentTypes"], info["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]] == [LESSON]
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": ["gptlesson"]}
    assert LESSON.startswith(IDENTIFIER)


def test_that_only_programs_and_libraries_are_found_and_each_once(app: Path):
    assert [file.name for file in mach_o.files(app)] == ["QtCore", "libtorch_cpu.dylib", "gptstudio"]


@pytest.mark.parametrize(("data", "floor"), [
    (thin(floor=(13, 3)), (13, 3)),
    (fat((0x01000007, thin(0x01000007, (10, 15))), (mach_o.ARM64, thin(floor=(15, 0)))), (15, 0)),
])
def test_that_the_oldest_macos_of_a_library_is_read_for_apples_processors(tmp_path: Path, data, floor):
    (tmp_path / "library").write_bytes(data)
    assert mach_o.floor(tmp_path / "library") == floor


@pytest.mark.skipif(sys.platform != "darwin", reason="needs macOS, whose own programs tell")
def test_that_a_program_of_this_system_can_be_read():
    assert mach_o.floor(Path("/bin/ls")) > (10, 0)


def test_that_a_library_for_a_newer_system_is_named(app: Path, capsys):
    macos.tell_newer_than_floor(app)
    assert capsys.readouterr().err == ""
    (app / "Contents/Frameworks/new.dylib").write_bytes(thin(floor=(15, 0)))
    macos.tell_newer_than_floor(app)
    assert "Contents/Frameworks/new.dylib (15.0)" in capsys.readouterr().err


def test_that_inner_parts_are_signed_before_the_bundle(app: Path):
    signed = [Path(command[-1]).relative_to(app).as_posix() for command in macos.sign_commands(app)]
    assert signed == [
        "Contents/Frameworks/PySide6/Qt/lib/QtCore.framework/Versions/A/QtCore",
        "Contents/Frameworks/PySide6/Qt/lib/QtCore.framework", "Contents/Frameworks/torch/lib/libtorch_cpu.dylib", ".",
    ]


def test_that_the_bundle_is_signed_with_its_entitlements_the_hardened_runtime_and_a_timestamp(app: Path):
    command = macos.sign_command(app, macos.ENTITLEMENTS, IDENTITY)
    assert command[0] == "codesign"
    assert command[command.index("--options") + 1] == "runtime"
    assert command[command.index("--entitlements") + 1] == str(macos.ENTITLEMENTS)
    assert command[command.index("--sign") + 1] == IDENTITY["GPTSTUDIO_MAC_IDENTITY"]
    assert "--timestamp" in command


def test_that_without_an_identity_all_is_signed_ad_hoc_and_without_the_hardened_runtime(app: Path):
    """The hardened runtime would refuse libraries that no team has signed."""
    assert macos.sign_command(app, macos.ENTITLEMENTS, {}) == ["codesign", "--force", "--sign", "-", str(app)]


def test_that_a_bundle_is_sent_to_apple_as_a_zip_and_an_image_unchanged(tmp_path: Path):
    zipped, sent, stapled = macos.notary_commands(tmp_path / APP, tmp_path, NOTARY)
    assert zipped == ["ditto", "-c", "-k", "--keepParent", str(tmp_path / APP), str(tmp_path / "app.zip")]
    assert sent[:4] == ["xcrun", "notarytool", "submit", str(tmp_path / "app.zip")]
    assert sent[4:10] == ["--key", "key.p8", "--key-id", "AAAAAAAAAA", "--issuer", "me"]
    assert "--wait" in sent
    assert stapled == ["xcrun", "stapler", "staple", str(tmp_path / APP)]
    image = tmp_path / "x.dmg"
    assert [command[3] for command in macos.notary_commands(image, tmp_path, NOTARY)] == [str(image), str(image)]


def test_that_notarizing_names_the_missing_settings(capsys):
    assert macos.can_be_notarised({**IDENTITY, **NOTARY})
    assert not macos.can_be_notarised({**NOTARY, "GPTSTUDIO_NOTARY_KEY_ID": ""})
    output = capsys.readouterr().err
    assert "GPTSTUDIO_MAC_IDENTITY, GPTSTUDIO_NOTARY_KEY_ID not set" in output


def test_that_on_other_systems_the_image_is_skipped_with_a_message(app: Path, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert macos.make(app, "0.1.0", tmp_path) == []
    assert "only macOS" in capsys.readouterr().err
