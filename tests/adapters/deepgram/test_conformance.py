"""Deepgram's adapter against its twin, held to every check of the conformance kit but one."""

import pytest

from offhook.conformance import CHECKS, CheckResult
from offhook_adapters.deepgram.adapter import DeepgramAdapter

# The vendor cuts prompts after 25,000 characters, and the kit's long one is longer: see test_trouble.py.
NAMES = [name for name in CHECKS if name != "long-prompt"]


@pytest.mark.slow
@pytest.mark.offhook_conformance(*NAMES, platform=DeepgramAdapter())
def test_conformance(offhook_conformance: CheckResult) -> None:
    assert offhook_conformance.holds, offhook_conformance.told
