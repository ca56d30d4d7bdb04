"""The platform's own tool log against what the tool server received."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from offhook.records import ToolLogEntry
from offhook.report import write_report
from offhook.sessions import PlatformRecord, ToolCall
from offhook.toollogs import ToolLogDiff, compare_tool_logs, platform_tool_log
from tests.core._platforms import Talking, odd_run

PRICE = "get_service_price"
WHEEL = {"service": "wheel"}


def ours(*requests: tuple[str, Any, str]) -> tuple[ToolLogEntry, ...]:
    """A request log: tool, arguments (text as it came), and the platform's id."""
    return tuple(
        ToolLogEntry(
            index=index,
            tool=tool,
            arguments=arguments if isinstance(arguments, Mapping) else {},
            raw=arguments if isinstance(arguments, str) else json.dumps(arguments),
            status=200,
            response={},
            outcome="accepted",
            code="",
            at=float(index),
            source_id=source_id,
        )
        for index, (tool, arguments, source_id) in enumerate(requests)
    )


def told(name: str, arguments: Any = None, id_: str | None = None) -> dict[str, Any]:
    return {"name": name, "arguments": arguments} | ({} if id_ is None else {"id": id_})


def test_equal_logs_agree_whatever_form_the_arguments_have() -> None:
    log = ours(("a", {"x": 1, "y": "é"}, "1"), ("b", {}, "2"), ("c", "no JSON", "3"), ("d", "", "4"))
    theirs = [
        told("a", '{"y": "é", "x": 1}', "1"),
        told("b", None, "2"),
        told("c", "no JSON", "3"),
        told("d", {"z": None}, "4"),
    ]
    found = compare_tool_logs(theirs, log)
    assert (found.agrees, found.lines, len(found.pairs)) == (True, (), 4)
    assert compare_tool_logs([], ()).agrees


def test_what_is_in_one_log_only_is_named() -> None:
    found = compare_tool_logs(
        [told("a", {"x": 1}, "1"), told("lost", {"x": 2}, "2")],
        ours(("a", {"x": 1}, "1"), ("b", {"y": 3}, "9")),
    )
    assert [one["name"] for one in found.missing_here] == ["lost"]
    assert [entry.tool for entry in found.missing_there] == ["b"]
    assert found.lines == (
        "only the platform tells of lost(x: 2), id 2",
        "request 2: the platform tells of no b(y: 3)",
    )
    assert not found.agrees


def test_one_entry_never_stands_for_two_requests() -> None:
    twice = ours((PRICE, WHEEL, "1"), (PRICE, WHEEL, "1"))
    assert len(compare_tool_logs([told(PRICE, WHEEL, "1")], twice).missing_there) == 1
    assert len(compare_tool_logs([told(PRICE, WHEEL)] * 3, twice).missing_here) == 1


def test_other_arguments_of_the_same_call_are_shown_side_by_side() -> None:
    found = compare_tool_logs([told("a", {"x": 1}, "1")], ours(("a", {"x": 2}, "1")))
    assert [pair.ours.index for pair in found.other_arguments] == [0]
    assert found.lines == ("request 1: a arrived with (x: 2), the platform tells of (x: 1)",)


def test_without_ids_content_pairs_before_mere_names() -> None:
    log = ours(("a", {"x": 1}, ""), ("a", {"x": 2}, ""), ("a", {"x": 3}, ""))
    found = compare_tool_logs([told("a", {"x": 9}), told("a", {"x": 1}), told("a", {"x": 2})], log)
    assert [(pair.at, pair.ours.index) for pair in found.pairs] == [(0, 2), (1, 0), (2, 1)]
    assert [pair.at for pair in found.other_arguments] == [0]


def test_another_order_is_told_of_those_that_come_too_late() -> None:
    log = ours(("a", {}, "1"), ("b", {}, "2"), ("c", {}, "3"))
    found = compare_tool_logs([told("b", {}, "2"), told("a", {}, "1"), told("c", {}, "3")], log)
    assert [pair.ours.tool for pair in found.other_order] == ["a"]
    assert found.lines == ("request 1: a is number 2 of the platform's",)


def test_the_evidence_is_whole() -> None:
    theirs, log = [told("a", {"x": 1}, "1"), told("z")], ours(("a", {"x": 2}, "1"), ("b", {}, ""))
    found: ToolLogDiff = compare_tool_logs(theirs, log)
    assert found.pairs[0].theirs is theirs[0]
    assert found.pairs[0].ours is log[0]
    assert found.missing_here == (theirs[1],)
    assert found.missing_there == (log[1],)


# --- of a call ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "shown"),
    [
        ((told(PRICE, WHEEL, "t1"),), []),
        ((told(PRICE, {"service": "brakes"}, "t1"), told("leave_note")), 2),
        ((), None),
    ],
)
def test_the_report_shows_it_with_the_call(kept: tuple[Any, ...], shown: Any, tmp_path: Path) -> None:
    class Own(Talking):
        def __init__(self) -> None:
            super().__init__(ToolCall("t1", PRICE, WHEEL))

        async def fetch_record(self) -> Any:
            return PlatformRecord(tool_log=kept)

    ran = odd_run(tmp_path, Own)
    assert [entry.source_id for entry in ran.folder.tools(ran.record.call_id)] == ["t1"]
    assert platform_tool_log(ran.record, ran.folder.call_folder(ran.record.call_id)) == kept
    page = write_report(ran.folder, ran.host).read_text()
    data = json.loads(
        page.partition('<script type="application/json" id="data">')[2].partition("</script>")[0]
    )
    (call,) = data["calls"]
    lines = call["platform_log"]
    assert (len(lines) if isinstance(shown, int) else lines) == shown


def test_a_log_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    ran = odd_run(tmp_path)
    folder = ran.folder.call_folder(ran.record.call_id)
    (folder / "platform.json").chmod(0o644)
    for text in ("{", "[]", '{"tool_log": 3}', '{"tool_log": ["x"]}'):
        (folder / "platform.json").write_text(text)
        assert platform_tool_log(ran.record, folder) == ()
    (folder / "platform.json").unlink()
    assert platform_tool_log(ran.record, folder) == ()
