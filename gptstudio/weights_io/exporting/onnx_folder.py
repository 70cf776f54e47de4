"""An ONNX graph, by torch's own exporter: token IDs -> logits, for ONNX Runtime and other programs that compute ONNX.

The reference model is traced in evaluation mode, so without dropout, and has no key-value cache.
"""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gptstudio import __version__, files
from gptstudio.data.encodings import Progress
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.gpt.tokenizer import FILE, GPT2
from gptstudio.i18n import message
from gptstudio.units import MB
from gptstudio.weights_io.exporting.export_format import VOCABULARY_FILES, ExportedModel, ExportFormat, write_vocabulary

if TYPE_CHECKING:
    import onnx_ir

GRAPH, WEIGHTS = "model.onnx", "model.onnx.data"
PACKAGES = ("onnx", "onnxscript")
EXAMPLE = (2, 5)
"""Number of texts and tokens in the traced example; the graph accepts any, up to the context length."""

TRACING = 256 * MB
"""Upper limit for the memory of torch's tracer, the packages and the graph: with 124M parameters, they took 200 MB."""


class Onnx(ExportFormat):
    """A folder with the graph, the tokenizer, and the weights in a separate file, since a graph has at most 2 GB."""

    name = "onnx"
    title = message("ONNX folder")
    about = message(
        "A folder with model.onnx, its weights and the tokenizer. The graph computes the logits after every token of a "
        "text, without a cache: for a new token, the whole text is computed again. Preparing the graph takes seconds "
        "to minutes, in which the export cannot be cancelled.")
    brief = "a folder for ONNX Runtime, token IDs to logits without a cache; needs the packages of gptstudio[export]"
    ending = "-onnx"
    files = frozenset({GRAPH, WEIGHTS}) | VOCABULARY_FILES

    def write(self, model: ExportedModel, new: Path, progress: Progress) -> None:
        import onnx_ir

        total = self.bytes_written(model.config)
        progress(0, total)
        graph = _traced(model)
        graph.metadata_props.update(_metadata(model))
        done = 0

        def watch(tensor: Any, _: object) -> None:
            nonlocal done
            progress(min(done, total), total)
            done += tensor.nbytes

        new.mkdir()
        write_vocabulary(new, model.tokenizer, model.config.context_length)
        onnx_ir.save(graph, new / GRAPH, external_data=WEIGHTS, callback=watch)
        for name in (WEIGHTS, GRAPH):
            files.flush(new / name)
        progress(total, total)

    def bytes_written(self, config: GPTConfig) -> int:
        return sizing.weight_bytes(config)

    def bytes_in_memory(self, config: GPTConfig) -> int:
        return TRACING + sizing.FLOAT32 * config.emb_dim * max(4 * config.emb_dim, config.vocab_size)  # one more matrix

    def how_to_open(self, path: Path) -> str:
        return f"onnxruntime.InferenceSession({str(path / GRAPH)!r})"

    def why_not(self) -> str:
        missing = [name for name in PACKAGES if find_spec(name) is None]
        if not missing:
            return ""
        if getattr(sys, "frozen", False):
            return message(
                "The installed program cannot write ONNX, since it does not include the packages {packages}. Export a "
                "Hugging Face folder, which Optimum converts to ONNX, or use GPT Studio from its source code with "
                "these packages.", packages=", ".join(missing))
        return message(
            "ONNX needs the packages {packages}, which are not installed. Install them with: {command}",
            packages=", ".join(missing), command=f'"{sys.executable}" -m pip install "gptstudio[export]"')


def _traced(model: ExportedModel) -> onnx_ir.Model:
    """Return the graph with its weights: input ``input_ids`` (B, T) of int64, output ``logits`` (B, T, V)."""
    import torch

    from gptstudio.training import checkpoint

    config = model.config
    ours = checkpoint.build(config, dict(model.weights), "reference", "cpu")
    free = {0: torch.export.Dim("batch")}
    if config.context_length > 1:
        free[1] = torch.export.Dim("tokens", max=config.context_length)
    ids = torch.zeros(EXAMPLE[0], min(EXAMPLE[1], config.context_length), dtype=torch.int64)
    with _quiet():
        program = torch.onnx.export(
            ours, (ids,), dynamo=True, input_names=["input_ids"], output_names=["logits"],
            dynamic_shapes={"in_idx": free}, verbose=False)
    return cast(torch.onnx.ONNXProgram, program).model


def _metadata(model: ExportedModel) -> dict[str, str]:
    config = model.config
    known = "unknown" if model.tokenizer is None else "gpt2" if model.tokenizer == GPT2 else FILE
    return {
        "source": model.source, "exported_by": f"GPT Studio {__version__}", "tokenizer": known,
        "context_length": str(config.context_length), "vocab_size": str(config.vocab_size),
    }


@contextmanager
def _quiet() -> Iterator[None]:
    """Context manager that silences torch's warnings about its own deprecated parts and missing packages, and keeps its
    progress bars, which are off, from starting a monitoring thread that would run until the program ends."""
    from tqdm import tqdm

    logger = logging.getLogger("torch.onnx")
    level, interval = logger.level, tqdm.monitor_interval
    logger.setLevel(logging.ERROR)
    tqdm.monitor_interval = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            yield
    finally:
        logger.setLevel(level)
        tqdm.monitor_interval = interval
