"""Pairs of prompts to begin with. Their tokens are in GPT-2's vocabulary, and each pair has equal lengths."""

from __future__ import annotations

from typing import NamedTuple

from gptstudio.i18n import message


class Example(NamedTuple):
    """A pair of prompts. An answer or a wrong token that is empty is the most probable one."""

    title: str
    clean: str
    corrupted: str
    answer: str = ""
    wrong: str = ""


EXAMPLES = (
    Example(  # Wang et al., 2022
        message("Indirect object: who gets the drink?"), "When Mary and John went to the store, John gave a drink to",
        "When Mary and John went to the store, Mary gave a drink to", " Mary", " John"),
    Example(  # Hanna et al., "How does GPT-2 compute greater-than?", 2023
        message("Greater than: a war ends after it began"), "The war lasted from the year 1732 to the year 17",
        "The war lasted from the year 1701 to the year 17"),
    Example(  # Olsson et al., 2022
        message("Repeated sequence: what came after green?"), "red blue green white red blue green",
        "red blue green black red blue green", " white", " black"),
    Example(
        message("The Verdict: what did he drop?"), "in the height of his glory, he had dropped his",
        "in the height of her fame, she had dropped her", " painting"),
)
