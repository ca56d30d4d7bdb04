"""Whatever an agent sends, a tool answers or refuses: never an error, and a refusal leaves no trace."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from offhook.packs import Pack, TableRole
from offhook.toolserver import SeedImages, ToolServer
from offhook_industries.customer_support.pack import build_pack as customer_support
from offhook_industries.healthcare.pack import build_pack as healthcare
from offhook_industries.legal.pack import build_pack as legal
from tests.industries._fuzz import Caller

PACKS: Final[Mapping[str, Pack]] = {pack.name: pack for pack in (customer_support(), healthcare(), legal())}
CALLS: Final = 12
REQUESTS: Final = 60


def _rows(state: Path, pack: Pack) -> dict[str, list[tuple[Any, ...]]]:
    """Everything but what the gates of the call keep."""
    names = [table.name for table in pack.tables if table.role is not TableRole.SESSION]
    with closing(sqlite3.connect(state)) as db:
        return {name: db.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in names}


async def _one_call(pack: Pack, number: int, folder: Path, images: SeedImages) -> tuple[set[str], set[str]]:
    """Codes that were met and tools that did something."""
    dice = random.Random(f"{pack.name} {number}")
    caller = Caller(pack, pack.tasks[dice.randrange(len(pack.tasks))], dice)
    codes, done = set(), set()
    with ToolServer(pack, folder, clock=lambda: 0.0, images=images) as server:
        server.open_call("call", "token")
        state = folder / "call" / "state.sqlite"
        await server.call("call", "token", "end_call", {})
        before, rows = state.read_bytes(), _rows(state, pack)
        for _ in range(REQUESTS):
            tool, arguments = caller.next_call()
            answer = await server.call("call", "token", tool, arguments)
            shown = (tool, str(arguments)[:500], answer.status, answer.body)
            assert answer.status == 200 or 400 <= answer.status < 500, shown
            after = state.read_bytes()
            if answer.status == 200:
                done.add(tool)
                caller.heard(answer.body)
                rows = _rows(state, pack) if after != before else rows
            else:
                codes.add(str(answer.body["error"]["code"]))
                assert answer.body["error"]["message"], shown
                # The gates may count a failed attempt. Nothing else changes.
                assert after == before or _rows(state, pack) == rows, shown
            before = after
    return codes, done


@pytest.mark.parametrize("name", PACKS)
def test_no_request_breaks_a_tool_and_no_refusal_leaves_a_row(name: str, tmp_path: Path) -> None:
    pack, images = PACKS[name], SeedImages(tmp_path / "images")
    codes: set[str] = set()
    done: set[str] = set()
    for number in range(CALLS):
        met, used = asyncio.run(_one_call(pack, number, tmp_path / str(number), images))
        codes |= met
        done |= used
    # The calls have to get past the gates to mean anything.
    assert len(codes) >= 15
    assert len(done) >= 0.6 * len(pack.agent.tools)
