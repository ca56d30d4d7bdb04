"""Shorthand for cue tests, and turns that come in every call and must leave most rules alone."""

from __future__ import annotations

from typing import Final

from offhook_industries.common.examples import fires, silent

__all__ = ["ROUTINE", "WAIT", "WHICH_PROOF", "WHO", "fires", "silent"]

WHO: Final = "May I have your full name and the phone number on the account?"
WHICH_PROOF: Final = "What is the ZIP code on that order, and the last four digits on the card you paid with?"
WAIT: Final = "One moment while I look that up."
ROUTINE: Final = (WHO, WHICH_PROOF, WAIT)
