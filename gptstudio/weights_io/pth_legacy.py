"""Files of torch.save before torch 1.6: pickles that describe the contents, followed by the storages. No torch.

Format: torch/serialization.py, ``_legacy_load``.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import IO, Any

from gptstudio.i18n import message
from gptstudio.weights_io import pickle_reader
from gptstudio.weights_io.refusals import CUT_OFF, refused
from gptstudio.weights_io.stored_tensors import Place, part

MARK = b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
"""The first two pickles: a number that marks such a file, and the version of its format."""


def contents(file: IO[bytes], path: Path) -> tuple[Any, dict[str, Place]]:
    """Return the content of the pickle, and the position of each storage, by its key.

    Raises:
        ExchangeError: it was truncated or damaged, or contains more than weights.
    """
    head = io.BytesIO(part(file, Place(0, len(MARK) + pickle_reader.LONGEST)))
    head.seek(len(MARK))
    machine = pickle_reader.Machine(path)
    machine.follow(head)  # of the computer that saved it
    said, keys = machine.follow(head), machine.follow(head)
    items = {storage.key: storage.item for storage in machine.storages}
    if not isinstance(keys, list) or not all(isinstance(key, str) and key in items for key in keys):
        raise refused(path, message("its storages do not match its tensors. {damaged}", damaged=CUT_OFF))
    places, end, size = {}, head.tell(), os.fstat(file.fileno()).st_size
    for key in keys:  # each: how many numbers there are, in eight bytes, and the numbers
        elements = int.from_bytes(part(file, Place(end, 8)), "little")
        places[key] = Place(end + 8, elements * items[key])
        end += 8 + places[key].nbytes
        if end > size:
            raise refused(path, message(
                "its data would end at byte {end}, but the file has {size} bytes. {damaged}",
                end=f"{end:,}", size=f"{size:,}", damaged=CUT_OFF,
            ))
    return said, places
