"""Reader of the contents of a torch pickle, without unpickling it.

A pickle is a program. Unpickling runs it, and it may call any function that it names; ``weights_only=True`` permits
fewer, but it can still allocate memory. This reader interprets its instructions with a machine that supports only
numbers, texts, lists, dicts, and the objects that torch writes for the position of a tensor. It calls nothing, and
allocates nothing but these. No torch.

Opcodes: ``pickletools``; the tuple that represents a storage: torch/serialization.py, ``persistent_id``.
"""

from __future__ import annotations

import pickletools
import re
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from gptstudio.errors import shown
from gptstudio.gpt.safetensors_header import ITEM_BYTES, are_sizes
from gptstudio.i18n import Message, message
from gptstudio.units import MB
from gptstudio.weights_io.refusals import CUT_OFF, refused

LONGEST = 4 * MB
MOST_STEPS = 400_000
"""Largest number of steps. A model of 48 layers with the book's names, and the moments of AdamW, takes 99,000 steps and
300 kB."""

STORAGES = {
    "DoubleStorage": "F64", "FloatStorage": "F32", "HalfStorage": "F16", "BFloat16Storage": "BF16",
    "LongStorage": "I64", "IntStorage": "I32", "ShortStorage": "I16", "CharStorage": "I8", "ByteStorage": "U8",
    "BoolStorage": "BOOL", "ComplexFloatStorage": "C64",
}
"""Name of a storage in torch -> name of its number type in safetensors."""
UNREAD = {
    "UntypedStorage": 1, "ComplexDoubleStorage": 16, "QInt8Storage": 1, "QUInt8Storage": 1, "QInt32Storage": 4,
    "QUInt4x2Storage": 1, "QUInt2x4Storage": 1,
}
"""Names in torch of storages with numbers that are never weights -> bytes per element."""

DICT = "collections OrderedDict"
PARAMETERS = ("torch._utils _rebuild_parameter", "torch._utils _rebuild_parameter_with_state")
TENSORS = ("torch._utils _rebuild_tensor", "torch._utils _rebuild_tensor_v2")
TYPED, QUANTISED = "torch._utils _rebuild_tensor_v3", "torch._utils _rebuild_qtensor"
"""Tensors of types without a storage of their own, such as float8, and quantised ones: their numbers are not read."""
SUBCLASS = "torch._tensor _rebuild_from_type_v2"
"""A tensor of a class such as ``torch.nn.Buffer``."""
KNOWN = {DICT, *PARAMETERS, *TENSORS, TYPED, QUANTISED, SUBCLASS, "torch.storage UntypedStorage",
         *(f"torch {name}" for name in (*STORAGES, *UNREAD))}
"""All names that a state dict, and the state of an optimizer, need."""

INERT = {
    "torch device", "torch Size", "torch.serialization _get_layout", "collections Counter", "collections defaultdict",
    *(f"{module} {name}" for module in ("builtins", "__builtin__") for name in ("set", "complex", "bytearray")),
    "_codecs encode", "torch._utils _rebuild_sparse_tensor", "torch._utils _rebuild_meta_tensor_no_storage",
    "torch._utils _rebuild_nested_tensor", "torch.nn.parameter Buffer", "torch.nn.parameter Parameter", "torch Tensor",
    *(f"torch per_{each}_affine{more}" for each in ("tensor", "channel") for more in ("", "_float_qparams")),
    *(f"{module} scalar" for module in ("numpy.core.multiarray", "numpy._core.multiarray")), "numpy dtype",
}
"""Values besides the weights that ``weights_only=True`` allows, and numpy's. None is made: each stays a name."""
DTYPE = re.compile(r"torch (bool|(bfloat|float|complex|q?u?int)[0-9]\w*)")
"""Names of torch's number types, which are values besides the weights as well."""

CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
VALUES = {
    "BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT",
    "BINUNICODE", "SHORT_BINUNICODE", "BINSTRING", "SHORT_BINSTRING",
}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
EMPTY = {"EMPTY_DICT": dict, "EMPTY_LIST": list}


@dataclass(frozen=True, eq=False)
class Global:
    """Object that the pickle refers to, kept as its name only."""

    name: str


@dataclass(frozen=True, eq=False)
class Inert:
    """Substitute for a value besides the weights that is not needed here."""


@dataclass(frozen=True, eq=False)
class Storage:
    """Numbers in the file, stored under a key.

    Attributes:
        dtype: name in safetensors; for numbers that are never weights, the name in torch.
        item: bytes per element.
    """

    key: str
    dtype: str
    elements: int
    item: int


@dataclass(frozen=True, eq=False)
class Tensor:
    """A view of a storage; offset and strides are in elements."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]


@dataclass
class Machine:
    """Interpreter of a pickle."""

    path: Path
    stack: list[Any] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    unreadable: ClassVar[Message] = message("its list of tensors cannot be read. {damaged}", damaged=CUT_OFF)

    def interpret(self, pickle: bytes) -> Any:
        """Return the content of a pickle.

        Raises:
            ExchangeError: the pickle requests anything that weights do not need, or is damaged.
        """
        self.stack, self.marks, self.memo = [], [], {}
        try:
            for step, (opcode, argument, _) in enumerate(pickletools.genops(pickle)):
                if step == MOST_STEPS:
                    raise refused(self.path, message(
                        "its list of tensors is too long: reading it takes more than {steps} steps.",
                        steps=f"{MOST_STEPS:,}",
                    ))
                self._step(opcode.name, argument)
            return self.stack.pop()
        except (ValueError, LookupError, TypeError, OverflowError, struct.error) as error:
            raise refused(self.path, self.unreadable) from error

    def _step(self, name: str, argument: Any) -> None:
        stack = self.stack
        match name:
            case "PROTO" | "FRAME" | "STOP":
                pass
            case "MARK":
                self.marks.append(len(stack))
            case "BINPUT" | "LONG_BINPUT":
                self.memo[argument] = stack[-1]
            case "MEMOIZE":
                self.memo[len(self.memo)] = stack[-1]
            case "APPEND":
                self._extend([stack.pop()])
            case "APPENDS":
                self._extend(self._since_mark())
            case "SETITEM":
                self._update([stack.pop(-2), stack.pop()])
            case "SETITEMS":
                self._update(self._since_mark())
            case "BUILD":  # metadata of a state dict: the versions of its modules
                stack.pop()
                _need(isinstance(stack[-1], (dict, Inert)))
            case "ADDITEMS":
                self._since_mark()
            case _:
                stack.append(self._made(name, argument))

    def _made(self, name: str, argument: Any) -> Any:
        """Return the value that an instruction pushes on the stack."""
        match name:
            case "BINGET" | "LONG_BINGET":
                return self.memo[argument]
            case "TUPLE":
                return tuple(self._since_mark())
            case "GLOBAL" | "STACK_GLOBAL":
                return self._global(argument or _joined(*self._taken(2)))
            case "REDUCE":
                return _called(*self._taken(2))
            case "BINPERSID":
                return _storage(self.stack.pop())
            case "EMPTY_SET":
                return Inert()
            case _ if name in CONSTANTS:
                return CONSTANTS[name]
            case _ if name in EMPTY:
                return EMPTY[name]()
            case _ if name in VALUES:
                return argument
            case _ if name in TUPLES:
                return tuple(self._taken(TUPLES[name]))
            case _:
                raise self._refused(message("it uses the pickle instruction {name}", name=name))

    def _taken(self, count: int) -> list[Any]:
        _need(len(self.stack) >= count)
        taken = self.stack[-count:]
        del self.stack[-count:]
        return taken

    def _since_mark(self) -> list[Any]:
        mark = self.marks.pop()
        since = self.stack[mark:]
        del self.stack[mark:]
        return since

    def _extend(self, values: list[Any]) -> None:
        _need(isinstance(self.stack[-1], list))
        self.stack[-1].extend(values)

    def _update(self, pairs: list[Any]) -> None:
        keys, values = pairs[::2], pairs[1::2]
        if isinstance(self.stack[-1], Inert):
            return
        _need(isinstance(self.stack[-1], dict))
        # Weights have only such keys; others are dropped without computing their hashes.
        self.stack[-1].update((key, value) for key, value in zip(keys, values, strict=True) if _is_key(key))

    def _global(self, name: str) -> Global:
        if name not in KNOWN | INERT and not DTYPE.fullmatch(name):
            raise self._refused(message("it refers to {name}", name=shown(name.replace(" ", "."))))
        return Global(name)

    def _refused(self, what: Message) -> Exception:
        return refused(self.path, message(
            "{what}, which is not needed for weights, and loading it could run a program. It may contain a whole "
            "model (torch.save(model)) or other data besides the weights. None of it was run. If you trust its author, "
            "load it in Python and save only the weights: torch.save(model.state_dict(), 'weights.pth').", what=what,
        ))


class Plain(Machine):
    """Interpreter of a pickle with only numbers, texts, lists and dicts; it may not refer to any object."""

    unreadable = message("its contents cannot be read. {damaged}", damaged=CUT_OFF)

    def _global(self, name: str) -> Global:
        raise self._refused(message("it refers to {name}", name=shown(name.replace(" ", "."))))

    def _refused(self, what: Message) -> Exception:
        return refused(self.path, message(
            "{what}, which a table of characters does not need, and loading it could run a program. None of it was "
            "run. Move the file elsewhere to open the weights without it.", what=what))


def _need(true: bool) -> None:
    if not true:
        raise ValueError("not what torch writes")


def _is_key(key: Any) -> bool:
    """Return whether a key is text or a small number; hashing or comparing other keys can be made to take forever."""
    return isinstance(key, str) or (type(key) is int and abs(key) < 2**31)


def _joined(module: Any, name: Any) -> str:
    _need(isinstance(module, str) and isinstance(name, str))
    return f"{module} {name}"


def _called(function: Any, arguments: Any) -> Any:
    """Return the substitute for a call of ``function``: a dict, or the position of a tensor."""
    _need(isinstance(function, Global) and isinstance(arguments, tuple))
    if function.name in INERT:
        return Inert()
    if function.name == DICT:
        _need(not arguments)
        return {}
    if function.name in PARAMETERS:
        _need(isinstance(arguments[0], (Tensor, Inert)))
        return arguments[0]
    if function.name == SUBCLASS:
        made_by, _, own, *_ = arguments
        _need(isinstance(made_by, Global) and made_by.name != SUBCLASS)
        return _called(made_by, own)
    _need(function.name in (*TENSORS, TYPED, QUANTISED))
    storage, offset, shape, stride, *more = arguments
    if function.name == TYPED:
        _need(isinstance(storage, Storage) and isinstance(more[2], Global))
        storage = replace(storage, dtype=more[2].name.removeprefix("torch "))
    _need(isinstance(storage, Storage) and are_sizes([offset]) and isinstance(shape, tuple) and are_sizes(shape))
    _need(isinstance(stride, tuple) and are_sizes(stride) and len(shape) == len(stride))
    return Tensor(storage, offset, shape, stride)


def _storage(said: Any) -> Storage:
    """Return the storage of ('storage', type, key, device, elements); old files append None: not a view of another."""
    word, kind, key, _, elements, *view = said
    _need(isinstance(word, str) and word == "storage" and isinstance(kind, Global) and isinstance(key, str))
    name = kind.name.rpartition(" ")[2]
    _need(name in STORAGES or name in UNREAD)
    _need(are_sizes([elements]) and all(part is None for part in view))
    if name in UNREAD:
        return Storage(key, name.removesuffix("Storage"), elements, UNREAD[name])
    return Storage(key, STORAGES[name], elements, ITEM_BYTES[STORAGES[name]])
