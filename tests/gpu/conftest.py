"""Results on a GPU, compared with those of the processor; skipped where there is no GPU."""

from pathlib import Path

import pytest
from lessons import few_tokens, lesson, tiny_spec
from on_gpu import NO_GPU, missing


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.gpu)
            if missing:
                item.add_marker(pytest.mark.skip(reason=NO_GPU))
