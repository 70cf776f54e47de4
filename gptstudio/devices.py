"""Available devices: their names, their memory, and whether they are fast at bf16.

Torch is imported only inside the functions that need it, so that the window can query the CPU at once. The memory of
the CPU is limited by the control groups of this process, as those of a container: versions 1 and 2 (Linux,
Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst).
"""

from __future__ import annotations

import ctypes.util
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import psutil

from gptstudio.errors import UserError
from gptstudio.i18n import Message, message

OWN_CGROUP = Path("/proc/self/cgroup")
CGROUP_ROOT = Path("/sys/fs/cgroup")


class _CgroupFiles(NamedTuple):
    """Names of the files of one version: the limit, what is used; and in memory.stat, files' pages not read lately."""

    limit: str
    used: str
    inactive: str


CGROUP_V1 = _CgroupFiles("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
CGROUP_V2 = _CgroupFiles("memory.max", "memory.current", "inactive_file")


class MemoryLimit(NamedTuple):
    """The bytes that a group may use, and those that it does not use yet."""

    total_bytes: int
    free_bytes: int


def memory_limits() -> Iterator[MemoryLimit]:
    """Yield the limit of each group that this process belongs to; none if there are none."""
    with suppress(OSError, ValueError):
        for line in OWN_CGROUP.read_text(encoding="utf-8").splitlines():
            number, controllers, path = line.split(":", 2)
            if number == "0" and not controllers:
                yield from _upwards(CGROUP_ROOT, path, CGROUP_V2)
            elif "memory" in controllers.split(","):
                yield from _upwards(CGROUP_ROOT / "memory", path, CGROUP_V1)


def _upwards(root: Path, path: str, names: _CgroupFiles) -> Iterator[MemoryLimit]:
    """Yield the limits of a group and of those around it. Inside a container, the root may be the group itself."""
    group = root / path.lstrip("/")
    for folder in (group, *group.parents):
        with suppress(OSError, ValueError):  # no limit ("max"), or not to be seen from here
            limit = int((folder / names.limit).read_text(encoding="ascii"))
            used = int((folder / names.used).read_text(encoding="ascii"))
            yield MemoryLimit(limit, max(0, limit - used + min(used, _inactive(folder, names.inactive))))
        if folder == root:
            return


def _inactive(folder: Path, name: str) -> int:
    """Return the bytes of files' pages that are given up as soon as memory is needed."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            if line.split(" ")[0] == name:
                return int(line.split(" ")[1])
    return 0


FAILURES = ("CUDA error", "CUDA driver", "HIP error", "cuDNN error", "CUBLAS", "MPS backend", "No CUDA GPUs")
"""Beginnings of torch's messages for a failed device, where torch has no exception type for that."""


NO_CUDA = message("the installed PyTorch was built without CUDA")
OLD_DRIVER = message("its driver is too old for the installed PyTorch, or does not work")


@dataclass(frozen=True)
class Device:
    """A place where a model can live.

    Attributes:
        key: its name in torch: ``cpu``, ``cuda:0``, ``mps``.
        fast_bf16: whether bfloat16 is faster than float32 there.
        tested: whether GPT Studio was tested on such a device.
    """

    key: str
    name: str
    total_bytes: int
    free_bytes: int
    fast_bf16: bool = False
    tested: bool = True

    @property
    def kind(self) -> str:
        return self.key.split(":")[0]


@dataclass(frozen=True)
class Broken:
    """A device that is there and does not work: its driver is another's, or has failed. ``why``: as torch says it."""

    key: str
    why: str

    @property
    def message(self) -> Message:
        return message(
            "The device {device} was found but does not work: {why}. The CPU is used instead. To use the device, "
            "repair its driver and restart GPT Studio.", device=self.key, why=self.why,
        )


class Unsupported(Broken):
    """A CUDA GPU that the installed PyTorch cannot use. ``why`` is a message."""

    @property
    def message(self) -> Message:
        return message(
            "A CUDA GPU is here, but {why}, so the CPU is used. To use the GPU, run GPT Studio from source with the "
            "PyTorch that fits its driver: python3 packaging/bootstrap.py run --torch cuda", why=self.why)


class DeviceLost(UserError):
    """A device failed while it computed; the words say what is left."""


def cpu() -> Device:
    """Return the processor, without asking torch; ``fast_bf16`` is not known here. Its memory is that of the container,
    if that has less."""
    memory, limits = psutil.virtual_memory(), list(memory_limits())
    total = min([memory.total, *(limit.total_bytes for limit in limits)])
    free = min([memory.available, *(limit.free_bytes for limit in limits)])
    return Device("cpu", cpu_name(), total, free)


def cpu_name() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine() or "CPU"


def find() -> list[Device]:
    """Return all devices that work, the processor first. Imports torch."""
    return [each for each in detect() if isinstance(each, Device)]


def broken() -> list[Broken]:
    """Return the present devices that do not work. Imports torch."""
    return [each for each in detect() if isinstance(each, Broken)]


def failed_devices() -> list[Broken]:
    """Return the devices that are there and have failed: not those which the installed PyTorch never could use. Imports
    torch."""
    return [each for each in broken() if not isinstance(each, Unsupported)]


def detect() -> Iterator[Device | Broken]:
    """Yield all devices, the processor first, with those that do not work. Imports torch."""
    import torch

    yield replace(cpu(), fast_bf16=_cpu_fast_at_bf16())
    for index in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        try:
            free, total = torch.cuda.mem_get_info(index)
            bf16 = torch.cuda.get_device_capability(index) >= (8, 0)
            yield Device(f"cuda:{index}", torch.cuda.get_device_name(index), total, free, bf16)
        except (RuntimeError, AssertionError) as error:  # as torch says it of a driver
            yield Broken(f"cuda:{index}", _first_line(error))
    if not torch.cuda.is_available() and has_nvidia_driver():
        yield Unsupported("cuda", NO_CUDA if torch.version.cuda is None else OLD_DRIVER)
    if torch.backends.mps.is_available():
        memory = psutil.virtual_memory()  # shared with the processor
        yield Device("mps", "Apple GPU", memory.total, memory.available, tested=False)


def has_nvidia_driver() -> bool:
    """Return whether the system has a driver for CUDA GPUs, and they are not hidden from the program."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1"):
        return False
    if platform.system() == "Windows":
        return ctypes.util.find_library("nvcuda") is not None
    return Path("/proc/driver/nvidia/version").exists()


def free_bytes(key: str) -> int:
    """Return the free memory of a device: of a CUDA GPU, as its driver says; otherwise of the processor, of which other
    GPUs use a part.

    Raises:
        RuntimeError, AssertionError: the GPU, or its driver, has failed.
    """
    if not key.startswith("cuda"):
        return cpu().free_bytes
    import torch

    free: int = torch.cuda.mem_get_info(key)[0]
    return free


def failed(error: BaseException) -> bool:
    """Return whether the device itself failed, not the request: its driver crashed, or it was disconnected."""
    of_a_device = any(kind.__name__ == "AcceleratorError" for kind in type(error).__mro__)
    said = isinstance(error, RuntimeError) and str(error).startswith(FAILURES)
    return (of_a_device or said) and "out of memory" not in str(error)


def failure_in_words(error: BaseException) -> Message:
    """Return a message about what happened and what it means, without torch's further lines for developers."""
    return message(
        "The device failed during computation: {what}. The contents of its memory are lost.", what=_first_line(error)
    )


def _first_line(error: BaseException) -> str:
    said = str(error.args[0]) if error.args else ""
    return (said.splitlines() or [type(error).__name__])[0].rstrip(".")


def choose(wanted: str = "auto") -> Device:
    """Return the device of that name; ``auto`` takes the first CUDA device, else the processor.

    Raises:
        UserError: there is no such device here.
    """
    found = list(detect())
    devices = [each for each in found if isinstance(each, Device)]
    if wanted == "auto":
        return next((device for device in devices if device.kind == "cuda"), devices[0])
    for device in devices:
        if wanted in (device.key, device.kind):
            return device
    for each in found:
        if isinstance(each, Unsupported) and wanted.startswith(each.key):
            raise UserError(each.message)
        if isinstance(each, Broken) and wanted in (each.key, each.key.split(":")[0]):
            raise UserError(message(
                "The device {key} was found but does not work: {why}. Choose the CPU (cpu), or repair the device's"
                " driver and restart GPT Studio.",
                key=each.key, why=each.why,
            ))
    raise UserError(message(
        "There is no device '{wanted}'. Available: {devices}. Choose one of these, or auto.",
        wanted=wanted, devices=", ".join(each.key for each in devices),
    ))


def check_memory(needed: int, device: Device, purpose: str) -> None:
    """Refuse what needs more bytes than are free, before anything is allocated.

    Raises:
        UserError: with the figures.
    """
    if needed > device.free_bytes:
        gb, free, total = (f"{size / 2**30:,.1f}" for size in (needed, device.free_bytes, device.total_bytes))
        raise UserError(message(
            "There is not enough memory {purpose}: it needs {gb} GB, but only {free} of {total} GB are free on "
            "{name}. Choose a smaller model, batch size or context length, or close other programs.",
            purpose=purpose, gb=gb, free=free, total=total, name=device.name,
        ))


def peak_bytes(key: str) -> int:
    """Return the most memory held so far (since a :class:`MemoryMeter` was last made): by torch on a GPU, by the whole
    process otherwise."""
    if key.startswith("cuda"):
        import torch

        return torch.cuda.max_memory_allocated(key)
    return _process_peak()


def used_bytes(key: str) -> int:
    """Return the memory held now: by torch on a GPU, by the whole process otherwise."""
    if key.startswith("cuda"):
        import torch

        return torch.cuda.memory_allocated(key)
    held: int = psutil.Process().memory_info().rss
    return held


class MemoryMeter:
    """Memory that a run itself holds, in bytes, excluding what the program held when the meter was made.

    On a GPU and on Linux the peak is reset by each meter. Elsewhere the system keeps one peak for the lifetime of a
    process: where an earlier run set it, ``peak`` is the largest value *read* since, which can miss a short rise.
    """

    def __init__(self, key: str, compiler: bool = True):
        """``compiler``: whether the run calls what imports torch's compiler, as most of torch's optimizers do."""
        self._key = key
        if key.startswith("cuda"):
            import torch

            torch.cuda.reset_peak_memory_stats(key)
        else:
            if compiler:  # some 75 MB, which belong to the program and not to the run
                import torch._dynamo

            _forget_peak()
        self._before = self._most_read = used_bytes(key)
        self._peak_before = peak_bytes(key)

    def forget_what_was_read(self) -> None:
        """Reset the peak after reading a file, whose pages the system reclaims when it needs them."""
        if not self._key.startswith("cuda"):
            _forget_peak()
            self._most_read, self._peak_before = used_bytes(self._key), peak_bytes(self._key)

    def used(self) -> int:
        now = used_bytes(self._key)
        self._most_read = max(self._most_read, now)
        return max(0, now - self._before)

    def peak(self) -> int:
        self.used()
        highest = peak_bytes(self._key)
        # A peak higher than the one found at the beginning is this run's, whether or not it began anew.
        of_the_run = max(highest, self._most_read) if highest > self._peak_before else self._most_read
        return of_the_run - self._before


@contextmanager
def reusing_freed_memory(below: int = 32 * 2**20) -> Iterator[None]:
    """Context manager in which the C library keeps freed memory for the next step instead of returning it each time:
    on Linux (glibc), a fifth of a training step was spent on getting the same pages again. All is returned afterwards.
    Pieces of ``below`` bytes and more are returned at once.

    Elsewhere it changes nothing. Values: mallopt(3).
    """
    libc = _glibc()
    if libc is None:
        yield
        return
    trim_threshold, mmap_threshold, default = -1, -3, 128 * 2**10
    libc.mallopt(mmap_threshold, below)
    libc.mallopt(trim_threshold, 2**31 - 1)
    try:
        yield
    finally:
        libc.mallopt(mmap_threshold, default)
        libc.mallopt(trim_threshold, default)
        libc.malloc_trim(0)


def return_freed_memory() -> None:
    """Return freed memory from the C library to the system: on Linux (glibc), small pieces are kept."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None


def _process_peak() -> int:
    with suppress(OSError, StopIteration):  # Linux: begins anew with _forget_peak, which getrusage does not everywhere
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    info = psutil.Process().memory_info()
    if hasattr(info, "peak_wset"):  # Windows
        return int(info.peak_wset)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024


def _forget_peak() -> None:
    """Set the peak of this process to what it holds now, where the system can (Linux, proc_pid_clear_refs(5))."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _cpu_fast_at_bf16() -> bool:
    """Return whether the processor multiplies bf16 matrices in hardware (AVX-512 BF16 or AMX)."""
    import torch

    tests = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, test, lambda: False)() for test in tests)
