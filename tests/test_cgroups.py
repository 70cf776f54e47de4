"""Free memory inside a container is the container's: control groups as on Linux, in a folder of the test."""

from collections import namedtuple

import psutil
import pytest

from gptstudio import devices

GB = 2**30
System = namedtuple("System", "total available")


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Return a function that creates groups, with the number of bytes in their files by name, and the line that names
    the group of this process."""

    def make(own: str, files: dict[str, object]) -> None:
        (tmp_path / "own").write_text(own)
        for name, content in files.items():
            file = tmp_path / "cgroup" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{content}\n")

    monkeypatch.setattr(devices, "OWN_CGROUP", tmp_path / "own")
    monkeypatch.setattr(devices, "CGROUP_ROOT", tmp_path / "cgroup")
    monkeypatch.setattr(psutil, "virtual_memory", lambda: System(16 * GB, 10 * GB))
    return make


def memory() -> tuple[float, float]:
    """Return the total and the free memory that the program uses, in GB."""
    found = devices.cpu()
    return found.total_bytes / GB, found.free_bytes / GB


def test_that_without_groups_the_systems_memory_counts(groups):
    assert memory() == (16, 10)


def test_that_the_limit_of_a_container_applies_in_version_2(groups):
    groups("0::/\n", {"memory.max": 4 * GB, "memory.current": 3 * GB, "memory.stat": "anon 5"})
    assert memory() == (4, 1)


def test_that_the_tightest_of_the_enclosing_groups_applies(groups):
    groups("0::/slice/unit\n", {
        "slice/unit/memory.max": "max", "slice/unit/memory.current": GB,
        "slice/memory.max": 6 * GB, "slice/memory.current": 4 * GB,
        "memory.max": 8 * GB, "memory.current": 5 * GB,
    })
    assert memory() == (6, 2)


def test_that_memory_of_cached_files_counts_as_free(groups):
    groups("0::/\n", {
        "memory.max": 4 * GB, "memory.current": 3 * GB,
        "memory.stat": f"anon {GB}\ninactive_file {2 * GB}\nactive_file 7",
    })
    assert memory() == (4, 3)


def test_that_version_1_applies_also_where_the_path_is_the_hosts(groups):
    groups("9:name=systemd:/docker/ab\n4:cpu,memory:/docker/ab\n0::/\n", {
        "memory/memory.limit_in_bytes": 2 * GB, "memory/memory.usage_in_bytes": GB,
        "memory/memory.stat": f"inactive_file 1\ntotal_inactive_file {GB // 2}",
    })
    assert memory() == (2, 1.5)


def test_that_no_limit_and_a_larger_one_change_nothing(groups):
    groups("4:memory:/\n", {
        "memory/memory.limit_in_bytes": 9223372036854771712, "memory/memory.usage_in_bytes": GB,
    })
    assert memory() == (16, 10)


@pytest.mark.parametrize("own", ["", "nonsense", "0::/\n"])
def test_that_invalid_files_change_nothing(groups, own):
    groups(own, {"memory.max": "max", "memory.current": "much", "memory.stat": ""})
    assert memory() == (16, 10)


def test_that_a_group_above_its_limit_has_nothing_free(groups):
    groups("0::/\n", {"memory.max": GB, "memory.current": 2 * GB})
    assert memory() == (1, 0)


def test_that_this_computers_groups_can_be_read():
    assert all(limit.total_bytes >= limit.free_bytes >= 0 for limit in devices.memory_limits())
