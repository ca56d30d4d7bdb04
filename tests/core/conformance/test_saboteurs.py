"""The kit finds nothing wrong with an adapter that keeps the contract, and each flaw by the check there is
for it.
"""

from __future__ import annotations

import pytest

from offhook.conformance import CHECKS, CheckResult, Conformance, Verdict, conform

from ._subject import Subject

# What is wrong, the check that has to say so, and what it has to name.
FLAWS = (
    ("strips the prompt", "prompt-arrives", "in place of '\\nPrices are public"),
    ("strips the prompt", "long-prompt", "from character 76"),
    ("composes accents", "unicode-prompt", r"in place of 'e\u0301"),
    ("limits the prompt", "long-prompt", "20000 of 31488 characters"),
    ("loses the greeting", "greeting-arrives", "0 of 17 characters"),
    ("sorts tools", "tools-arrive", "tools ['ask_workshop'"),
    ("loosens schemas", "tools-arrive", "the parameters of get_service_price"),
    ("adds a tool", "empty-tools", "tools ['none']"),
    ("loses frames", "audio-in", "the platform to hear 'My grey bicycle"),
    ("drops a frame", "audio-out", "57599 samples"),
    ("wrong rate", "audio-out", "declared rates [16000]"),
    ("quarters the level", "audio-out", "0.25 times the level"),
    ("flushes itself", "pacing", "Clear"),
    ("no clear", "barge-in", "expected Clear once the caller talks"),
    ("doubles calls", "tool-call", "tune_up"),
    ("one id for all", "tool-order", "hear 'That is all I have.'"),
    ("swaps results", "tool-batch", "$64.00"),
    ("turns batches round", "tool-batch", '"brakes"'),
    ("hides refusals", "tool-refused", "arrived: {}"),
    ("repeats a slow call", "tool-slow", "ask_workshop"),
    ("cuts results", "tool-large", "expected an answer of at least 200000 characters"),
    ("answers unknown tools", "tool-unknown", "one request for paint_frame"),
    ("mends arguments", "tool-bad-arguments", "tune_up, please"),
    ("hides a cancelled call", "tool-cancelled", "ToolCancelled for ['tool-1']"),
    ("cuts the last words", "agent-hangup", "the last words to be played out"),
    ("leaves late", "agent-hangup", "after 20.2 s"),
    ("never hangs up", "caller-hangup", "did not end its session within 10 s"),
    ("hangs up once", "caller-hangup", "RuntimeError: there is no such call"),
    ("leaves the line open", "caller-hangup", "the agent behind the wire goes on"),
    ("stream stays open", "caller-hangup", "still open 2 s later"),
    ("leaves in silence", "silence", "ended by platform (nobody there)"),
    ("stream just stops", "network-loss", "the event stream stopped"),
    ("error of two lines", "network-loss", "expected one line"),
    ("waits for ever", "stall", "the silence of the platform to be noted"),
    ("lives for ever", "expire", "the platform's end of the call to be noticed"),
    ("loses what is late", "burst", "to hear 'Yes, of course.'"),
    ("notes every oddity", "unknown-event", "to be noted once"),
    ("gives up at once", "refused", "PlatformUnusable: the platform answered HTTP 503"),
    ("advises nothing", "refused", "says what to do"),
    ("gives up when limited", "rate-limit", "PlatformUnusable"),
    ("retries without credit", "quota", "SubjectError: the account has no credit"),
    ("retries a wrong key", "wrong-key", "SubjectError"),
    ("names no variable", "wrong-key", "a message that names KIT_KEY"),
    ("checks nothing", "missing-key", "check() to name KIT_KEY"),
    ("dials for ever", "unreachable", "connect() to return or raise"),
    ("deploys anew", "deploy-idempotent", "one deployment"),
    ("forgets tools", "record", "a tool log that holds get_service_price"),
    ("keeps another transcript", "record", "a transcript that holds 'Yes, of course.'"),
    ("endless cost", "cost", "Cost.usd is inf"),
    ("no transcripts", "transcripts", "a transcript of the agent's words"),
    ("mixes calls", "two-at-once", "the caller to hear 'You mentioned"),
    ("takes ten calls", "many", "11 failed"),
    ("leaves a task", "cancel-teardown", "tasks ['sleep'"),
    ("tears down once", "cancel-teardown", "KeyError"),
    ("key in the repr", "no-secret", "the key in the repr of the adapter"),
    ("key in an error", "no-secret", "the key in the event SessionError"),
    ("key in a log", "no-secret", "the key in the log of kit.subject"),
    ("key in the record", "no-secret", "the key in the platform's record"),
)


@pytest.fixture(scope="module")
def honest() -> Conformance:
    return conform(Subject())


def test_an_adapter_that_keeps_the_contract_passes_every_check(honest: Conformance) -> None:
    assert [result.told for result in honest.results if result.verdict is not Verdict.PASSED] == []
    assert [result.check for result in honest.results] == list(CHECKS)
    assert honest.holds


def test_the_evidence_says_what_was_seen(honest: Conformance) -> None:
    assert honest.result("audio-out").evidence["correlation"] > 0.999
    assert honest.result("barge-in").evidence["clear_after_seconds"] <= 0.5
    assert honest.result("many").evidence["calls"] == 20
    assert honest.result("tool-large").evidence["characters"] > 200_000
    assert 20 < honest.result("silence").evidence["seconds"] < 60


def test_equal_calls_have_equal_results(honest: Conformance) -> None:
    names = ("audio-out", "barge-in", "tool-call", "silence")
    again = conform(Subject(), only=names)
    assert list(again.results) == [honest.result(result.check) for result in again.results]


def test_every_check_is_shown_to_fail() -> None:
    assert {check for _, check, _ in FLAWS} == set(CHECKS)


@pytest.mark.parametrize(
    ("flaw", "check", "told"), FLAWS, ids=[f"{flaw}: {check}" for flaw, check, _ in FLAWS]
)
def test_a_flaw_is_caught_by_its_check(flaw: str, check: str, told: str) -> None:
    (result,) = conform(Subject(flaw), only=[check]).results
    assert result.verdict is Verdict.FAILED
    assert told in result.told
    assert result.expected
    assert result.arrived


@pytest.mark.parametrize("flaw", ["no clear", "hangs up once"])
def test_a_flaw_is_caught_by_no_more_than_what_it_breaks(flaw: str) -> None:
    own = {check for name, check, _ in FLAWS if name == flaw}
    others = [name for name in CHECKS if not name.startswith(("tool-", "record", "cost", "two-", "many"))]
    failed = {result.check for result in conform(Subject(flaw), only=others).results if not result.holds}
    assert failed <= own | {"agent-hangup", "no-secret"}


@pytest.mark.offhook_conformance(platform=Subject())
def test_each_check_as_a_test(offhook_conformance: CheckResult) -> None:
    assert offhook_conformance.holds, offhook_conformance.told
