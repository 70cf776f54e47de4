"""One engine that decodes GPT-2, in a separate process that reads lines of JSON and answers each with a line of JSON.

    PYTHON tests/bench/peer_engines.py ENGINE KIND FOLDER

``peers.py`` starts it: this program's engine with the project's Python, the others with the Python of a separate
environment in which the project is not installed. Each gets token ids, and takes the most probable next token every
time.

    {"prompt": 4, "batch": 1, "new": 32}  ->  {"s": seconds of each token, "ids": the new tokens of the first text}
    {}                                    ->  {"resident": bytes now, "peak": bytes at most}
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Write = Callable[[np.ndarray, int, Callable[[], None]], np.ndarray]
"""(prompts (B, T), new tokens n, callback after each) -> (B, n)."""
VOCABULARY = 50_257


def ours(kind: str, folder: Path) -> Write:
    from safetensors.torch import load_file

    from gptstudio.gpt import published, weights
    from gptstudio.gpt.decoder import Decoder
    from gptstudio.training import checkpoint

    config = published.config_from_huggingface(json.loads((folder / "config.json").read_text()))
    tensors = weights.from_huggingface(load_file(folder / "model.safetensors"), config)
    packed = Decoder(checkpoint.build(config, tensors, "fast", "cpu"), weights=kind)

    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        decoder, texts = packed.sibling(), prompts.tolist()  # nothing of the previous text is kept
        for _ in range(new):
            for text, best in zip(texts, decoder.next_logits(texts).argmax(-1).tolist(), strict=True):
                text.append(best)
            done()
        return np.array(texts)[:, -new:]

    return write


def transformers(kind: str, folder: Path) -> Write:
    """Return decoding with the cache of transformers, one call for each token; its ``generate`` is slower."""
    import torch
    from transformers import GPT2LMHeadModel

    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[kind]
    model = GPT2LMHeadModel.from_pretrained(folder).to(dtype).eval()

    @torch.no_grad()
    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        ids, cache, found = torch.tensor(prompts), None, []
        for _ in range(new):
            out = model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
            ids, cache = out.logits[:, -1].argmax(-1, keepdim=True), out.past_key_values
            found.append(ids.numpy())
            done()
        return np.concatenate(found, axis=1)

    return write


def openvino(kind: str, folder: Path) -> Write:
    """Return decoding by OpenVINO, exported by optimum-intel; keys and values stay inside the engine, which is called
    directly."""
    import openvino as ov

    place = folder.parent / f"openvino-{kind}"
    if not place.exists():
        _export_openvino(kind, folder, place)
    compiled = ov.Core().compile_model(place / "openvino_model.xml", "CPU", {
        "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "bf16" if kind == "bf16" else "f32"})
    request = compiled.create_infer_request()

    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        batch, start = len(prompts), 0
        request.reset_state()
        ids, found = prompts, []
        for _ in range(new):
            stop = start + ids.shape[1]
            positions = np.tile(np.arange(start, stop), (batch, 1))
            out = request.infer({
                "input_ids": ids, "attention_mask": np.ones((batch, stop), np.int64), "position_ids": positions,
                "beam_idx": np.arange(batch, dtype=np.int32)}, share_inputs=True, share_outputs=True)
            ids, start = out["logits"][:, -1].argmax(-1)[:, None], stop
            found.append(ids)
            done()
        return np.concatenate(found, axis=1)

    return write


def _export_openvino(kind: str, folder: Path, place: Path) -> None:
    from optimum.intel import OVModelForCausalLM

    model = OVModelForCausalLM.from_pretrained(folder, export=True, load_in_8bit=kind == "int8", compile=False)
    model.save_pretrained(place)


def ctranslate2(kind: str, folder: Path) -> Write:
    import ctranslate2 as engine
    from ctranslate2.converters import TransformersConverter

    compute = {"fp32": "float32", "bf16": "bfloat16", "int8": "int8_float32"}[kind]
    if compute not in engine.get_supported_compute_types("cpu"):
        raise SystemExit(f"not supported on this processor: {compute}")
    place = folder.parent / f"ctranslate2-{kind}"
    if not place.exists():
        TransformersConverter(str(folder)).convert(str(place), quantization=None if kind == "fp32" else compute)
    generator = engine.Generator(str(place), device="cpu", compute_type=compute, intra_threads=_threads())
    names = json.loads((place / "vocabulary.json").read_text())
    numbers = {name: number for number, name in enumerate(names)}

    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        results = generator.generate_batch(
            [[names[each] for each in prompt] for prompt in prompts.tolist()], min_length=new, max_length=new,
            sampling_topk=1, include_prompt_in_result=False,
            callback=lambda step: step.batch_id == 0 and done() is not None)  # False: continue
        return np.array([[numbers[each] for each in result.sequences[0]] for result in results])

    return write


def onnxruntime(kind: str, folder: Path) -> Write:
    """Return decoding by ONNX Runtime, exported by optimum; integers by its own dynamic quantization."""
    import onnxruntime as engine

    place = folder.parent / f"onnxruntime-{kind}" / "model.onnx"
    if not place.exists():
        _export_onnx(kind, folder, place)
    options = engine.SessionOptions()
    options.intra_op_num_threads = _threads()
    session = engine.InferenceSession(place, options, providers=["CPUExecutionProvider"])
    outputs = [each.name for each in session.get_outputs()]
    inputs = {each.name for each in session.get_inputs()}
    past = [name for name in inputs if name.startswith("past_key_values")]

    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        batch, start, ids, found = len(prompts), 0, prompts, []
        value = engine.OrtValue.ortvalue_from_numpy
        kept = {name: value(np.zeros((batch, 12, 0, 64), np.float32)) for name in past}
        for _ in range(new):
            stop = start + ids.shape[1]
            given = {"input_ids": ids, "attention_mask": np.ones((batch, stop), np.int64),
                     "position_ids": np.tile(np.arange(start, stop), (batch, 1))}
            feed = kept | {name: value(array) for name, array in given.items() if name in inputs}
            out = dict(zip(outputs, session.run_with_ort_values(outputs, feed), strict=True))
            kept = {name: out[name.replace("past_key_values", "present")] for name in past}
            ids, start = out["logits"].numpy()[:, -1].argmax(-1)[:, None], stop
            found.append(ids)
            done()
        return np.concatenate(found, axis=1)

    return write


def _export_onnx(kind: str, folder: Path, place: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from optimum.onnxruntime import ORTModelForCausalLM

    if kind == "fp32":
        ORTModelForCausalLM.from_pretrained(folder, export=True).save_pretrained(place.parent)
        return
    exact = folder.parent / "onnxruntime-fp32" / "model.onnx"
    if not exact.exists():
        _export_onnx("fp32", folder, exact)
    place.parent.mkdir()
    quantize_dynamic(exact, place, weight_type=QuantType.QInt8)


def llamacpp(kind: str, folder: Path) -> Write:
    """Return decoding by llama.cpp's plain functions; integers in its blocks of 32 (Q8_0), keys in float16, its
    default."""
    import llama_cpp as engine

    place = folder.parent / f"llamacpp-{kind}.gguf"  # peers.py has written it
    settings = engine.llama_context_default_params()
    settings.n_ctx, settings.n_batch, settings.n_seq_max = 8 * 1024, 1024, 8
    settings.n_threads = settings.n_threads_batch = _threads()
    model = engine.llama_model_load_from_file(str(place).encode(), engine.llama_model_default_params())
    context = engine.llama_init_from_model(model, settings)

    def write(prompts: np.ndarray, new: int, done: Callable[[], None]) -> np.ndarray:
        engine.llama_memory_clear(engine.llama_get_memory(context), True)
        ids, start, found = prompts, 0, []
        for _ in range(new):
            ids, start = _next_of_llamacpp(engine, context, ids, start)[:, None], start + ids.shape[1]
            found.append(ids)
            done()
        return np.concatenate(found, axis=1)

    return write


def _next_of_llamacpp(engine: Any, context: Any, ids: np.ndarray, start: int) -> np.ndarray:
    """Return the most probable token after each text (B,), whose tokens (B, T) begin at position ``start``."""
    batch = engine.llama_batch_init(ids.size, 0, 1)
    for at, ((text, position), token) in enumerate(np.ndenumerate(ids)):
        batch.token[at], batch.pos[at], batch.n_seq_id[at] = token, start + position, 1
        batch.seq_id[at][0], batch.logits[at] = text, position == ids.shape[1] - 1
    batch.n_tokens = ids.size
    if engine.llama_decode(context, batch):
        raise RuntimeError("llama.cpp could not decode")
    lasts = range(ids.shape[1] - 1, ids.size, ids.shape[1])
    best = [np.ctypeslib.as_array(engine.llama_get_logits_ith(context, at), (VOCABULARY,)).argmax() for at in lasts]
    engine.llama_batch_free(batch)
    return np.array(best)


ENGINES: dict[str, Callable[[str, Path], Write]] = {
    "ours": ours, "transformers": transformers, "openvino": openvino, "ctranslate2": ctranslate2,
    "onnxruntime": onnxruntime, "llamacpp": llamacpp,
}


def _threads() -> int:
    import psutil

    return len(psutil.Process().cpu_affinity())


def memory() -> dict[str, int]:
    """Return the current and the peak resident bytes of this process (Linux)."""
    lines = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return {name: int(lines[field].split()[0]) * 1024 for name, field in (("resident", "VmRSS"), ("peak", "VmHWM"))}


def answer(write: Write, asked: dict[str, int]) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    prompts = rng.integers(0, VOCABULARY, (asked["batch"], asked["prompt"]))
    times = [time.perf_counter()]
    ids = write(prompts, asked["new"], lambda: times.append(time.perf_counter()))
    return {"s": np.diff(times).tolist(), "ids": ids[0].tolist()}


def main() -> None:
    name, kind, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    out, sys.stdout = sys.stdout, sys.stderr  # engines may print anything
    began = time.perf_counter()
    write = ENGINES[name](kind, folder)
    answer(write, {"prompt": 4, "batch": 1, "new": 2})
    print(json.dumps({"load_s": time.perf_counter() - began}), file=out, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(answer(write, asked) if asked else memory()), file=out, flush=True)


if __name__ == "__main__":
    main()
