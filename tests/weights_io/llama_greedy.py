"""A program for a Python that has ``llama_cpp``: open GGUF files with llama.cpp, and decode greedily.

In: [[file, prompt ids, new tokens, texts], …]. Out: [{"ids": all ids, "texts": the ids of each text}, …].
"""

import json
import sys
from typing import Any

import llama_cpp as engine
import numpy as np


def decoded(context: Any, ids: list[int], size: int) -> int:
    """Return the most probable token after these, which continue the ones decoded before."""
    given = (engine.llama_token * len(ids))(*ids)
    if engine.llama_decode(context, engine.llama_batch_get_one(given, len(ids))):
        raise RuntimeError("llama.cpp could not decode")
    return int(np.ctypeslib.as_array(engine.llama_get_logits_ith(context, -1), (size,)).argmax())


def tokens_of(vocabulary: Any, text: str) -> list[int]:
    found, data = (engine.llama_token * 1000)(), text.encode()
    count = engine.llama_tokenize(vocabulary, data, len(data), found, len(found), False, True)
    return list(found[:count])


def opened(file: str, prompt: list[int], new: int, texts: list[str]) -> dict[str, Any]:
    model = engine.llama_model_load_from_file(file.encode(), engine.llama_model_default_params())
    settings = engine.llama_context_default_params()
    settings.n_ctx, settings.n_threads, settings.type_k, settings.type_v = 256, 1, 0, 0  # keys and values in float32
    settings.flash_attn_type = 0
    context, vocabulary = engine.llama_init_from_model(model, settings), engine.llama_model_get_vocab(model)
    size, ids, more = engine.llama_vocab_n_tokens(vocabulary), list(prompt), list(prompt)
    for _ in range(new):
        more = [decoded(context, more, size)]
        ids += more
    return {"ids": ids, "texts": [tokens_of(vocabulary, text) for text in texts]}


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    print(json.dumps([opened(*each) for each in asked]))
