"""The parts of a release: its notes, one folder of files with checksums, the bill of materials, and a trial of each
file."""

import json
import shutil
import sys
from pathlib import Path

import build
import newest
import pytest
import release
import sbom
import try_artefacts
from children import SetupError
from freezing import icu, measures
from notices import Part
from places import ROOT, program_version


@pytest.fixture
def changelog(tmp_path, monkeypatch) -> Path:
    """A changelog of two versions in a separate project."""
    monkeypatch.setattr(release, "ROOT", tmp_path)
    file = tmp_path / "packaging" / "CHANGELOG.md"
    file.parent.mkdir()
    file.write_text(f"# Changelog\n\n## {program_version()}, today\n\n- New.\n\n## 0.0.9\n\n- Old.\n", encoding="utf-8")
    return file


def test_that_the_notes_are_the_section_of_the_tagged_version_alone(changelog):
    assert release.notes(f"v{program_version()}") == "- New."


def test_that_a_tag_of_another_version_than_the_programs_is_refused(changelog):
    with pytest.raises(SetupError, match=r"tag is v0\.0\.9, but the version of the program is"):
        release.notes("v0.0.9")


def test_that_a_release_without_a_section_is_refused(changelog):
    changelog.write_text("# Changelog\n\n## Unreleased\n\n- New.\n", encoding="utf-8")
    with pytest.raises(SetupError, match=f"no section `## {program_version()}`"):
        release.notes(program_version())


@pytest.fixture
def built(tmp_path) -> Path:
    """The files that two systems have built, each with their checksums."""
    for system in ("linux", "windows"):
        file = tmp_path / "made" / system / f"gptstudio-{system}.bin"
        file.parent.mkdir(parents=True)
        file.write_text(system, encoding="utf-8")
        (file.parent / "SHA256SUMS").write_text(measures.sums([file]), encoding="utf-8")
    return tmp_path / "made"


def test_that_the_files_of_all_systems_are_put_into_one_folder_with_one_list_of_checksums(built, tmp_path):
    release.collect(built, tmp_path / "out")
    files = [tmp_path / "out" / f"gptstudio-{system}.bin" for system in ("linux", "windows")]
    assert (tmp_path / "out" / "SHA256SUMS").read_text(encoding="utf-8") == measures.sums(files)


@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_that_a_file_that_differs_from_the_built_one_stops_the_release(built, tmp_path, damage):
    file = built / "linux" / "gptstudio-linux.bin"
    file.write_text("another", encoding="utf-8") if damage == "changed" else file.unlink()
    with pytest.raises(SetupError, match=r"gptstudio-linux\.bin is missing, damaged"):
        release.collect(built, tmp_path / "out")


def test_that_no_built_files_are_no_release(tmp_path):
    with pytest.raises(SetupError, match="No folder in"):
        release.collect(tmp_path, tmp_path / "out")


def test_that_the_bill_of_materials_follows_its_schema_and_names_each_part(tmp_path, monkeypatch):
    from cyclonedx.schema import SchemaVersion  # 3 s, which each process of the tests would spend as it collects them
    from cyclonedx.validation.json import JsonStrictValidator

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(sbom, "distribution", lambda: "debian")
    (tmp_path / "library.so").write_bytes(b"library")
    parts = [Part("GPT Studio", "0.1.0", "MIT"),
             Part("torch", "2.13.0+cpu", "BSD-3-Clause", "pypi", files={"library.so": tmp_path / "library.so"}),
             Part("libfoo1", "1.2-3", "LGPL-2.1+", "deb")]
    text = sbom.bill(parts)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    components = {each["name"]: each for each in json.loads(text)["components"]}
    assert components["torch"]["purl"] == "pkg:pypi/torch@2.13.0%2Bcpu"
    assert components["torch"]["hashes"][0]["content"] == parts[1].sha256()
    assert components["libfoo1"]["purl"] == "pkg:deb/debian/libfoo1@1.2-3"
    assert sbom.bill(parts) == text, "the same parts give the same bytes"


def test_that_the_checksums_of_a_build_include_its_bill_of_materials(tmp_path, monkeypatch):
    installer = tmp_path / "gptstudio.bin"
    installer.write_bytes(b"installer")
    (tmp_path / build.bill_name()).write_text("{}", encoding="utf-8")
    monkeypatch.setattr(build, "import_module", lambda name: sys.modules[__name__])
    monkeypatch.setattr(sys.modules[__name__], "make", lambda app, version, out: [installer], raising=False)
    build.artefacts(tmp_path / "app", tmp_path)
    assert build.bill_name() in (tmp_path / "SHA256SUMS").read_text(encoding="utf-8")


@pytest.mark.skipif(not all(map(shutil.which, ("icupkg", "objcopy", "gcc"))), reason="no icupkg, objcopy or gcc here")
def test_that_qt_sorts_and_writes_dates_alike_with_the_reduced_icu_data(tmp_path):
    library = next(Path(sys.prefix).glob("lib/python*/site-packages/PySide6/Qt/lib/libicudata.so.*"))
    small = tmp_path / library.name
    shutil.copy(library, small)
    icu.trim(small)
    assert small.stat().st_size < library.stat().st_size / 5
    program = (
        "from functools import cmp_to_key; from PySide6.QtCore import QCollator, QDateTime, QLocale, QTimeZone\n"
        "for name in ('en_US', 'zh_CN'):\n"
        "    collator = QCollator(QLocale(name)); collator.setNumericMode(True)\n"
        "    print(sorted(['b10', 'b9', 'Ä', 'a', '中', '文', '安', 'é'], key=cmp_to_key(collator.compare)))\n"
        "    print(QLocale(name).toString(QDateTime.fromSecsSinceEpoch(0, QTimeZone.utc()), QLocale.LongFormat))\n"
    )
    first, second = (build.call(sys.executable, "-c", program, env={"PATH": "/usr/bin:/bin", "LD_PRELOAD": preload})
                     for preload in ("", str(small)))
    assert first.stdout == second.stdout != ""
    assert second.stderr == ""


def test_that_a_trial_names_the_missing_artefact_and_the_leftovers_of_one(tmp_path):
    with pytest.raises(SetupError, match=r"Expected one gptstudio_\*\.deb in .*, found 0"):
        try_artefacts.found(tmp_path, "gptstudio_*.deb")
    with pytest.raises(SetupError, match="Left over after the removal"):
        try_artefacts.gone(tmp_path)
    with pytest.raises(SetupError, match="ended with 1"):
        try_artefacts.must("false")


@pytest.mark.skipif(sys.platform != "linux", reason="a stand-in for the installer of Linux")
def test_that_a_one_file_installer_is_installed_tried_and_removed(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("HOME", str(tmp_path))
    installer = tmp_path / "gptstudio-1-linux-x86_64.run"
    programs = tmp_path / ".local/bin"
    script = """mkdir -p "$HOME/.local/bin"
    printf '#!/bin/sh\\nmkdir -p "$2"; echo held > "$2/selftest.txt"' > "$HOME/.local/bin/gptstudio"
    printf '#!/bin/sh\\nrm "$HOME/.local/bin/gptstudio"' > "$HOME/.local/bin/gptstudio-uninstall"
    chmod +x "$HOME"/.local/bin/*"""
    installer.write_text(script, encoding="utf-8")
    try_artefacts.one_file(installer, tmp_path / "pictures")
    assert "held" in capfd.readouterr().err
    assert not (programs / "gptstudio").exists()


def test_that_the_changelog_has_a_section_for_the_next_version():
    text = (ROOT / "packaging" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "\n## Unreleased\n" in text or f"\n## {program_version()}" in text


def test_that_the_table_of_newer_versions_names_only_requirements_of_the_project():
    found = [{"name": "PySide6_Essentials", "version": "6.11.3", "latest_version": "6.12.0"},
             {"name": "pip", "version": "1", "latest_version": "2"}]
    table = newest.table(found, newest.requirements())
    assert "| PySide6_Essentials | 6.11.3 | 6.12.0 | `PySide6-Essentials>=6.11.3,<6.12` |" in table
    assert "pip |" not in table
    assert "is the newest" in newest.table([], {})
