"""Export of a model for other programs: each format is a class in a file of its own. No torch at import.

A new one is such a file, and its line in ``FORMATS``: the choices of the command line and of the window, with what they
say, and the tests of what no format may do follow from what the class declares.
"""

from gptstudio.weights_io.exporting.book import Book
from gptstudio.weights_io.exporting.export_format import ExportFormat
from gptstudio.weights_io.exporting.gguf_file import Gguf
from gptstudio.weights_io.exporting.huggingface import HuggingFace
from gptstudio.weights_io.exporting.onnx_folder import Onnx

FORMATS: dict[str, ExportFormat] = {each.name: each for each in (HuggingFace(), Book(), Gguf(), Onnx())}
"""The formats by their names."""
