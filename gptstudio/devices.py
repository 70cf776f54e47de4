"""Available devices: their names, their memory, and whether they are fast at bf16.

Torch is imported only inside the functions that need it, so that the window can query the CPU at once. The CPU's memory
is limited by the control groups of this process, for example of a container: versions 1 and 2 (Linux,
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
from gptstudio.units import bytes_text

OWN_CGROUP = Path("/proc/self/cgroup")
CGROUP_ROOT = Path("/sys/fs/cgroup")


class _CgroupFiles(NamedTuple):
    """Names in one version of control groups: the files with the limit and the memory in use, and the key in
    memory.stat for pages of files that were not read recently."""

    limit: str
    used: str
    inactive: str


CGROUP_V1 = _CgroupFiles("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
CGROUP_V2 = _CgroupFiles("memory.max", "memory.current", "inactive_file")


class MemoryLimit(NamedTuple):
    """Memory of a control group: its limit, and the part still free, in bytes."""

    total_bytes: int
    free_bytes: int


def memory_limits() -> Iterator[MemoryLimit]:
    """Yield the memory limit of each control group that this process belongs to."""
    with suppress(OSError, ValueError):
        for line in OWN_CGROUP.read_text(encoding="utf-8").splitlines():
            number, controllers, path = line.split(":", 2)
            if number == "0" and not controllers:
                yield from _upwards(CGROUP_ROOT, path, CGROUP_V2)
            elif "memory" in controllers.split(","):
                yield from _upwards(CGROUP_ROOT / "memory", path, CGROUP_V1)


def _upwards(root: Path, path: str, names: _CgroupFiles) -> Iterator[MemoryLimit]:
    """Yield the limits of a group and of its parents. Inside a container, the root may be the group itself."""
    group = root / path.lstrip("/")
    for folder in (group, *group.parents):
        with suppress(OSError, ValueError):  # no limit ("max"), or not visible from here
            limit = int((folder / names.limit).read_text(encoding="ascii"))
            used = int((folder / names.used).read_text(encoding="ascii"))
            yield MemoryLimit(limit, max(0, limit - used + min(used, _inactive(folder, names.inactive))))
        if folder == root:
            return


def _inactive(folder: Path, name: str) -> int:
    """Return the bytes of inactive file pages, which the kernel reclaims as soon as memory is needed."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            if line.split(" ")[0] == name:
                return int(line.split(" ")[1])
    return 0


FAILURES = ("CUDA error", "CUDA driver", "HIP error", "cuDNN error", "CUBLAS", "MPS backend", "No CUDA GPUs")
"""Beginnings of torch's messages about a failed device, for errors without an exception type of their own."""


NO_CUDA = message("the installed PyTorch was built without CUDA")
OLD_DRIVER = message("its driver is too old for the installed PyTorch, or does not work")


@dataclass(frozen=True)
class Device:
    """Device that can hold a model.

    Attributes:
        key: name in torch: ``cpu``, ``cuda:0``, ``mps``.
        fast_bf16: whether bfloat16 is faster than float32 on it.
        tested: whether GPT Studio was tested on a device of this kind.
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
    """Device that is present but does not work: its driver does not fit, or has failed. ``why`` is torch's message."""

    key: str
    why: str

    @property
    def message(self) -> Message:
        return message(
            "The device {device} was found but does not work: {why}. The CPU is used instead. To use the device, "
            "repair its driver and restart GPT Studio.", device=self.key, why=self.why,
        )


class Unsupported(Broken):
    """CUDA GPU that the installed PyTorch cannot use. ``why`` is a message."""

    @property
    def message(self) -> Message:
        return message(
            "A CUDA GPU is here, but {why}, so the CPU is used. To use the GPU, run GPT Studio from source with the "
            "PyTorch that fits its driver: python3 packaging/bootstrap.py run --torch cuda", why=self.why)


class DeviceLost(UserError):
    """Error for a device that failed while computing; the message says what is left."""


def cpu() -> Device:
    """Return the CPU, without importing torch; ``fast_bf16`` is unknown here. In a container with less memory, its
    memory is the container's."""
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
    """Return all devices that work, the CPU first. Imports torch."""
    return [each for each in detect() if isinstance(each, Device)]


def broken() -> list[Broken]:
    """Return the present devices that do not work. Imports torch."""
    return [each for each in detect() if isinstance(each, Broken)]


def failed_devices() -> list[Broken]:
    """Return the devices that are present but have failed, excluding those that the installed PyTorch never supported.
    Imports torch."""
    return [each for each in broken() if not isinstance(each, Unsupported)]


def detect() -> Iterator[Device | Broken]:
    """Yield all devices, the CPU first, including those that do not work. Imports torch."""
    import torch

    yield replace(cpu(), fast_bf16=_cpu_fast_at_bf16())
    for index in range(torch.cuda.device_count() if torch.cuda.is_available() else 0):
        try:
            free, total = torch.cuda.mem_get_info(index)
            bf16 = torch.cuda.get_device_capability(index) >= (8, 0)
            yield Device(f"cuda:{index}", torch.cuda.get_device_name(index), total, free, bf16)
        except (RuntimeError, AssertionError) as error:  # torch's errors for a failed driver
            yield Broken(f"cuda:{index}", _first_line(error))
    if not torch.cuda.is_available() and has_nvidia_driver():
        yield Unsupported("cuda", NO_CUDA if torch.version.cuda is None else OLD_DRIVER)
    if torch.backends.mps.is_available():
        memory = psutil.virtual_memory()  # shared with the CPU
        yield Device("mps", "Apple GPU", memory.total, memory.available, tested=False)


def has_nvidia_driver() -> bool:
    """Return whether the system has a driver for CUDA GPUs and does not hide them from the program."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "all").strip() in ("", "-1"):
        return False
    if platform.system() == "Windows":
        return ctypes.util.find_library("nvcuda") is not None
    return Path("/proc/driver/nvidia/version").exists()


def free_bytes(key: str) -> int:
    """Return the free memory of a device: for a CUDA GPU, as its driver reports it; otherwise of the CPU, with which
    other GPUs share memory.

    Raises:
        RuntimeError, AssertionError: the GPU, or its driver, has failed.
    """
    if not key.startswith("cuda"):
        return cpu().free_bytes
    import torch

    free: int = torch.cuda.mem_get_info(key)[0]
    return free


def failed(error: BaseException) -> bool:
    """Return whether the device itself failed, not only the request: its driver crashed, or it was disconnected."""
    of_a_device = any(kind.__name__ == "AcceleratorError" for kind in type(error).__mro__)
    said = isinstance(error, RuntimeError) and str(error).startswith(FAILURES)
    return (of_a_device or said) and "out of memory" not in str(error)


def failure_in_words(error: BaseException) -> Message:
    """Return a message about the failure and its consequence, without torch's further lines for developers."""
    return message(
        "The device failed during computation: {what}. The contents of its memory are lost.", what=_first_line(error)
    )


def _first_line(error: BaseException) -> str:
    said = str(error.args[0]) if error.args else ""
    return (said.splitlines() or [type(error).__name__])[0].rstrip(".")


def choose(wanted: str = "auto") -> Device:
    """Return the device with this name; for ``auto``, the first CUDA device, or else the CPU.

    Raises:
        UserError: there is no such device, or it does not work.
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
    """Check that enough memory is free, before anything is allocated.

    Raises:
        UserError: more bytes are needed than are free; the message has the figures.
    """
    if needed > device.free_bytes:
        size, free, total = map(bytes_text, (needed, device.free_bytes, device.total_bytes))
        raise UserError(message(
            "There is not enough memory {purpose}: it needs {size}, but only {free} of {total} are free on "
            "{name}. Choose a smaller model, batch size or context length, or close other programs.",
            purpose=purpose, size=size, free=free, total=total, name=device.name,
        ))


def peak_bytes(key: str) -> int:
    """Return the peak memory since the last :class:`MemoryMeter` was made: of torch on a GPU, otherwise of the whole
    process."""
    if key.startswith("cuda"):
        import torch

        return torch.cuda.max_memory_allocated(key)
    return _process_peak()


def used_bytes(key: str) -> int:
    """Return the memory in use: by torch on a GPU, otherwise by the whole process."""
    if key.startswith("cuda"):
        import torch

        return torch.cuda.memory_allocated(key)
    held: int = psutil.Process().memory_info().rss
    return held


class MemoryMeter:
    """Meter for the memory that a run uses, in bytes, excluding the memory that the program used before it.

    On a GPU and on Linux, each meter resets the peak. Other systems keep one peak for the lifetime of a process: if an
    earlier run set it, ``peak`` is the largest value *read* since, which can miss a short rise.

    On Linux, memory that was freed but kept by the C library is returned to the system first: a run that reuses it
    would otherwise appear to need less.
    """

    def __init__(self, key: str, compiler: bool = True):
        """``compiler``: whether the run imports torch's compiler, as most of torch's optimizers do."""
        self._key = key
        if key.startswith("cuda"):
            import torch

            torch.cuda.reset_peak_memory_stats(key)
        else:
            if compiler:  # about 75 MB, which belong to the program, not to the run
                import torch._dynamo

            return_freed_memory()
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
        # A peak above the one found at the beginning belongs to this run, whether or not the peak was reset.
        of_the_run = max(highest, self._most_read) if highest > self._peak_before else self._most_read
        return of_the_run - self._before


@contextmanager
def reusing_freed_memory(below: int = 32 * 2**20) -> Iterator[None]:
    """Context manager in which the C library keeps freed memory for the next step instead of returning it each time: on
    Linux (glibc), a fifth of a training step was spent on getting the same pages again.

    Blocks of ``below`` bytes or more are returned at once, and everything is returned afterwards. On other systems,
    this has no effect. Values: mallopt(3).
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
    """Give freed memory of the C library back to the system: on Linux (glibc), small blocks are kept otherwise."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None


def _process_peak() -> int:
    with suppress(OSError, StopIteration):  # Linux: reset by _forget_peak, unlike getrusage
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) * 1024
    info = psutil.Process().memory_info()
    if hasattr(info, "peak_wset"):  # Windows
        return int(info.peak_wset)
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024


def _forget_peak() -> None:
    """Reset the peak of this process to its current memory, on systems that support it (Linux,
    proc_pid_clear_refs(5))."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _cpu_fast_at_bf16() -> bool:
    """Return whether the CPU multiplies bf16 matrices in hardware (AVX-512 BF16 or AMX)."""
    import torch

    tests = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, test, lambda: False)() for test in tests)
