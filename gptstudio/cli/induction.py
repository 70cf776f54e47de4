"""``gptstudio induction``: the heads that look for what came after the same token before."""

from __future__ import annotations

from gptstudio.cli import output
from gptstudio.cli.arguments import SAME_MODEL, SAME_SCORE, Best, Json, ModelFlags, ScoreFlags
from gptstudio.inference.loading import load_decoder, source_from
from gptstudio.inference.spec import GenerateSpec
from gptstudio.training.control import Control
from gptstudio.training.signals import stopped_by_signals

SHOWN = 10
TITLES = {"induction": "Induction", "previous": "Previous token", "duplicate": "Duplicate token"}


def induction(
    *,
    best: Best = False,
    scoring: ScoreFlags = SAME_SCORE,
    model: ModelFlags = SAME_MODEL,
    json: Json = False,
) -> None:
    """Score every head of a model on repeated random tokens: attention to what came after the same token before
    (induction heads), to the token before, and to the same token before.

    The seed decides which tokens these are.
    """
    from gptstudio.inference.induction import PATTERNS
    from gptstudio.inference.induction import induction as scores_of

    spec = GenerateSpec.make(scoring.given())
    origin = source_from(spec, model.given(), best)
    control = Control()
    with stopped_by_signals(control):
        decoder = load_decoder(spec, origin, for_text=False)
        found = scores_of(decoder.model, spec.seed, control.check)
    if json:
        output.print_json({"event": "repeated", "model": decoder.name, "half": found.half, "seed": found.seed})
        for component, score in found.heads("induction"):
            place = component.layer, component.head or 0
            output.print_json({
                "event": "head", "component": str(component), "induction": score,
                "previous": float(found.previous[place]), "duplicate": float(found.duplicate[place]),
                "induction_head": score >= found.named_from})
        return
    output.line(f"Model: {decoder.name}. Read: {found.half} random tokens, repeated once.", "bold")
    for pattern in PATTERNS:
        named = len(found.heads(pattern, found.named_from))
        output.line(f"{TITLES[pattern]}: {named:,} heads with a score of at least {found.named_from:g}", "bold")
        for component, score in found.heads(pattern)[:SHOWN]:
            output.line(f"  {score:7.4f}   {component}")
