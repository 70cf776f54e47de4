"""Training by several processes started by torchrun, with torch's DistributedDataParallel or ``fully_shard``.

All processes run the same steps, each on its rows of the batch, and yield the same events; rank zero writes the run.
Without dropout, the losses equal those of one process within rounding errors. With dropout, each process draws its own
masks, so the losses differ as between two random seeds. The random state of rank zero is saved in the checkpoints; the
states of other processes are derived from it again when a run is resumed.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import psutil
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_optimizer_state_dict,
    set_model_state_dict,
    set_optimizer_state_dict,
)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

from gptstudio import devices, torch_settings
from gptstudio.errors import UserError
from gptstudio.fields import Problem, SpecError
from gptstudio.gpt import sizing
from gptstudio.gpt.memory import TrainMemory
from gptstudio.gpt.model import GPTModel, TransformerBlock
from gptstudio.i18n import message
from gptstudio.torch_settings import RandomStream
from gptstudio.training.control import Control
from gptstudio.training.corpus import Plan
from gptstudio.training.dataset import Batch, Batches
from gptstudio.training.executor import Stream, error_text
from gptstudio.training.forecast import Workload
from gptstudio.training.freezing import names_by_group
from gptstudio.training.spec import TrainSpec
from gptstudio.training.strategy import Moments, Strategy

T = TypeVar("T")

GATHER = StateDictOptions(full_state_dict=True, cpu_offload=True)
SCATTER = StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)
GONE = ("closed by peer", "reset by peer", "Broken pipe")
"""Parts of the messages of gloo's RuntimeErrors when the process at the other end of a connection has ended."""


class DDPStrategy(Strategy):
    """Data parallelism: each process holds the whole model and some rows of the batch, and gradients are averaged."""

    def __init__(self) -> None:
        gpus = torch.cuda.is_available()
        dist.init_process_group("cpu:gloo,cuda:nccl" if gpus else "gloo")
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.is_rank_zero = self.rank == 0
        self._local_rank, self._neighbours = int(os.environ["LOCAL_RANK"]), int(os.environ["LOCAL_WORLD_SIZE"])
        if os.environ.get("OMP_NUM_THREADS") == "1":  # torchrun's default, which leaves most cores idle
            cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
            torch.set_num_threads(max(1, cores // self._neighbours))

    def device(self, wanted: str) -> devices.Device:
        gpu = torch.cuda.is_available() and (wanted == "auto" or wanted.startswith("cuda"))
        device = devices.choose(f"cuda:{self._local_rank}" if gpu else wanted)  # one GPU per process
        if device.kind == "cuda":
            torch.cuda.set_device(device.key)
        free = device.free_bytes if device.kind == "cuda" else device.free_bytes // self._neighbours
        return replace(device, name=f"{self.size} × {device.name}", free_bytes=free)

    def estimate(self, spec: TrainSpec, _plan: Plan, device: devices.Device) -> tuple[int, float | None]:
        if spec.batch_size % self.size:
            possible = self.size * -(-spec.batch_size // self.size)
            raise SpecError([Problem("batch_size", message(
                "Batch size ({batch_size}) is divided among {n} processes and must be a multiple of {n}, for example "
                "{possible}.", batch_size=f"{spec.batch_size:,}", n=f"{self.size:,}", possible=f"{possible:,}",
            ))])
        return self._memory(spec, device).total, None

    def build(
        self, make: Callable[[], GPTModel], rng: RandomStream, device: str, bf16: bool,
        weights: Mapping[str, Tensor] | None = None,
    ) -> tuple[GPTModel, nn.Module]:
        model, _ = super().build(make, rng, device, bf16, weights)
        ids = [self._local_rank] if device.startswith("cuda") else None
        return model, DistributedDataParallel(model, device_ids=ids, gradient_as_bucket_view=True)

    def process_rng(self, rng: RandomStream, device: str) -> RandomStream:
        """Return the stream itself on rank zero; in other processes, a stream whose seed is drawn from a copy of it."""
        if self.is_rank_zero:
            return rng
        with rng.active():
            seed = int(torch.randint(2**62, (self.size,))[self.rank])
        return RandomStream(seed, device)

    def batches(self, *text: Any, **order: Any) -> Batches:
        return _RankBatches(self, *text, **order)

    def accumulate(self, forward: nn.Module, batches: Sequence[Batch]) -> Iterator[Batch]:
        for batch in batches[:-1]:
            with cast(DistributedDataParallel, forward).no_sync():
                yield batch
        yield batches[-1]

    def mean(self, loss: Tensor, rows: int = 1) -> Tensor:
        """Return the mean over all processes, weighted by their numbers of rows, which can be 0."""
        here = loss.detach() * rows if rows else torch.zeros_like(loss)
        sums = torch.stack([here, here.new_tensor(rows)])
        dist.all_reduce(sums)
        return sums[0] / sums[1]

    def on_rank_zero(self, make: Callable[[], T]) -> T:
        answer: list[Any] = [None, None]
        error: Exception | None = None
        if self.is_rank_zero:
            try:
                answer[0] = make()
            except Exception as raised:  # noqa: BLE001 - broadcast before it is raised here, since the others would wait forever
                error, answer[1] = raised, error_text(raised)
        dist.broadcast_object_list(answer)
        if answer[1]:
            raise error or UserError(answer[1])
        made: T = answer[0]
        return made

    def rank_zero_first(self, make: Callable[[], T]) -> T:
        made: list[T] = []
        self.on_rank_zero(lambda: made.append(make()))
        return made[0] if self.is_rank_zero else make()

    def shared_control(self, asked: Control) -> Control:
        return _SharedControl(asked)

    def explain_errors(self, stream: Stream) -> Stream:
        try:
            return (yield from stream)
        except RuntimeError as error:
            if not isinstance(error, dist.DistError) and not any(sign in str(error) for sign in GONE):
                raise
            raise UserError(message(
                "Another process of this run has ended, so this one cannot continue. The message of that process says "
                "why. Continue from the last checkpoint with --resume."
            )) from error

    def gather_weights(self, model: GPTModel, _taken: object = None) -> dict[str, Tensor]:
        weights = cast(dict[str, Tensor], get_model_state_dict(model, options=GATHER))
        if model.cfg.tie_weights:
            weights.pop("out_head.weight", None)
        return weights

    def gather_optimizer_state(self, model: GPTModel, optimizer: Optimizer, _taken: object = None) -> Moments:
        return cast(Moments, get_optimizer_state_dict(model, optimizer, options=GATHER).get("state", {}))

    def load_weights(self, model: GPTModel, weights: Mapping[str, Tensor]) -> None:
        set_model_state_dict(model, dict(weights), options=SCATTER)

    def load_optimizer_state(self, model: GPTModel, optimizer: Optimizer, moments: Moments) -> None:
        groups = zip(optimizer.state_dict()["param_groups"], names_by_group(model, optimizer), strict=True)
        named = [group | {"params": names} for group, names in groups]
        state: Any = {"state": moments, "param_groups": named} if self.is_rank_zero else {}
        set_optimizer_state_dict(model, optimizer, state, options=SCATTER)

    def shut_down(self) -> None:
        dist.destroy_process_group()

    def _memory(self, spec: TrainSpec, device: devices.Device) -> TrainMemory:
        """Return the predicted memory; the buckets of the gradients persist between steps, as with accumulation."""
        rows, accumulation = spec.batch_size // self.size, max(2, spec.accumulation)
        work = Workload.of(spec, device).model_copy(update={"batch_size": rows, "accumulation": accumulation})
        return work.memory(device.kind, alone=False)


class FSDPStrategy(DDPStrategy):
    """Fully sharded data parallelism: each process holds a part of every weight, gradient and moment, and a block is
    gathered while it computes.

    Rank zero draws the initial weights as a single process would, in CPU memory, and sends each process its part, so no
    GPU ever holds the whole model.
    """

    shards = True
    reuse_below = 2**20  # gathered blocks are freed: if kept, they would add up to the whole model

    def estimate(self, spec: TrainSpec, plan: Plan, device: devices.Device) -> tuple[int, float | None]:
        if not spec.chosen_optimizer.shardable:
            raise SpecError([Problem("optimizer", message(
                "{optimizer} updates whole matrices, so it cannot train a model that is split across processes. Leave "
                "out --shard, or choose another optimizer.", optimizer=spec.chosen_optimizer.label,
            ))])
        return super().estimate(spec, plan, device)

    def build(
        self, make: Callable[[], GPTModel], rng: RandomStream, device: str, bf16: bool,
        weights: Mapping[str, Tensor] | None = None,
    ) -> tuple[GPTModel, nn.Module]:
        # The model never changes the output of a block in place, which this warning is about.
        warnings.filterwarnings("ignore", "FSDP2-wrapped module .* returned a view tensor")
        with torch_settings.uninitialised("meta"):
            model = make()
        mesh = init_device_mesh(device.split(":")[0], (self.size,))
        # As with autocast: matrix products are in bf16, norms and the residual stream in fp32.
        half = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
        for block in cast(Iterable[TransformerBlock], model.trf_blocks):
            fully_shard([block.att, block.ff], mesh=mesh, mp_policy=half if bf16 else MixedPrecisionPolicy())
        fully_shard(model, mesh=mesh, reshard_after_forward=True)  # after each pass, only the parts are left
        model.to_empty(device=device).train()
        if weights is None and self.is_rank_zero:
            with rng.active():
                weights = make().state_dict()
        self.load_weights(model, weights or {})
        return model, model

    def accumulate(self, _forward: nn.Module, batches: Sequence[Batch]) -> Iterator[Batch]:
        """Yield the batches; the gradients of each are sharded at once, because no process can hold all of them."""
        yield from batches

    def full_tensor(self, tensor: Tensor) -> Tensor:
        return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor

    def _memory(self, spec: TrainSpec, device: devices.Device) -> TrainMemory:
        """Return the predicted memory: a part of the model's weights, gradients and optimizer state, the activations of
        its rows, and, gathered while they compute, the embeddings, the output layer and two blocks, each with its
        gradient."""
        memory, counted = super()._memory(spec, device), sizing.parameters(spec.config)
        blocks = 2 * (counted.attention + counted.feed_forward) // spec.config.n_layers
        ends = sizing.parameter_count(spec.config) - counted.attention - counted.feed_forward
        return replace(
            memory, weights=memory.weights // self.size, gradients=memory.gradients // self.size,
            optimizer=memory.optimizer // self.size, reused=memory.reused // self.size,
            scratch=memory.scratch + 2 * sizing.FLOAT32 * (blocks + ends),
        )


class _RankBatches(Batches):
    """Rows of this process of each batch; batches and their order are the same as with one process."""

    def __init__(self, strategy: DDPStrategy, *text: Any, **order: Any):
        super().__init__(*text, **order)
        self._strategy = strategy

    def order(self) -> Tensor:
        return self._strategy.on_rank_zero(super().order)

    def batch(self, order: Tensor, i: int) -> Batch:
        size, rank = self._strategy.size, self._strategy.rank
        inputs, targets = (part.tensor_split(size)[rank] for part in super().batch(order, i))
        return inputs, targets


class _SharedControl(Control):
    """Control that stops all processes at the same place when any of them is stopped."""

    def __init__(self, asked: Control):
        super().__init__()
        self._asked = asked

    def take_step(self) -> bool:
        self._learn()
        return super().take_step()

    def check_agreed(self) -> None:
        self._learn()
        self.check()

    def _learn(self) -> None:
        stopping = torch.tensor(int(self._asked.stopping))
        dist.all_reduce(stopping, dist.ReduceOp.MAX)
        if stopping:
            self.stop()
