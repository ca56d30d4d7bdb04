"""``offhook check``: what a platform needs and costs, without a call."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from offhook.cli import main
from tests.core._stand import installed


@pytest.fixture(autouse=True)
def priced_platforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path / "site", monkeypatch, "tests.core._priced:PLUGIN")


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["check", *arguments, "--block", "offhook"])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


def test_what_is_missing_is_named_and_the_exit_code_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, error = check(capsys, "bare", "--json")
    assert (code, error) == (3, "")
    assert json.loads(told) == {
        "platform": "bare",
        "ready": False,
        "missing": ["BARE_KEY is not set: set it to your key"],
        "options": {"model": "Which model answers."},
        "tool_mode": "webhook",
        "public_url": True,
        "session_cap_s": 900.0,
        "concurrency": 2,
        "at_once": 2,
        "virtual_time": False,
        "call_seconds": 180.0,
        "call_usd": pytest.approx(0.3),
        "tasks": 2,
        "run_usd": pytest.approx(0.6),
    }


def test_it_is_shown_as_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = check(capsys, "bare")
    text = " ".join(told.replace("│", " ").split())
    assert code == 3
    for expected in (
        "BARE_KEY is not set: set it to your key",
        "by webhook; needs --public-url",
        "longest session 900 s",
        "2 by default, 2 at most",
        "a call of 3 minutes about $0.3000",
        "the 2 tasks, once each about $0.6000",
        "model Which model answers.",
    ):
        assert expected in text


def test_a_platform_that_lacks_nothing_is_ready(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = check(capsys, "unpriced")
    text = " ".join(told.replace("│", " ").split())
    assert code == 0
    assert "missing nothing" in text
    assert "through its session; no public URL needed" in text
    assert "one by one in virtual time" in text
    assert "a call of 3 minutes not known beforehand" in text
    assert "unpriced names no options." in text


def test_a_platform_without_a_missing_part_may_still_need_a_public_url(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, told, _ = check(capsys, "outside", "--json")
    assert (code, json.loads(told)["ready"], json.loads(told)["public_url"]) == (0, True, True)


def test_an_unknown_platform_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, error = check(capsys, "bar")
    assert (code, told) == (2, "")
    assert "unknown platform 'bar'; nearest: bare" in error


def test_an_adapter_that_exits_or_breaks_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    code, told, _ = check(capsys, "rude", "--json")
    standing = json.loads(told)
    assert (code, standing["options"], standing["call_usd"]) == (3, {}, None)
    assert standing["missing"] == [
        "its check failed: SystemExit: bye",
        "its options can't be read: ValueError: none today",
    ]
