"""Generated texts as code: the command and the Python that generate a text once more. No torch."""

from __future__ import annotations

from gptstudio import shell, spec_code
from gptstudio.gpt.config import DEFAULT_PRESET, OWN, PRESETS, config_name
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.init_weights import name_in_spec
from gptstudio.training.model_source import LoadableModel, UntrainedModel
from gptstudio.training.run_code import IMPORT, config_code

OF_THE_MODEL = ("device", "precision", "reference")
"""Settings that a model is loaded with in Python."""
ONE_TEXT = "print(gs.decode(token.id for token in tokens))\n"
EACH_TEXT = """\
for sample in range({n}):
    print(gs.decode(token.id for token in tokens if token.sample == sample))
"""


def generate_command(spec: GenerateSpec, source: LoadableModel, kind: shell.Shell = "posix") -> str:
    """Return the command; what is at its default is left out.

    Args:
        source: the model, whatever the spec names; an untrained one has the seed of the spec.

    Raises:
        UserError: the prompt or another setting cannot be typed in this kind of shell.
    """
    words = []
    if isinstance(source, UntrainedModel):
        preset = config_name(source.config)
        base = DEFAULT_PRESET if preset == OWN else preset
        words += ["--model", base] if base != DEFAULT_PRESET else []
        words += spec_code.options(source.config, PRESETS[base])
    else:
        words += ["--model", str(name_in_spec(source))]
    words += spec_code.options(spec, GenerateSpec(), leave_out=("model", "order"))
    if spec.order != GenerateSpec().order:
        words += ["--order", ",".join(spec.order)]
    return shell.line(["gptstudio", "generate", *words], kind)


def generate_code(spec: GenerateSpec, source: LoadableModel) -> str:
    """Return the Python; see :func:`generate_command`."""
    usual = GenerateSpec()
    of_the_model = spec_code.arguments(spec, usual, GenerateSpec.model_fields.keys() - set(OF_THE_MODEL))
    if isinstance(source, UntrainedModel):
        name = config_name(source.config)
        model = repr(name) if name != OWN else config_code(source.config)
        of_the_model |= {"seed": repr(source.seed)} if source.seed != UntrainedModel(source.config).seed else {}
    else:
        model = repr(name_in_spec(source))
    settings = spec_code.arguments(spec, usual, ("model", "prompt", *OF_THE_MODEL))
    load = spec_code.call("gs.load", model, **of_the_model)
    generate = spec_code.call("gs.generate", "model", repr(spec.prompt), **settings)
    end = ONE_TEXT if spec.samples == 1 else EACH_TEXT.format(n=spec.samples)
    return f"{IMPORT}model = {load}\ntokens = list({generate})\n{end}"
