"""Changes of what a model computes, in words."""

from __future__ import annotations

from gptstudio.gpt.tokenizer import GPT2, Tokenizer
from gptstudio.gui.translation import joined, tr
from gptstudio.inference.interventions import (
    AttentionPattern,
    Change,
    Component,
    Intervention,
    Interventions,
    PermutedPositions,
    ReplacedEmbedding,
)

LISTED = 6


def component_name(component: Component) -> str:
    """Return a component counted from 1, with its name in code and on the command line, which counts from 0."""
    if component.head is None:
        return tr("Layer {n}, MLP ({name})", n=component.layer + 1, name=str(component))
    return tr("Layer {n}, head {head} ({name})", n=component.layer + 1, head=component.head + 1, name=str(component))


def summary(interventions: Interventions, tokenizer: Tokenizer = GPT2) -> str:
    """Return all changes in one sentence each, of many the first few."""
    changes = interventions.changes
    if not changes:
        return tr("Nothing is changed. Click a head or an MLP in the diagram to switch it off.")
    more = tr("… and {n} more", n=len(changes) - LISTED) if len(changes) > LISTED else ""
    return joined("\n", *(words(each, tokenizer) for each in changes[:LISTED]), *filter(None, [more]))


def words(change: Change, tokenizer: Tokenizer = GPT2) -> str:
    """Return one change in words."""
    match change:
        case Intervention(factor=0, baseline="zero"):
            return tr("{name}: off", name=component_name(change.component))
        case Intervention(factor=0):
            return tr("{name}: replaced by its mean", name=component_name(change.component))
        case Intervention(baseline="zero"):
            return tr("{name}: {share} % of its output", name=component_name(change.component),
                      share=f"{100 * change.factor:.0f}")
        case Intervention():
            return tr("{name}: {share} % of its distance from its mean", name=component_name(change.component),
                      share=f"{100 * change.factor:.0f}")
        case AttentionPattern(pattern="uniform"):
            return tr("{name}: attends to all tokens so far alike", name=component_name(change.component))
        case AttentionPattern(pattern="previous"):
            return tr("{name}: attends to the previous token", name=component_name(change.component))
        case AttentionPattern():
            return tr("{name}: attends to the token itself", name=component_name(change.component))
        case ReplacedEmbedding():
            return tr("Position {n} is read as “{token}”", n=change.position, token=tokenizer.visible(change.token))
        case PermutedPositions():
            return tr("The positions of the first {n} tokens are shuffled", n=change.count)


def marks(interventions: Interventions) -> dict[Component, str]:
    """Return what is drawn on the changed components: a cross for off, a figure, or the sign of a frozen pattern."""
    found: dict[Component, str] = {}
    for change in interventions.changes:
        match change:
            case Intervention(factor=0):
                found[change.component] = "×"
            case Intervention():
                found[change.component] = f"{100 * change.factor:.0f}"
            case AttentionPattern():
                found.setdefault(change.component, "≡")
    return found
