"""Export of a model for other programs: each format is a class in a file of its own. Imports no torch.

To add a format, add such a file and its line in ``FORMATS``. The choices of the command line and of the window, with
their texts, and the tests that apply to every format follow from the declarations of the class.
"""

from gptstudio.weights_io.exporting.book import Book
from gptstudio.weights_io.exporting.export_format import ExportFormat
from gptstudio.weights_io.exporting.gguf_file import Gguf
from gptstudio.weights_io.exporting.huggingface import HuggingFace
from gptstudio.weights_io.exporting.onnx_folder import Onnx

FORMATS: dict[str, ExportFormat] = {each.name: each for each in (HuggingFace(), Book(), Gguf(), Onnx())}
"""Formats by name."""
