"""OpenAI's adapter against its twin, held to every check of the conformance kit."""

import pytest

from offhook.conformance import CheckResult
from offhook_adapters.openai_realtime.adapter import OpenAIRealtimeAdapter


@pytest.mark.slow
@pytest.mark.offhook_conformance(platform=OpenAIRealtimeAdapter())
def test_conformance(offhook_conformance: CheckResult) -> None:
    assert offhook_conformance.holds, offhook_conformance.told
