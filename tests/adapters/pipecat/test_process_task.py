"""The page's bot takes a whole task: Pipecat's own MCP client, models behind a loopback address."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adapters._process_tasks import block_of, check_membership_prices, take

BOT = Path(__file__).parent / "agents" / "bot.py"


def test_the_bot_is_the_one_on_the_page() -> None:
    assert block_of("pipecat.md", "bot.py") == BOT.read_text(encoding="utf-8")


@pytest.mark.speech
@pytest.mark.slow
def test_a_bot_calls_the_tools_over_mcp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_membership_prices(
        take("pipecat-process", {"bot": str(BOT)}, "T4-E1", tmp_path / "run", monkeypatch)
    )


@pytest.mark.speech
@pytest.mark.slow
def test_a_bot_that_hands_the_caller_over_has_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = take("pipecat-process", {"bot": str(BOT)}, "R-E1", tmp_path / "run", monkeypatch)
    assert taken.called == [("transfer_to_human", {"reason": "caller_request"}, 200)]
    assert taken.outcome.record.ended_by == "agent"
    assert taken.outcome.state == "passed"
