"""Killed by the system for its memory, or by a power cut: the run continues from its last checkpoint.

Training is on a thread of the window's process, so that a kill ends both. The tests assert that the work is kept: the
next start reports that the run was cut off and offers to continue it from a complete checkpoint, and half-written files
are removed once the run has continued.
"""

import random
import signal
import time

import pytest
from the_program import DRIVEN, RUN, assert_saved

from gptstudio.history.comparison import shown_name
from gptstudio.training import checkpoint
from gptstudio.training.events import CheckpointSaved
from gptstudio.training.run_folder import RunFolder

pytestmark = pytest.mark.fault(12)

TRAINING = DRIVEN + """

class Training(Driven):
    def begin(self):
        self.train_for_long(save_every_s=1, eval_freq=10)

    def look(self):
        if not self.state.running and self.train.start.isEnabled():
            self.train.start.click()

app.MainWindow = Training

from gptstudio.training import checkpoint_manager
# mostly in the middle of a save
checkpoint_manager.CheckpointManager.due = lambda self, state, sooner: state.progress.step % 3 == 0
"""

GOING_ON = DRIVEN + """
class GoingOn(Driven):
    def look(self):
        offer = self.train.continuation
        if offer.isVisible() and not self.state.running:
            (Path(os.environ["GPTSTUDIO_HOME"]) / "offer").write_text(offer.words.text())
            offer.plain.click()
        started, last = self.state.run.started, self.state.run.last
        if self.state.running and started and last and last.step > started.first_step > 0:
            mark("goes-on")

app.MainWindow = GoingOn
"""


@pytest.mark.parametrize("tries", [1, pytest.param(3, marks=pytest.mark.release)])
def test_that_a_killed_run_is_offered_and_continues_from_a_complete_checkpoint(program, fault, tries):
    rng = random.Random(12)
    for number in range(tries):
        with fault.tried(f"kill {number}"):
            killed = program(TRAINING + RUN, f"{number}")
            runs = killed.home / "runs"
            killed.wait(lambda runs=runs: list(runs.glob("*/checkpoints/step-*")), "a checkpoint")
            time.sleep(rng.uniform(0, 0.3))
            killed.send(signal.SIGKILL)
            assert killed.end() == -signal.SIGKILL
            (path,) = runs.iterdir()
            run = RunFolder(path)
            saved = [event.step for event in run.events() if isinstance(event, CheckpointSaved)]
            step = checkpoint.read_state(run.newest_checkpoint()).step
            assert step >= saved[-1]
            checkpoint.read_weights(run.newest_checkpoint())
            going_on = program(GOING_ON + RUN, f"{number}")
            going_on.wait_for("goes-on")
            assert f"The run {shown_name(run)} was interrupted." in (killed.home / "offer").read_text()
            going_on.send(signal.SIGTERM)
            going_on.left(128 + signal.SIGTERM)
            assert_saved(run)
            assert checkpoint.read_state(run.newest_checkpoint()).step > step
            assert not list(run.checkpoint_folder.glob(".*"))
