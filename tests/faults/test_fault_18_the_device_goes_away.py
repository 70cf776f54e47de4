"""A device that fails: at step k, during detection, and while a text is written. The run ends with a message, its last
checkpoint is kept, and the run continues from it on the processor.

No device of these machines can be removed, so one is simulated: torch takes ``cpu:1`` as another name of the processor,
and the program takes it as a separate device; its operations raise the errors that torch raises for a failed device.
Its memory is not read after that: only the last checkpoint on the disk is left.
"""

from collections.abc import Callable

import pytest
import torch
from command_line import TINY
from messages import message
from whole_runs import continue_run, journal_lines, steps

from gptstudio import devices
from gptstudio.__main__ import main
from gptstudio.devices import Broken, Device
from gptstudio.errors import UserError
from gptstudio.gpt.decoder import Decoder
from gptstudio.training import checkpoint, checkpoint_files, model_source, trainer
from gptstudio.training.control import Control
from gptstudio.training.events import Ended, RunStarted, StepDone, TokenDrawn, Warned
from gptstudio.training.executor import error_text
from gptstudio.training.launch import launch, resume
from gptstudio.training.model_source import SavedModel
from gptstudio.training.run_folder import RunFolder, all_runs
from gptstudio.training.run_metrics import RunMeter

pytestmark = [pytest.mark.fault(18), pytest.mark.usefixtures("common_words")]

DEVICE = "cpu:1"
MORE = "\nCUDA kernel errors might be asynchronously reported at some other API call.\nCompile with TORCH_USE_CUDA_DSA."
FAILURES = {
    "assert": lambda: torch.AcceleratorError("CUDA error: device-side assert triggered" + MORE),
    "gone": lambda: RuntimeError("CUDA error: the launch timed out and was terminated" + MORE),
    "driver": lambda: RuntimeError("CUDA driver error: unknown error"),
    "library": lambda: RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"),
    "sums": lambda: RuntimeError("CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`"),
    "apple": lambda: RuntimeError("MPS backend failed to commit the command buffer"),
}  # fmt: skip


@pytest.fixture
def there(monkeypatch) -> list[Device | Broken]:
    """The devices found besides the processor: the simulated device, until it is removed from the list."""
    real = devices.detect
    made: list[Device | Broken] = [Device(DEVICE, "A test device", 2**33, 2**32)]
    monkeypatch.setattr(devices, "detect", lambda: iter([*list(real())[:1], *made]))
    return made


@pytest.fixture
def fails(monkeypatch, there) -> Callable[..., None]:
    """Return a function that makes the loss raise on the device from a step on."""
    real = trainer.batch_loss

    def begin(step: int, failure: str = "assert") -> None:
        def batch_loss(state, batch):
            if state.device == DEVICE and state.progress.step > step:
                there[:] = [Broken(DEVICE, "CUDA error: device-side assert triggered")]
                raise FAILURES[failure]()
            return real(state, batch)

        monkeypatch.setattr(trainer, "batch_loss", batch_loss)

    return begin


@pytest.mark.parametrize("failure", FAILURES)
def test_that_a_run_whose_device_fails_ends_with_a_message_and_the_processor_continues(
    tiny_spec, tmp_path, fails, fault, failure
):
    fails(13, failure)
    run, control = RunFolder(tmp_path / "run"), Control()
    spec = tiny_spec(steps=15, device=DEVICE, save_every_epochs=1, eval_freq=100)
    ended = launch(spec, control, [], run.path)
    with fault.tried("it ends in words"):
        assert (ended.outcome, ended.error) == ("failed", "DeviceLost")
        first_line = str(FAILURES[failure]()).splitlines()[0]
        lost = f"The device failed during computation: {first_line}. The contents of its memory are lost."
        assert lost in ended.message
        assert "The earlier checkpoint step-000011 is saved: continue from it on the CPU (cpu)." in ended.message
        assert "\n" not in ended.message
    with fault.tried("the checkpoint is kept"):
        assert checkpoint.load(run.newest_checkpoint())
        assert [event.step for event in steps(run)] == list(range(13))
    events = []
    again = resume(run, Control(), [events.append], device="cpu")
    with fault.tried("the processor goes on"):
        assert again.outcome == "finished", again.message
        assert [event.step for event in steps(run)] == list(range(15))
        assert next(event for event in events if isinstance(event, RunStarted)).device == devices.cpu_name()
    with fault.tried("nobody waits for an answer any more"), pytest.raises(UserError, match=message("run_ended")):
        control.snapshot().result(timeout=0)


def test_that_a_run_that_moves_to_another_kind_of_device_warns_about_the_last_digits(tiny_spec, tmp_path, monkeypatch):
    """Kinds are distinguished by their names; on the same processor the run is the same to the last bit."""
    run, whole, control, events = RunFolder(tmp_path / "run"), RunFolder(tmp_path / "whole"), Control(), []
    spec = tiny_spec(steps=12)
    launch(spec, Control(), [], whole.path)
    launch(spec, control, [lambda event: isinstance(event, StepDone) and event.step == 4 and control.stop()], run.path)
    real = checkpoint_files.read_state
    monkeypatch.setattr(checkpoint_files, "read_state", lambda path: real(path).model_copy(update={"device": "cuda:0"}))
    assert resume(run, Control(), [events.append], device="cpu").outcome == "finished"
    [warned] = [event.message for event in events if isinstance(event, Warned)]
    assert warned.startswith("This run was computed on cuda:0 and continues on cpu. Sums are added in a different")
    assert [line for line in journal_lines(run) if '"warned"' not in line] == journal_lines(whole)
    assert real(run.newest_checkpoint()).device == "cpu"


def test_that_a_device_that_fails_before_a_checkpoint_reports_that_there_is_none(tiny_spec, tmp_path, fails):
    fails(3)
    ended = launch(tiny_spec(steps=12, device=DEVICE), Control(), [], tmp_path / "run")
    assert message("checkpoint_saved_yet") in ended.message


@pytest.mark.parametrize("moment", ["build", "save", "evaluate", "sample", "memory"])
def test_that_a_device_may_fail_at_any_moment_of_a_run(tiny_spec, tmp_path, there, monkeypatch, moment):
    def fail(*_: object, **__: object) -> None:
        raise FAILURES["assert"]()

    place, name = {
        "build": (trainer, "build_state"), "save": (checkpoint, "weights_of"), "evaluate": (trainer, "evaluate"),
        "sample": (trainer, "generate_sample"), "memory": (RunMeter, "memory"),
    }[moment]
    monkeypatch.setattr(place, name, fail)
    ended = launch(tiny_spec(steps=12, device=DEVICE, save_every_epochs=1), Control(), [], tmp_path / "run")
    assert ended.error == "DeviceLost"
    assert message("device_computed_failed") in ended.message


def test_that_messages_about_memory_and_our_own_faults_are_not_taken_for_device_errors():
    assert message("enough_memory") in error_text(RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"))
    assert message("enough_memory") in error_text(torch.AcceleratorError("CUDA error: out of memory"))
    assert "Unexpected error" in error_text(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    unknown = error_text(torch.AcceleratorError("CUDA error: unknown error"))
    assert "failed during computation: CUDA error: unknown error." in unknown


# A driver that does not start


@pytest.fixture
def no_driver(monkeypatch) -> None:
    """Let torch report a GPU whose every use fails to initialize inside torch."""
    if torch.cuda.is_available():
        pytest.skip("there is one that works")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)


def test_that_a_driver_that_does_not_start_leaves_the_processor_and_is_reported(no_driver, tiny_spec, tmp_path, fault):
    with fault.tried("listing devices"):
        assert [device.key for device in devices.find()] == ["cpu"]
        [broken] = devices.broken()
        assert broken.key == "cuda:0"
        assert "The device cuda:0 was found but does not work: " in broken.message
    with fault.tried("auto"):
        events = []
        assert launch(tiny_spec(device="auto"), Control(), [events.append], tmp_path / "auto").outcome == "finished"
        assert broken.message in [event.message for event in events if isinstance(event, Warned)]
    for name in ("cuda", "cuda:0"):
        with fault.tried(f"asked for as {name}"):
            ended = launch(tiny_spec(device=name), Control(), [], tmp_path / "asked")
            assert (ended.outcome, ended.user_error) == ("failed", True)
            assert "cuda:0 was found but does not work" in ended.message
            assert message("choose_processor_cpu") in ended.message
            assert not (tmp_path / "asked").exists()


def test_that_the_window_lists_working_devices_and_reports_the_others(no_driver, user):
    assert user.panel.device_box.count() == 1
    assert user.panel.device.key == "cpu"
    assert "The device cuda:0 was found but does not work" in user.reads("broken_devices")
    user.train.to_end(steps=3)
    assert user.reads("train_notice") == ""


# The command line


def test_that_the_command_line_continues_with_the_processor(tiny_spec, tmp_path, fails, capfd, fault):
    fails(13)
    run = RunFolder(tmp_path / "run")
    launch(tiny_spec(steps=15, device=DEVICE, save_every_epochs=1), Control(), [], run.path)
    with fault.tried("without the flag the device that failed is named"):
        assert main(["train", "--resume", str(run.path)]) == 2
        assert f"The device {DEVICE} was found but does not work" in " ".join(capfd.readouterr().err.split())
    with fault.tried("with it the run goes on"):
        assert main(["train", "--resume", str(run.path), "--device", "cpu"]) == 0
        assert [event.step for event in steps(run)] == list(range(15))


def test_that_the_command_line_reports_a_failing_device_in_one_line(tmp_path, fails, capfd, lesson):
    fails(3)
    asked = [*TINY, "--sample-tokens", "2", "--text", str(lesson), "--steps", "9", "--run", str(tmp_path / "run")]
    code = main(["train", *asked, "--device", DEVICE])
    output = capfd.readouterr().err
    assert code != 0
    assert "Traceback" not in output
    assert "The device failed during computation: CUDA error: device-side assert triggered." in " ".join(output.split())


# The window


def choose_the_device(user) -> None:
    """Choose the device as if it had been found when the window started."""
    user.panel.show_devices([devices.cpu(), Device(DEVICE, "A test device", 2**33, 2**32)])
    user.choose(user.panel.device_box, user.panel.device_box.itemText(1))
    user.wait(lambda: user.train.looked)
    assert user.panel.device.key == DEVICE


def test_that_the_window_offers_the_processor_and_continues_with_it(user, fails):
    train, fail_at = user.train, 12
    fails(fail_at)
    train.prepare(steps=20, eval_freq=50, batch_size=8, stride=64, save_every_epochs=1)
    choose_the_device(user)
    user.wait(train.start_button.isEnabled)
    train.start()
    train.wait_ended()
    assert message("device_computed_failed") in user.reads("train_notice")
    assert len(train.losses()) == fail_at
    user.wait(lambda: user.panel.device.key == "cpu")
    assert message("does_work") in user.reads("broken_devices")
    saved = int(all_runs()[0].newest_checkpoint().name[5:]) + 1
    assert train.reads("go_on_words") == message("device_failed")
    assert train.go_on_button.text() == f"Continue from step {saved} on the CPU"
    train.continue_run()
    train.wait_ended()
    assert user.reads("phase").startswith("Finished and saved.")
    assert len(train.losses()) == 20
    assert user.received(RunStarted)[-1].device == devices.cpu_name()


def test_that_continuing_uses_the_chosen_device(user, there):
    user.train.begin(steps=5000, eval_freq=1000)
    user.train.stop()
    choose_the_device(user)
    user.train.continue_run()
    user.wait(lambda: len(user.received(RunStarted)) == 2)
    assert user.received(RunStarted)[-1].device == "A test device"
    user.train.stop()


def test_that_a_device_that_fails_during_generation_is_reported_and_the_processor_writes(user, there, monkeypatch):
    generate, real = user.generate, Decoder.next_logits
    model: SavedModel = user.train.to_end(steps=2)
    choose_the_device(user)
    loaded = []
    load = model_source.load
    monkeypatch.setattr(model_source, "load", lambda saved, device, path="fast": loaded.append(device.key) or load(
        saved, device, path
    ))

    def next_logits(self, texts):
        if loaded[-1] == DEVICE:
            there[:] = [Broken(DEVICE, "CUDA error: device-side assert triggered")]
            raise FAILURES["assert"]()
        return real(self, texts)

    monkeypatch.setattr(Decoder, "next_logits", next_logits)
    generate.offer([model])
    user.window.state.choose_model(model)
    generate.write(3)
    assert message("device_computed_failed") in user.reads("generate_notice")
    assert message("choose_processor_cpu") in user.reads("generate_notice")
    assert user.received(Ended)[-1].error == "DeviceLost"
    user.wait(lambda: user.panel.device.key == "cpu")
    before = len(user.received(TokenDrawn))
    generate.write(3)
    assert user.reads("generate_notice") == ""
    assert len(user.received(TokenDrawn)) == before + 3


def test_that_a_run_of_an_older_checkpoint_that_names_no_device_continues(tiny_spec, tmp_path, monkeypatch):
    run, control = RunFolder(tmp_path / "run"), Control()
    launch(tiny_spec(), control, [lambda event: isinstance(event, StepDone) and control.stop()], run.path)
    real = checkpoint_files.read_state
    monkeypatch.setattr(checkpoint_files, "read_state", lambda path: real(path).model_copy(update={"device": ""}))
    assert continue_run(run).outcome == "finished"
