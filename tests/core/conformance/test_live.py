"""The kit without a twin: one call to a platform that stands where the environment says."""

from __future__ import annotations

import attrs
import pytest

from offhook.conformance import LIVE_CHECKS, Conformance, Verdict, conform_live
from offhook.runner import UnknownName
from offhook.runner._streams import streams_of
from offhook.sessions import CallSetup
from offhook.testing import fake_engines
from offhook.testing_pack import bicycle_pack
from offhook.twins import Behind, ScriptDesk

from ._subject import CAPABILITIES, Subject
from ._wire import FarTwin

KEY = "kit-key-of-the-environment"
GREETS = "Fernhill Cycle Works, repair desk."


async def _greets(desk: ScriptDesk) -> None:
    await desk.say(GREETS)
    await desk.listen()


def _live(monkeypatch: pytest.MonkeyPatch, flaw: str = "") -> Conformance:
    call = CallSetup("live", bicycle_pack().now, streams_of(1, "live", "platform"), fake_engines())
    environment = {"KIT_ADDRESS": "there", "KIT_KEY": KEY}
    monkeypatch.setenv("KIT_KEY", KEY)
    subject = Subject(flaw, capabilities=attrs.evolve(CAPABILITIES, virtual_time=False))
    subject.exchange["there"] = FarTwin(Behind(call, _greets), KEY, environment)
    return conform_live(subject.with_environment(environment))


def test_a_call_to_a_platform_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _live(monkeypatch, "key in the record")
    verdicts = {result.check: result.verdict for result in told.results}
    assert list(verdicts) == list(LIVE_CHECKS)
    assert {name for name, verdict in verdicts.items() if verdict is not Verdict.PASSED} == {"no-secret"}
    assert "KIT_KEY in the platform's record" in told.result("no-secret").arrived
    assert KEY not in told.result("no-secret").told
    assert told.result("greeting-heard").evidence["said"] == [GREETS]
    assert 4 < told.result("audio-flows").evidence["seconds"] < 15


def test_a_check_that_there_is_not() -> None:
    with pytest.raises(UnknownName, match="unknown live check 'audio'; nearest: audio-flows"):
        conform_live(Subject(), only=["audio"])


@pytest.mark.slow
def test_a_session_that_never_hangs_up_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told = _live(monkeypatch, "hangs up once")
    assert [result.check for result in told.results if not result.holds] == ["caller-hangup"]
    assert "there is no such call" in told.result("caller-hangup").arrived
