"""State of training: everything that must be saved so that a run can continue exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from gptstudio import devices, torch_settings
from gptstudio.gpt.fast import FastGPTModel, build_model, compile_training, kernels, recompute_activations
from gptstudio.gpt.host_dropout import draw_on_processor
from gptstudio.gpt.model import GPTModel
from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.i18n import message
from gptstudio.torch_settings import RandomStream
from gptstudio.training import corpus
from gptstudio.training.checkpoint_files import CheckpointError
from gptstudio.training.control import Control
from gptstudio.training.dataset import Batch, Batches
from gptstudio.training.freezing import partly_frozen, trained
from gptstudio.training.optimizers import chosen
from gptstudio.training.optimizers.optimizer_kind import OptimizerKind
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import SINGLE_PROCESS, Moments, Strategy


@dataclass
class Progress:
    """Progress of a run.

    Attributes:
        step: number of the next step.
        taken: number of steps of this epoch that are done.
        order: indices of the windows in this epoch, (N,).
        lost_steps: number of consecutive last steps with a loss far above random guessing.
        evaluation_due, sample_due: True if a stop interrupted the evaluation or the sample of the last step.
        probe_ids: tokens recorded for each probe prompt.
    """

    learning_rate: float
    step: int = 0
    epoch: int = 0
    taken: int = 0
    tokens_seen: int = 0
    val_loss: float | None = None
    lost_steps: int = 0
    evaluation_due: bool = False
    sample_due: bool = False
    probe_ids: list[tuple[int, ...]] = field(default_factory=list)
    order: Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.long))


@dataclass
class TrainState:
    """Model, optimizer, batches, random state, and the progress of the run.

    Attributes:
        forward: module to call for training: the model itself, or a wrapper that exchanges gradients.
        keeps_gradients: True if the gradients of the blocks stay in memory between steps: see
            :func:`_allocate_gradients`.
        gradient_norm: norm of the last step's gradients, before clipping.
    """

    strategy: Strategy
    model: GPTModel
    forward: nn.Module
    optimizer: torch.optim.Optimizer
    training: Batches
    validation: Batches
    rng: RandomStream
    progress: Progress
    device: str
    bf16: bool
    accumulation: int = 1
    keeps_gradients: bool = False
    gradient_norm: float = math.nan
    tokenizer: Tokenizer = GPT2
    kind: OptimizerKind = field(default_factory=lambda: chosen("adamw", {}))

    @property
    def steps_per_epoch(self) -> int:
        return len(self.training) // self.accumulation

    @property
    def epoch_over(self) -> bool:
        return self.progress.taken == self.steps_per_epoch

    def steps(self, total_steps: int, control: Control) -> Iterator[tuple[int, list[Batch]]]:
        """Yield (step, batches) until all steps are done or the run is stopped; each epoch is shuffled again.

        A step counts as done when it is yielded.
        """
        progress = self.progress
        while progress.step < total_steps and not control.stopping:
            if progress.epoch == 0 or self.epoch_over:
                self._start_epoch()
            first = progress.taken * self.accumulation
            batches = [self.training.batch(progress.order, first + i) for i in range(self.accumulation)]
            progress.step += 1
            progress.taken += 1
            progress.tokens_seen += self.strategy.size * sum(inputs.numel() for inputs, _ in batches)
            yield progress.step - 1, batches

    def set_learning_rate(self, rate: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get("rate_ratio", 1.0)

    def free_gradients(self, keep_memory: bool = True) -> None:
        """Free the gradients until the next step; with ``keep_memory``, keep the memory of the largest."""
        if self.strategy.size == 1:
            kept = set(self.model.trf_blocks.parameters()) if self.keeps_gradients else ()
            kernels.free_gradients((each for each in self.model.parameters() if each not in kept), keep_memory)
        else:
            self.optimizer.zero_grad()

    @property
    def guarded(self) -> bool:
        """True if the optimizer itself skips an update with non-finite gradients (``found_inf`` of torch's fused
        optimizers), so that the loss need not be read before the update."""
        return self.strategy.size == 1 and self.device.startswith("cuda") and bool(self.optimizer.defaults.get("fused"))

    def on_device(self, ids: Tensor) -> Tensor:
        """Return token ids on the device; the copy to a GPU is asynchronous."""
        if not self.device.startswith("cuda"):
            return ids.to(self.device)
        return ids.pin_memory().to(self.device, non_blocking=True)

    def tf32(self) -> AbstractContextManager[None]:
        """Return a context in which a GPU may multiply float32 matrices as TF32, with a 10-bit mantissa; not on the
        reference path."""
        exact = self.bf16 or not isinstance(self.model, FastGPTModel) or not self.device.startswith("cuda")
        return nullcontext() if exact else torch_settings.tf32()

    def autocast(self) -> torch.autocast:
        return torch.autocast(torch.device(self.device).type, torch.bfloat16, enabled=self.bf16)

    def _start_epoch(self) -> None:
        with self.rng.active():
            self.progress.order = self.training.order()
        self.progress.epoch += 1
        self.progress.taken = 0


def build_state(
    spec: TrainSpec, text: corpus.Corpus, device: devices.Device, bf16: bool, strategy: Strategy = SINGLE_PROCESS,
    weights: Mapping[str, Tensor] | None = None, compiled: bool = False,
) -> TrainState:
    """Build the model with random weights from the seed, or with ``weights``, its optimizer, and the batches. Frozen
    parameters have no gradients and are not passed to the optimizer. ``compiled``: torch compiles the training step."""
    rng = RandomStream(spec.seed, device.key)
    model, forward = strategy.build(lambda: _model(spec), rng, device.key, bf16, weights)
    if spec.reference and device.kind != "cpu":
        draw_on_processor(model)
    if compiled:
        compile_training(model)
    # Several processes exchange dense gradients, and on a GPU zeros cost little.
    model.tok_emb.sparse = strategy.size == 1 and device.kind == "cpu" and not spec.reference
    keeps_gradients = spec.recompute_activations and strategy.size == 1
    if keeps_gradients:
        _allocate_gradients(model)
    optimizer = spec.chosen_optimizer.build(list(trained(model)), spec.learning_rate, fused=not spec.reference)
    shape = (spec.config.context_length, spec.window_stride, spec.batch_size)
    return TrainState(
        strategy, model, forward, optimizer,
        training=strategy.batches(text.train_ids, *shape, shuffle=True, drop_last=True),
        validation=strategy.batches(text.val_ids, *shape, shuffle=False, drop_last=False),
        rng=strategy.process_rng(rng, device.key), progress=Progress(spec.learning_rate),
        device=device.key, bf16=bf16, accumulation=spec.accumulation, keeps_gradients=keeps_gradients,
        tokenizer=text.tokenizer, kind=spec.chosen_optimizer,
    )


def _model(spec: TrainSpec) -> GPTModel:
    model = partly_frozen(build_model(spec.config, spec.path), spec.freeze, spec.freeze_blocks)
    if spec.recompute_activations:
        recompute_activations(model)
    return model


def _allocate_gradients(model: GPTModel) -> None:
    """Allocate the gradients of the blocks in advance: allocated between the recomputed activations of the blocks, they
    would fragment memory, by 2 GB in gpt2-large."""
    for weight in model.trf_blocks.parameters():
        if weight.requires_grad:
            weight.grad = torch.zeros_like(weight)


def resume_tensors(state: TrainState, taken: Callable[[Tensor], Tensor] | None = None) -> dict[str, Tensor]:
    """Return all tensors other than the weights that determine the next steps: the optimizer state of every trained
    parameter, the random states, and the order of the epoch. ``taken``: as for :meth:`Strategy.gather_weights`."""
    rng, chance_cuda = state.rng.state
    moments = {
        f"optimizer.{name}.{key}": value
        for name, kept in state.strategy.gather_optimizer_state(state.model, state.optimizer, taken).items()
        for key, value in kept.items()
    }
    cuda = {} if chance_cuda is None else {"chance_cuda": chance_cuda}
    return moments | {"order": state.progress.order, "chance": rng} | cuda


def load_state(state: TrainState, tensors: dict[str, Tensor]) -> None:
    """Restore the result of :func:`resume_tensors`, which only rank zero needs to pass. The caller restores the weights
    and the progress.

    If a kind of random state was not saved (when a run moves from a CPU to a GPU), it keeps its seeded value.

    Raises:
        CheckpointError: the tensors belong to another run: the optimizer state of other parameters or of another
            optimizer, or a different order or kind of random state.
    """
    if state.strategy.is_rank_zero:
        _check(state, tensors)
    state.strategy.load_optimizer_state(state.model, state.optimizer, _moments(state, tensors))
    state.progress.order, rng, chance_cuda = state.strategy.on_rank_zero(
        lambda: (tensors["order"], tensors["chance"], tensors.get("chance_cuda", state.rng.state[1]))
    )
    state.rng.state = (rng, chance_cuda)
    state.rng = state.strategy.process_rng(state.rng, state.device)


def _check(state: TrainState, tensors: Mapping[str, Tensor]) -> None:
    """Check that the tensors belong to this run, before a step fails or silently uses wrong values.

    Raises:
        CheckpointError: they do not; the message gives the first difference.
    """
    windows, rng = len(state.training.windows), state.rng.state[0]
    order, saved = tensors.get("order"), tensors.get("chance")
    names = {
        f"optimizer.{name}.{key}" for name, weight in trained(state.model)
        for key in state.kind.state_shapes(name, tuple(weight.shape))
    }
    extra = next((name for name in tensors if name not in names | {"order", "chance", "chance_cuda"}), None)
    if order is None or order.dtype != torch.long or (
        len(order) and not torch.equal(order.sort().values, torch.arange(windows))
    ):
        wrong = message("the order of its epoch does not match the {n} windows of the text", n=f"{windows:,}")
    elif saved is None or (saved.dtype, saved.shape) != (rng.dtype, rng.shape):
        wrong = message("the state of the random numbers is missing or of another kind")
    elif extra:
        wrong = message("{name} does not belong to it", name=extra)
    else:
        return
    raise CheckpointError(message(
        "The run cannot continue from this checkpoint: {wrong}. Choose an earlier checkpoint.",
        wrong=wrong,
    ))


def _moments(state: TrainState, tensors: Mapping[str, Tensor]) -> Moments:
    """Return the optimizer state of every trained parameter; empty before the first step. The shapes are checked here,
    because the optimizer's kernels do not check them."""
    if not (len(tensors["order"]) if "order" in tensors else 0):
        return {}
    moments = {}
    for name, weight in trained(state.model):
        shapes = state.kind.state_shapes(name, tuple(weight.shape))
        kept = {key: tensors[f"optimizer.{name}.{key}"] for key in shapes if f"optimizer.{name}.{key}" in tensors}
        if {key: tuple(tensor.shape) for key, tensor in kept.items()} != shapes or any(
            tensor.dtype != torch.float32 for tensor in kept.values()
        ):
            raise CheckpointError(message(
                "The optimizer state of {name} is missing or belongs to another model, so the run cannot continue "
                "from this checkpoint. Choose an earlier checkpoint.",
                name=name,
            ))
        moments[name] = kept
    return moments
