"""Whatever a platform sends, the server answers in its own shape, never with a 500, and never writes half."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from offhook.clock import run_virtual
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer, open_state

PACK = bicycle_pack()

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), st.text("0123456789-+. $")
)
NAMES = st.sampled_from(
    [
        "service",
        "full_name",
        "phone",
        "postal_code",
        "frame_last4",
        "quote_id",
        "price_accepted",
        "note",
        "reason",
    ]
)
GOOD = st.sampled_from(
    ["brakes", "Nadia Okafor", "541-555-0148", "97405", "7730", True, "yes", "\ud800", "a\0b"]
)
OBJECTS = st.dictionaries(
    NAMES | st.text(max_size=5), GOOD | SCALARS | st.lists(SCALARS, max_size=2), max_size=4
)
ANY_JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)
BODIES = st.one_of(
    OBJECTS.map(json.dumps),
    ANY_JSON.map(json.dumps),
    st.binary().map(lambda raw: raw.decode("latin-1")),
    st.text(),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolServer]:
    with ToolServer(PACK, tmp_path_factory.mktemp("server"), clock=lambda: 0.0) as made:
        made.open_call("fuzz", "token")
        yield made


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tool=st.sampled_from(PACK.agent.tools) | st.text(max_size=8), body=BODIES)
def test_any_body_gets_an_answer_in_shape(server: ToolServer, tool: str, body: str) -> None:
    result = run_virtual(server.call("fuzz", "token", tool, body))
    if result.status == 200:
        assert "error" not in result.body
    else:
        assert 400 <= result.status < 500
        assert set(result.body["error"]) in ({"code", "message"}, {"code", "field", "message"})


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from(PACK.agent.tools), OBJECTS), max_size=12))
def test_no_course_of_calls_leaves_half_a_booking(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, dict[str, Any]]]
) -> None:
    async def course(server: ToolServer) -> None:
        await server.call(
            "call", "token", "find_customer", {"full_name": "Nadia Okafor", "phone": "541-555-0148"}
        )
        await server.call("call", "token", "verify_owner", {"postal_code": "97405", "frame_last4": "7730"})
        quote = (await server.call("call", "token", "quote_repair", {"service": "brakes"})).body["quote_id"]
        for tool, arguments in steps:
            sent = {**arguments, **({"quote_id": quote} if tool == "confirm_repair" else {})}
            await server.call("call", "token", tool, json.dumps(sent))

    with ToolServer(PACK, tmp_path_factory.mktemp("course"), clock=lambda: 0.0) as server:
        server.open_call("call", "token")
        run_virtual(course(server))
        frozen = server.freeze("call")
    assert all(entry.status < 500 for entry in frozen.log)
    with closing(open_state(frozen.state)) as db:
        booked = db.execute("SELECT count(*) FROM bikes WHERE status = 'booked'").fetchone()[0]
        repairs = db.execute("SELECT count(*) FROM repairs").fetchone()[0]
        used = db.execute("SELECT count(*) FROM quotes WHERE used = 1").fetchone()[0]
        assert booked == repairs == used
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    accepted = [
        entry for entry in frozen.log if entry.outcome == "accepted" and entry.tool == "confirm_repair"
    ]
    assert len(accepted) == repairs
