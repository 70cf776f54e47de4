"""A folder that ``transformers`` opens without a network: the model as GPT2LMHeadModel, and its tokenizer."""

from __future__ import annotations

from pathlib import Path

from gptstudio.data.encodings import Progress
from gptstudio.gpt import sizing
from gptstudio.gpt.config import GPTConfig
from gptstudio.i18n import message
from gptstudio.weights_io.exporting.export_format import (
    VOCABULARY_FILES,
    ExportedModel,
    ExportFormat,
    write_json,
    write_vocabulary,
)
from gptstudio.weights_io.writing import watched

WEIGHTS = "model.safetensors"


class HuggingFace(ExportFormat):
    """A folder with the weights as safetensors, the configuration, and the tokenizer if it is known."""

    name = "huggingface"
    title = message("Hugging Face folder")
    about = message(
        "A folder with the weights, configuration and tokenizer. Open it in transformers with "
        "GPT2LMHeadModel.from_pretrained.")
    brief = "a folder for transformers and other programs that read its format"
    files = frozenset({WEIGHTS, "config.json", "generation_config.json"}) | VOCABULARY_FILES

    def write(self, model: ExportedModel, new: Path, progress: Progress) -> None:
        from gptstudio.gpt import published, weights
        from gptstudio.training import safetensors_file

        tensors = weights.to_huggingface(model.weights, model.config)
        described = published.huggingface_config(model.config, model.tokenizer.end if model.tokenizer else None)
        ends = {key: described[key] for key in ("bos_token_id", "eos_token_id") if described[key] is not None}
        new.mkdir()
        write_json(new / "config.json", described)
        write_json(new / "generation_config.json", ends)
        write_vocabulary(new, model.tokenizer, model.config.context_length)
        with watched(new / WEIGHTS, sum(tensor.nbytes for tensor in tensors.values()), progress) as file:
            safetensors_file.write(tensors, file.write, {"format": "pt"})

    def bytes_written(self, config: GPTConfig) -> int:
        return sizing.weight_bytes(config.but(qkv_bias=True))  # biases that the model lacks are zeros

    def bytes_in_memory(self, config: GPTConfig) -> int:
        return self.bytes_written(config)  # the matrices are transposed

    def how_to_open(self, path: Path) -> str:
        return f"transformers.AutoModelForCausalLM.from_pretrained({str(path)!r})"
