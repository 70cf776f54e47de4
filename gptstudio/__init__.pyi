"""Types of the Python interface, for type checkers and editors; ``__init__.py`` imports each name when it is used."""

from gptstudio.api import TrainingError as TrainingError
from gptstudio.api import generate as generate
from gptstudio.api import inspect as inspect
from gptstudio.api import load as load
from gptstudio.api import score as score
from gptstudio.api import train as train
from gptstudio.errors import UserError as UserError
from gptstudio.fields import SpecError as SpecError
from gptstudio.gpt.config import PRESETS as PRESETS
from gptstudio.gpt.config import GPTConfig as GPTConfig
from gptstudio.gpt.decoder import Decoder as Decoder
from gptstudio.gpt.sampling.params import SamplingParams as SamplingParams
from gptstudio.gpt.tokenizer import decode as decode
from gptstudio.gpt.tokenizer import encode as encode
from gptstudio.inference.next_token import Inspection as Inspection
from gptstudio.inference.next_token import NextToken as NextToken
from gptstudio.inference.score_stats import TextScore as TextScore
from gptstudio.inference.spec import GenerateSpec as GenerateSpec
from gptstudio.training.control import Control as Control
from gptstudio.training.events import Ended as Ended
from gptstudio.training.events import Evaluated as Evaluated
from gptstudio.training.events import Event as Event
from gptstudio.training.events import SampleWritten as SampleWritten
from gptstudio.training.events import StepDone as StepDone
from gptstudio.training.events import TokenDrawn as TokenDrawn
from gptstudio.training.events import TokenRead as TokenRead
from gptstudio.training.spec import TrainSpec as TrainSpec
from gptstudio.training.trained_run import TrainedRun as TrainedRun

__version__: str
