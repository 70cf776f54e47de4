"""Folders of runs from elsewhere: only their paths are remembered between two programs."""

from pathlib import Path

import pytest

from gptstudio.history import added_runs

FOLDERS = [Path("/disk/a run"), Path("/disk/Ünïcode"), Path("/disk/\udcff")]
"""The last name cannot be decoded: it has a byte that is not UTF-8, as Python keeps it."""


def test_that_folders_are_kept_in_order_and_once(tmp_path):
    file = tmp_path / "new" / "added.json"
    for folder in [*FOLDERS, FOLDERS[1]]:
        added_runs.add(file, folder)
    assert added_runs.folders(file) == [FOLDERS[0], FOLDERS[2], FOLDERS[1]]
    added_runs.remove(file, FOLDERS[0])
    added_runs.remove(file, Path("/never/added"))
    assert added_runs.folders(file) == [FOLDERS[2], FOLDERS[1]]


@pytest.mark.parametrize("damage", [None, b"", b"\xff", b"{}", b'["/a", 3', b'"/a"'])
def test_that_a_missing_or_damaged_list_is_empty_and_can_be_started_again(tmp_path, damage):
    file = tmp_path / "added.json"
    if damage is not None:
        file.write_bytes(damage)
    assert added_runs.folders(file) == []
    added_runs.add(file, FOLDERS[0])
    assert added_runs.folders(file) == FOLDERS[:1]
