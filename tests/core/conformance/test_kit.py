"""What the kit makes of a platform's declarations, of one that hangs, and of being stopped; and its parts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import attrs
import numpy as np
import pytest

from offhook.audio import LINE_RATE, Resampler
from offhook.conformance import CHECKS, CheckResult, NotReady, NoTwin, Verdict, conform, pick_checks
from offhook.conformance._config_checks import tools_differ
from offhook.conformance._fault_checks import says_what_to_do
from offhook.conformance._result import Unmet, difference
from offhook.conformance._sound import joined, likeness
from offhook.conformance._watch import Leak, Watch, all_logs
from offhook.runner import UnknownName
from offhook.sessions import AgentAudio, Capabilities, Greeting, ToolMode, ToolSchema
from offhook.speech import SpeechStyle
from offhook.testing import FakeVoice

from ._subject import CAPABILITIES, Subject

WORDS = FakeVoice().speak("The workshop opens early.", SpeechStyle()).samples


def _only(subject: Subject, check: str) -> CheckResult:
    (result,) = conform(subject, only=[check]).results
    return result


def test_a_record_of_the_tool_calls_alone_is_a_record() -> None:
    result = _only(Subject("keeps the tool log alone"), "record")
    assert result.verdict is Verdict.PASSED, result.told
    assert result.evidence["transcript"] == []
    assert "get_service_price" in str(result.evidence["tool_log"])


def test_a_failing_line_says_so_where_nothing_arrived() -> None:
    assert str(Unmet("some words", "")) == "expected some words; arrived: nothing"


# --- what does not apply ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("capabilities", "check", "reason"),
    [
        (
            attrs.evolve(CAPABILITIES, greeting=Greeting.NONE),
            "greeting-arrives",
            "capabilities.greeting is none",
        ),
        (attrs.evolve(CAPABILITIES, barge_in_signal=False), "barge-in", "capabilities.barge_in_signal"),
        (attrs.evolve(CAPABILITIES, record=False), "record", "capabilities.record is false"),
        (attrs.evolve(CAPABILITIES, cost=False), "cost", "capabilities.cost is false"),
    ],
)
def test_what_a_platform_does_not_have_is_not_asked_of_it(
    capabilities: Capabilities, check: str, reason: str
) -> None:
    result = _only(Subject(capabilities=capabilities), check)
    assert result.verdict is Verdict.NOT_APPLICABLE
    assert reason in result.reason
    assert result.holds
    assert result.told == f"{check}: not applicable, {result.reason}"


def test_a_fault_that_the_twin_cannot_show_is_not_applicable() -> None:
    subject = Subject(faults=frozenset({"none", "cut"}))
    told = conform(subject, only=["network-loss", "expire", "refused", "tool-cancelled", "no-secret"])
    assert {result.check: result.verdict.value for result in told.results} == {
        "network-loss": "passed",
        "expire": "not-applicable",
        "refused": "not-applicable",
        "tool-cancelled": "not-applicable",
        "no-secret": "passed",
    }
    assert told.result("expire").reason == "the twin can't show the fault 'expire'"


def test_a_platform_that_cannot_greet_is_opened_by_the_caller() -> None:
    subject = Subject(capabilities=attrs.evolve(CAPABILITIES, greeting=Greeting.NONE))
    names = ("prompt-arrives", "audio-out", "barge-in", "agent-hangup", "two-at-once")
    assert conform(subject, only=names).holds


def test_a_greeting_may_come_within_an_instruction_where_it_is_prompted() -> None:
    prompted = attrs.evolve(CAPABILITIES, greeting=Greeting.PROMPTED)
    assert _only(Subject("asks for the greeting", capabilities=prompted), "greeting-arrives").holds
    assert not _only(Subject("asks for the greeting"), "greeting-arrives").holds


def test_transcripts_of_the_caller_must_not_come_where_none_are_declared() -> None:
    silent = attrs.evolve(CAPABILITIES, user_transcript=False)
    told = _only(Subject(capabilities=silent), "transcripts")
    assert "capabilities.user_transcript is false" in told.expected


def test_a_prompt_that_is_too_long_may_be_refused_in_a_line_that_says_so() -> None:
    refused = _only(Subject("refuses long prompts"), "long-prompt")
    assert refused.verdict is Verdict.NOT_APPLICABLE
    assert refused.reason == (
        "the platform refuses a prompt of 31488 characters (it takes 25000 at most: use a shorter prompt)"
    )
    assert not _only(Subject("refuses long prompts without a word"), "long-prompt").holds


# --- hanging, stopping, refusing --------------------------------------------------------------------------


def test_a_check_that_hangs_says_what_it_waited_for() -> None:
    told = _only(Subject("dials for ever"), "unreachable")
    assert (told.expected, told.arrived) == ("connect() to return or raise", "nothing within 40 s")


@pytest.mark.parametrize("what", ["start", "end"])
def test_a_twin_that_hangs_fails_the_checks_and_not_the_kit(what: str) -> None:
    told = _only(Subject(f"has a twin that does not {what}"), "prompt-arrives")
    assert (told.expected, told.arrived) == (f"the twin to {what}", "it did not within 40 s")


def test_a_twin_that_hangs_in_real_time_can_be_given_up() -> None:
    real = attrs.evolve(CAPABILITIES, virtual_time=False)
    stop = threading.Event()
    giving_up = threading.Timer(0.5, stop.set)
    giving_up.start()
    told = conform(Subject("has a twin that does not start", capabilities=real), stop=stop)
    giving_up.join()
    assert told.results == ()


def test_an_adapter_that_raises_in_a_call_fails_with_its_line() -> None:
    told = _only(Subject("breaks in send_audio"), "audio-in")
    assert told.verdict is Verdict.FAILED
    assert "platform broke: ZeroDivisionError" in told.told


def test_a_stop_keeps_what_is_done() -> None:
    stop = threading.Event()
    told = conform(Subject(), stop=stop, on_done=lambda result: stop.set())
    assert [result.check for result in told.results] == ["prompt-arrives"]


def test_in_real_time_a_stop_gives_up_what_is_under_way() -> None:
    stop, begun = threading.Event(), list[str]()
    subject = Subject(capabilities=attrs.evolve(CAPABILITIES, virtual_time=False))
    told = conform(
        subject,
        only=["silence", "refused"],
        stop=stop,
        on_started=lambda check: begun.append(check.name),
        on_done=lambda result: stop.set(),
    )
    assert begun == ["silence", "refused"]
    assert [result.check for result in told.results] == ["refused"]


def test_an_adapter_without_a_twin_is_told_what_to_implement() -> None:
    with pytest.raises(NoTwin, match=r"^nobody brings no twin: implement can, twin\(\) and with_environment"):
        conform(attrs.make_class("Nobody", {"name": attrs.field(default="nobody")})())


def test_what_this_machine_lacks_is_told_once_and_not_by_every_check() -> None:
    with pytest.raises(NotReady, match=r"^the SDK is missing: run pip install offhook-kit$"):
        conform(Subject("lacks its SDK"))


def test_checks_come_in_the_kits_order_and_by_their_names() -> None:
    assert [check.name for check in pick_checks(["stall", "audio-in"])] == ["audio-in", "stall"]
    assert [check.name for check in pick_checks([])] == list(CHECKS)
    with pytest.raises(UnknownName, match="unknown check 'tool-cal'; nearest: tool-call"):
        pick_checks(["tool-cal"])


# --- tools that the platform calls by itself --------------------------------------------------------------


@pytest.mark.slow
def test_tool_calls_count_where_they_arrive_also_by_webhook() -> None:
    routed = attrs.evolve(CAPABILITIES, virtual_time=False, tool_mode=ToolMode.WEBHOOK)
    names = ["tool-call", "tool-batch", "tool-refused", "tool-unknown", "two-at-once"]
    told = conform(Subject(capabilities=routed), only=names)
    assert [result.told for result in told.results] == [f"{name}: passed" for name in names]
    assert told.result("tool-call").evidence["id"] == "tool-1"


# --- parts ------------------------------------------------------------------------------------------------


def test_where_two_texts_part() -> None:
    assert difference("caf\u00e9", "caf\u00e9") is None
    assert difference("caf\u00e9", "cafe\u0301") == (
        r"from character 3: 'e\u0301' in place of '\xe9' (5 of 4 characters)"
    )
    assert difference("abc", "ab") == "from character 2: '' in place of 'c' (2 of 3 characters)"


def test_tools_differ_in_order_description_and_schema_but_not_in_the_order_of_keys() -> None:
    one = ToolSchema("one", "first", {"type": "object", "required": []})
    two = ToolSchema("two", "second", {"type": "object"})
    swapped = attrs.evolve(one, parameters={"required": [], "type": "object"})
    assert tools_differ([one, two], [swapped, two]) is None
    assert tools_differ([one, two], [two, one]) == "tools ['two', 'one'] in place of ['one', 'two']"
    described = tools_differ([one], [attrs.evolve(one, description="First")])
    assert described is not None
    assert described.startswith("the description of one differs from character 0")
    assert tools_differ([one], [attrs.evolve(one, parameters={"type": "object"})]) is not None


def test_a_whole_sound_is_alike_at_any_rate_and_in_any_pieces() -> None:
    whole = likeness(WORDS, joined([AgentAudio(piece, LINE_RATE) for piece in np.array_split(WORDS, 37)]))
    assert whole.correlation == pytest.approx(1)
    assert whole.level == pytest.approx(1)
    assert whole.expected == whole.arrived
    slow = Resampler(LINE_RATE, 8_000).push(WORDS, last=True)
    narrow = likeness(WORDS, joined([AgentAudio(piece, 8_000) for piece in np.array_split(slow, 11)]))
    assert narrow.correlation > 0.98
    assert abs(narrow.arrived - narrow.expected) < 480


def _spoilt() -> Iterator[tuple[str, np.ndarray]]:
    middle = len(WORDS) // 2
    yield "a frame lost", np.delete(WORDS, slice(middle, middle + 480))
    yield "a frame twice", np.insert(WORDS, middle, WORDS[middle : middle + 480])
    yield "a gap", np.insert(WORDS, middle, np.zeros(480, dtype=np.int16))
    yield "pieces swapped", np.concatenate((WORDS[middle:], WORDS[:middle]))
    yield "the end lost", WORDS[: len(WORDS) * 3 // 4]
    yield "nothing", WORDS[:0]


@pytest.mark.parametrize(
    ("how", "spoilt"), tuple(_spoilt()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_spoilt_sound_is_not_alike(how: str, spoilt: np.ndarray) -> None:
    found = likeness(WORDS, spoilt)
    assert found.correlation < 0.9


def test_a_watch_finds_secrets_and_does_not_tell_them() -> None:
    watch = Watch()
    watch.guard("the key", "sk-0123456789")
    watch.guard("nothing to speak of", "abc")
    watch.look("here", "abc, and sk-0123456789!")
    try:
        try:
            raise ValueError("no sk-0123456789")
        except ValueError as inner:
            raise RuntimeError("it failed") from inner
    except RuntimeError as error:
        watch.look("the error", error)
    watch.look("nowhere", "sk-012345678")
    assert watch.leaks == (Leak("the key", "here"), Leak("the key", "the error"))
    assert "sk-" not in repr(watch.leaks)


def test_all_logs_are_listened_to_and_left_as_they_were(caplog: pytest.LogCaptureFixture) -> None:
    apart = logging.getLogger("kit.apart")
    apart.setLevel(logging.ERROR)
    apart.propagate = False
    root = logging.getLogger()
    before = (root.level, list(root.handlers), apart.level, list(apart.handlers))
    watch = Watch()
    watch.guard("the key", "sk-0123456789")
    with all_logs(watch):
        apart.debug("sk-0123456789")
        logging.getLogger("kit.anew").debug("header %s", "sk-0123456789")
        logging.getLogger("websockets.server").debug("sk-0123456789")
        logging.getLogger("kit.anew").warning("this is for everybody")
    assert [leak.where for leak in watch.leaks] == ["the log of kit.apart", "the log of kit.anew"]
    assert (root.level, list(root.handlers), apart.level, list(apart.handlers)) == before
    assert [record.getMessage() for record in caplog.records] == ["this is for everybody"]


@pytest.mark.parametrize(
    "error",
    [
        ValueError(""),
        ValueError("failed"),
        ValueError("first line\nsecond: try again"),
        ValueError("the platform answered HTTP 503 to RealtimeSettings"),
        ValueError("try <X object at 0x7f>"),
        AttributeError("there is no attribute 'headers', try another"),
    ],
    ids=repr,
)
def test_a_message_that_helps_nobody(error: Exception) -> None:
    with pytest.raises(Unmet):
        says_what_to_do(error)
    says_what_to_do(ValueError("the platform answered HTTP 503: try again later"))
