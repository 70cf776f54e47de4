"""What a frozen program puts right before it begins."""

import os

from gptstudio import frozen


def test_that_programs_started_from_a_frozen_one_get_the_systems_libraries(monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/gptstudio/_internal:/theirs")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/theirs")
    frozen.give_libraries_back()
    assert os.environ["LD_LIBRARY_PATH"] == "/theirs"
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/gptstudio/_internal")
    frozen.give_libraries_back()
    assert "LD_LIBRARY_PATH" not in os.environ


def test_that_a_program_without_streams_gets_some_and_can_print(monkeypatch):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", None)
    frozen.begin()
    print("nobody reads this")
    print("nor this", file=frozen.sys.stderr)
    for stream in (frozen.sys.stdout, frozen.sys.stderr):
        stream.close()
