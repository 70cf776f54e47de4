"""Sentences that read a fit: what follows from its numbers by rules, and what does not."""

from __future__ import annotations

from collections.abc import Iterator

from gptstudio.gui.learn.kit import fixed
from gptstudio.gui.learn.scaling.chart import short_count
from gptstudio.gui.translation import joined, percent, tr
from gptstudio.labs.scaling import PowerLaw, ScalingAnswer
from gptstudio.labs.scaling_request import SizePoint

GUESSING = 10.82  # ln 50,257
NONE = 0.0005  # a change smaller than this is said to be none


def reading(found: ScalingAnswer) -> str:
    """Everything that the points say, in sentences."""
    return joined(" ", *_sentences(found))


def _sentences(found: ScalingAnswer) -> Iterator[str]:
    if found.law is None:
        yield tr(found.why_not)
    else:
        yield _ten_times(found.law)
        yield _certainty(found.law)
        yield from _lowest(found)
    yield from _diverged(found)


def _ten_times(law: PowerLaw) -> str:
    change = law.for_ten
    above = tr("the loss above {irreducible}", irreducible=fixed(law.irreducible, 2)) if law.irreducible else tr(
        "the loss")
    if abs(change) < NONE:
        return tr("Ten times as many parameters leave {loss} as it is.", loss=above)
    if change < 0:
        return tr("Ten times as many parameters lower {loss} by {share}.", loss=above, share=percent(-change))
    return tr("Ten times as many parameters raise {loss} by {share}.", loss=above, share=percent(change))


def _certainty(law: PowerLaw) -> str:
    if law.error is None or law.low is None or law.high is None:
        return tr("The exponent b is {b}. A line always fits two points, so nothing says how certain it is.",
                  b=fixed(law.exponent, 3))
    said = tr("The exponent b is {b} ± {error} (standard error), 95 % interval from {low} to {high}.",
              b=fixed(law.exponent, 3), error=fixed(law.error, 3), low=fixed(law.low, 3), high=fixed(law.high, 3))
    if law.low <= 0 <= law.high:
        return joined(" ", said, tr("That includes 0: these points do not tell whether more parameters help."))
    return said


def _lowest(found: ScalingAnswer) -> Iterator[str]:
    """The bottom of the curve, where it is not at the largest size."""
    best = int(found.losses.argmin())
    if len(found.losses) > 2 and best < len(found.losses) - 1:
        yield tr("At this compute the size with {n} parameters does best; larger ones read fewer tokens for it.",
                 n=short_count(float(found.parameters[best])))


def _diverged(found: ScalingAnswer) -> Iterator[str]:
    lost = [point for point in found.measured.points if not point.losses()]
    some = sum(point.diverged for point in found.measured.points if point.losses())
    if lost:
        yield tr("Diverged and left out of the fit: {sizes}. Lower the learning rate.",
                 sizes=", ".join(size_name(point) for point in lost))
    if some:
        yield tr("Trainings that diverged and are left out of the means: {n}.", n=some)


def caveats(found: ScalingAnswer) -> str:
    """Return what so little text, so few points and the published laws cannot say here."""
    points = sorted(found.measured.points, key=lambda point: point.parameters)
    if not points:
        return ""
    said = [tr("The text has {n} tokens to train on: the smallest model read each {most} times, the largest {least} "
               "times.", n=f"{found.measured.train_tokens:,}", most=fixed(points[0].epochs, 1),
               least=fixed(points[-1].epochs, 1))]
    if found.law and found.other and found.law.points > 2:
        this, other = (law.distance(found.parameters, found.losses) for law in (found.law, found.other))
        said.append(tr(
            "With an irreducible loss of {other} instead of {this}, the exponent would be {b}, and the points would "
            "be {far} instead of {near} nats from the curve on average: they cannot tell which is right.",
            other=fixed(found.other.irreducible, 2), this=fixed(found.law.irreducible, 2),
            b=fixed(found.other.exponent, 3), far=fixed(other, 4), near=fixed(this, 4)))
    if len(found.chinchilla_losses):
        highest = float(found.chinchilla_losses.max())
        said.append(tr(
            "The full formula of Hoffmann et al. would give up to {loss} here, where random guessing has {guessing}: "
            "it was fitted to models of 70 million parameters and more on 5 billion tokens and more, so only its slope "
            "is drawn.",
            loss=fixed(highest, 1), guessing=fixed(GUESSING, 2)) if highest > GUESSING else tr(
            "The full formula of Hoffmann et al. would give up to {loss} here.", loss=fixed(highest, 1)))
    return joined(" ", *said)


def size_name(point: SizePoint) -> str:
    """'width 64, layers 3'."""
    return tr("width {width}, layers {layers}", width=point.emb_dim, layers=point.n_layers)


def point_words(found: ScalingAnswer, point: SizePoint) -> str:
    """All that is known of a point."""
    which = found.request.measured
    losses = point.losses(which)
    said = tr("{size}: {n} parameters without embeddings, {all} with them. Loss with each seed: {losses}.",
              size=size_name(point), n=f"{point.parameters:,}", all=f"{point.all_parameters:,}",
              losses=", ".join(fixed(loss, 3) for loss in losses))
    return joined(" ", said, tr(
        "{steps} steps, {tokens} tokens, {flops} floating-point operations each, {share} of them in the output layer.",
        steps=f"{point.steps:,}", tokens=f"{point.tokens:,}", flops=f"{point.flops:.2e}",
        share=percent(point.output_share)))
