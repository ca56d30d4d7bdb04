"""The follower choosing from lists, going on to a second request, and telling what the caller touches on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.packs import (
    Agent,
    Aside,
    Ask,
    ExpectedCall,
    FollowerGuide,
    Options,
    Pack,
    Parameter,
    Tool,
    ToolContext,
    ToolGuide,
)
from offhook.testing_pack import bicycle_pack
from offhook.values import ValueKind
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds._follower_options import Entry, place_named
from offhook_adapters.reference.minds.follower import make_follower

from ._calls import Reply, TextCall, answers, text_call

REFERENCE = ReferenceAdapter("reference", make_follower)

TIMES = [
    {"slot": "S-1", "when": "Tuesday at 9 AM", "bay": "north bay", "town": "Salem"},
    {"slot": "S-2", "when": "Wednesday at 2 PM", "bay": "south bay", "town": "Salem"},
    {"slot": "S-3", "when": "Friday at 4 PM", "bay": "east bay", "town": "Salem"},
]


def _times(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"times": TIMES if arguments["day"] != "never" else []}


def _echo(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(arguments)


_SLOT = Parameter("slot", ValueKind.TEXT, "The slot")
_TOOLS = (
    Tool(
        "find_times",
        "When to call: a visit is wanted.",
        (Parameter("day", ValueKind.TEXT, "Which day"),),
        _times,
    ),
    Tool("hold", "When to call: a time was chosen.", (_SLOT,), _echo),
    Tool(
        "book", "When to call: agreed.", (_SLOT, Parameter("agreed", ValueKind.YES_NO, "True if so")), _echo
    ),
    Tool("end_call", "When to call: all is settled.", (), _echo, ends_call=True),
)
_CHOICE = Options(
    "slot",
    "find_times.times",
    "slot",
    "{when} in the {bay}",
    "I have {options}. Which suits you?",
    names=("bay", "town"),
    most=2,
)
_GUIDE = FollowerGuide(
    tools=(
        ToolGuide(
            "find_times",
            asks=(Ask(("day",), "Which day would suit?", "Which day, please?"),),
            say="Here they are.",
        ),
        ToolGuide("hold", options=(_CHOICE,), say="{slot} is held.", completes=True),
        ToolGuide(
            "book", options=(_CHOICE,), propose="Shall I book {slot}?", consent="agreed", say="Booked."
        ),
    ),
    unclear="Sorry?",
    closing="Anything else?",
    goodbye="Goodbye.",
    sorry="I can't get further.",
    asides=(Aside((r"\bsmok", r"\bburn"), "Please step away from it first."),),
)


def _pack(*tools: str, guide: FollowerGuide = _GUIDE) -> Pack:
    bicycle = bicycle_pack()
    known = {
        "find_times": ExpectedCall("find_times", free_text={"day": "any"}),
        "hold": ExpectedCall("hold", {"slot": "S-1"}),
        "book": ExpectedCall("book", {"slot": "S-1", "agreed": True}),
    }
    task = attrs.evolve(bicycle.tasks[0], expected=tuple(known[tool] for tool in tools))
    return attrs.evolve(
        bicycle,
        tools=_TOOLS,
        agent=Agent("Fernhill", "prompt", "Hello, how can I help?", tuple(tool.name for tool in _TOOLS)),
        now=datetime.fromisoformat("2026-03-12T10:30"),
        guide=guide,
        tasks=(task,),
    )


def _call(folder: Path, reply: Reply, *tools: str, guide: FollowerGuide = _GUIDE) -> TextCall:
    pack = _pack(*tools, guide=guide)
    return text_call(REFERENCE, pack, pack.tasks[0], reply, folder)


def _slots(call: TextCall, tool: str) -> list[object]:
    return [arguments["slot"] for name, arguments, _ in call.tools if name == tool]


OPENING = ("how can i help", "I'd like a visit.")
DAY = ("which day", "Any day.")
DONE = ("anything else", "No, that's all. Bye.")


@pytest.mark.parametrize(
    ("answer", "slot"),
    [
        ("The first one, please.", "S-1"),
        ("I'd take the second.", "S-2"),
        ("The last one you said.", "S-2"),
        ("The south bay, please.", "S-2"),
        ("Do you have the east bay?", "S-3"),
        ("Wednesday at 2 PM in the south bay would be good.", "S-2"),
    ],
)
def test_the_caller_picks_from_the_first_few(tmp_path: Path, answer: str, slot: str) -> None:
    call = _call(tmp_path, answers((("which suits", answer), DAY, DONE, OPENING)), "find_times", "hold")
    assert _slots(call, "hold") == [slot]
    assert (
        "I have Tuesday at 9 AM in the north bay, or Wednesday at 2 PM in the south bay. Which suits you?"
        in (call.said)
    )


def test_an_entry_named_before_is_not_asked_for(tmp_path: Path) -> None:
    opening = ("how can i help", "I'd like a visit in the east bay.")
    call = _call(tmp_path, answers((DAY, DONE, opening)), "find_times", "hold")
    assert _slots(call, "hold") == ["S-3"]
    assert not any("Which suits" in line for line in call.said)


def test_a_name_that_all_entries_bear_tells_nothing(tmp_path: Path) -> None:
    opening = ("how can i help", "I'd like a visit in Salem.")
    call = _call(
        tmp_path, answers((("which suits", "The second."), DAY, DONE, opening)), "find_times", "hold"
    )
    assert _slots(call, "hold") == ["S-2"]


def test_an_answer_that_names_nothing_is_asked_again_and_nothing_is_made_up(tmp_path: Path) -> None:
    call = _call(tmp_path, answers((("which suits", "Hm."), DAY, DONE, OPENING)), "find_times", "hold")
    assert _slots(call, "hold") == []
    assert sum("Which suits" in line for line in call.said) == 3


def test_an_empty_list_leaves_the_step_out(tmp_path: Path) -> None:
    call = _call(tmp_path, answers((("which day", "never"), DONE, OPENING)), "find_times", "hold")
    assert _slots(call, "hold") == []
    assert call.accepted == ("find_times", "end_call")


def test_a_choice_holds_for_later_steps_and_is_read_back_in_words(tmp_path: Path) -> None:
    reply = answers((("shall i book", "Yes."), ("which suits", "The second."), DAY, DONE, OPENING))
    call = _call(tmp_path, reply, "find_times", "hold", "book")
    assert (_slots(call, "hold"), _slots(call, "book")) == (["S-2"], ["S-2"])
    assert "Shall I book Wednesday at 2 PM in the south bay?" in call.said
    assert sum("Which suits" in line for line in call.said) == 1


def test_a_newer_list_is_chosen_from_anew(tmp_path: Path) -> None:
    picks = iter(("The second.", "The first."))
    others = answers((("shall i book", "Yes."), DAY, DONE, OPENING))
    call = _call(
        tmp_path,
        lambda said: next(picks) if "which suits" in said.lower() else others(said),
        "find_times",
        "hold",
        "find_times",
        "book",
    )
    assert (_slots(call, "hold"), _slots(call, "book")) == (["S-2"], ["S-1"])


def test_a_settled_request_is_followed_by_the_closing_question(tmp_path: Path) -> None:
    reply = answers(
        (
            ("shall i book", "Yes."),
            ("which suits", "The first."),
            DAY,
            ("anything else", "Yes, please book it as well."),
            OPENING,
        )
    )
    call = _call(tmp_path, reply, "find_times", "hold", "book")
    said = list(call.said)
    held = next(place for place, line in enumerate(said) if line.endswith("is held."))
    assert said[held + 1] == "Anything else?"
    assert said[held + 2].startswith("Shall I book")


def test_a_result_that_the_next_step_reads_back_is_not_told_twice(tmp_path: Path) -> None:
    quoting = attrs.evolve(
        _GUIDE,
        tools=(
            *_GUIDE.tools[:1],
            ToolGuide("hold", options=(_CHOICE,), say="{slot} is held."),
            ToolGuide(
                "book", carry={"slot": "hold.slot"}, propose="Shall I book {hold.slot}?", consent="agreed"
            ),
        ),
    )
    reply = answers((("shall i book", "Yes."), ("which suits", "The first."), DAY, DONE, OPENING))
    call = _call(tmp_path, reply, "find_times", "hold", "book", guide=quoting)
    assert _slots(call, "book") == ["S-1"]
    assert not any(line.endswith("is held.") for line in call.said)


def test_an_aside_is_told_once_and_before_anything_else(tmp_path: Path) -> None:
    smoking = ("how can i help", "I'd like a visit, my charger is smoking.")
    again = ("which day", "Any day. It still smokes and burns.")
    call = _call(tmp_path, answers((again, DONE, smoking)), "find_times")
    assert call.said[1] == "Please step away from it first."
    assert call.said.count("Please step away from it first.") == 1


@pytest.mark.parametrize("text", ["That suits me.", "", "The fourth one."])
def test_no_place_is_read_out_of_other_words(text: str) -> None:
    entries = (Entry("a", "one", ()), Entry("b", "two", ()))
    assert place_named(entries, text) is None


def test_one_entry_serves_two_parameters_of_one_list(tmp_path: Path) -> None:
    bay = attrs.evolve(_CHOICE, parameter="day", value="town")
    twice = attrs.evolve(
        _GUIDE,
        tools=(
            *_GUIDE.tools[:1],
            ToolGuide("hold", options=(_CHOICE,), say="{slot} is held."),
            ToolGuide("place", options=(bay, _CHOICE), say="Placed."),
        ),
    )
    tools = (
        *_TOOLS,
        Tool("place", "When to call: held.", (_SLOT, Parameter("day", ValueKind.TEXT, "x")), _echo),
    )
    pack = _pack("find_times", "hold", guide=twice)
    task = attrs.evolve(
        pack.tasks[0],
        expected=(*pack.tasks[0].expected[:1], ExpectedCall("place", {"slot": "S-2", "day": "Salem"})),
    )
    pack = attrs.evolve(pack, tools=tools, tasks=(task,))
    call = text_call(
        REFERENCE, pack, task, answers((("which suits", "The second."), DAY, DONE, OPENING)), tmp_path
    )
    assert [arguments for name, arguments, _ in call.tools if name == "place"] == [
        {"day": "Salem", "slot": "S-2"}
    ]
    assert sum("Which suits" in line for line in call.said) == 1


@pytest.mark.parametrize("looked_up", [True, False])
def test_what_an_earlier_result_has_is_taken_and_else_asked_for(tmp_path: Path, looked_up: bool) -> None:
    guide = attrs.evolve(
        _GUIDE,
        tools=(
            *_GUIDE.tools[:1],
            ToolGuide(
                "hold", asks=(Ask(("slot",), "Which slot?", "Which?"),), take={"slot": "find_times.best"}
            ),
        ),
    )
    pack = _pack(*(("find_times", "hold") if looked_up else ("hold",)), guide=guide)
    best = Tool(
        "find_times", "x", _TOOLS[0].parameters, lambda context, arguments: {"times": TIMES, "best": "S-3"}
    )
    pack = attrs.evolve(pack, tools=(best, *_TOOLS[1:]))
    reply = answers((("which slot", "S-1"), DAY, DONE, OPENING))
    call = text_call(REFERENCE, pack, pack.tasks[0], reply, tmp_path)
    assert _slots(call, "hold") == ["S-3" if looked_up else "S-1"]
    assert any("Which slot" in line for line in call.said) is not looked_up


def test_names_are_known_however_they_are_joined(tmp_path: Path) -> None:
    option = attrs.evolve(_CHOICE, names=("kind",))
    times = [
        {**item, "kind": kind} for item, kind in zip(TIMES, ("follow_up", "skin_check", "visit"), strict=True)
    ]
    pack = _pack(
        "find_times",
        "hold",
        guide=attrs.evolve(_GUIDE, tools=(_GUIDE.tools[0], ToolGuide("hold", options=(option,)))),
    )
    tool = Tool("find_times", "x", _TOOLS[0].parameters, lambda context, arguments: {"times": times})
    pack = attrs.evolve(pack, tools=(tool, *_TOOLS[1:]))
    opening = ("how can i help", "It's about my skin-check, please.")
    call = text_call(REFERENCE, pack, pack.tasks[0], answers((DAY, DONE, opening)), tmp_path)
    assert _slots(call, "hold") == ["S-2"]


def test_a_step_needs_what_it_carries_only_where_its_key_names_it(tmp_path: Path) -> None:
    guide = attrs.evolve(
        _GUIDE,
        tools=(
            ToolGuide(
                "hold", asks=(Ask(("slot",), "Which slot?", "Which?"),), carry={"day": "find_times.day"}
            ),
        ),
    )
    call = _call(tmp_path, answers((("which slot", "S-1"), DONE, OPENING)), "hold", guide=guide)
    assert _slots(call, "hold") == ["S-1"]
