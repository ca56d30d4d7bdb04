"""Shorthand for a rule's example sentences."""

from __future__ import annotations

from offhook.packs import CueTest

__all__ = ["fires", "silent"]


def fires(*sentences: str, given: tuple[str, ...] = ()) -> tuple[CueTest, ...]:
    """Sentences the rule must fire on once the events of ``given`` have happened."""
    return tuple(CueTest(sentence, True, given) for sentence in sentences)


def silent(*sentences: str, given: tuple[str, ...] = ()) -> tuple[CueTest, ...]:
    """Sentences the rule must leave alone after the events of ``given``."""
    return tuple(CueTest(sentence, False, given) for sentence in sentences)
