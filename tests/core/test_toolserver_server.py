"""The server in process: isolation, gates, roll-back, log, freeze."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

from offhook.clock import run_real, run_virtual
from offhook.packs import Pack, Parameter, Tool, ToolContext, ToolRefusal
from offhook.records import ToolLogEntry
from offhook.sessions import ToolResult
from offhook.storage import from_json
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ToolServer, TurnedAway, diff_states, open_state, state_view
from offhook.values import ValueKind

TOKEN = "s3cret-token"
NADIA = {"full_name": "Nadia Okafor", "phone": "541-555-0148"}
PROOF = {"postal_code": "97405", "frame_last4": "7730"}


def server_of(folder: Path, pack: Pack | None = None) -> ToolServer:
    server = ToolServer(pack or bicycle_pack(), folder, clock=lambda: 1.5)
    for name in ("one", "two"):
        server.open_call(name, TOKEN)
    return server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    with server_of(tmp_path) as made:
        yield made


def with_tools(*tools: Tool) -> Pack:
    pack = bicycle_pack()
    agent = attrs.evolve(pack.agent, tools=(*pack.agent.tools, *(tool.name for tool in tools)))
    return attrs.evolve(pack, tools=(*pack.tools, *tools), agent=agent)


def tool_that(run: Callable[[ToolContext, Mapping[str, Any]], Any], name: str = "extra") -> Tool:
    return Tool(name, "For tests.", (), run)


def ask(
    server: ToolServer, tool: str, arguments: Mapping[str, Any] | str = "", call: str = "one"
) -> ToolResult:
    return run_virtual(server.call(call, TOKEN, tool, arguments))


async def booking(server: ToolServer, call: str = "one") -> list[ToolResult]:
    """A whole call, quote and confirm included."""
    results = [
        await server.call(call, TOKEN, "find_customer", NADIA),
        await server.call(call, TOKEN, "verify_owner", PROOF),
        await server.call(call, TOKEN, "quote_repair", {"service": "brakes"}),
    ]
    confirm = {"quote_id": results[-1].body["quote_id"], "price_accepted": True}
    return [*results, await server.call(call, TOKEN, "confirm_repair", confirm)]


def post(server: ToolServer, path: str, content: bytes = b"{}", token: str | None = TOKEN) -> httpx.Response:
    async def send() -> httpx.Response:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=server.app), base_url="http://t"
        ) as client:
            return await client.post(path, content=content, headers=headers)

    return run_virtual(send())


def rows(state: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(open_state(state)) as db:
        return [tuple(row) for row in db.execute(query)]


def test_a_call_from_look_up_to_booking(server: ToolServer) -> None:
    results = run_virtual(booking(server))
    assert [result.status for result in results] == [200, 200, 200, 200]
    assert results[0].body == {"found": True, "first_name": "Nadia"}
    assert results[3].body["price"] == "$64.00"
    state = server.freeze("one").state
    assert rows(state, "SELECT status FROM bikes WHERE bike_id = 'B-101'") == [("booked",)]
    assert rows(state, "SELECT bike_id, price_cents, booked_at FROM repairs") == [
        ("B-101", 6400, "2026-03-12 10:30:00")
    ]


def test_calls_do_not_see_each_other(server: ToolServer) -> None:
    results = run_virtual(booking(server, "one"))
    stolen = {"quote_id": results[2].body["quote_id"], "price_accepted": True}
    assert (
        ask(server, "quote_repair", {"service": "brakes"}, call="two").body["error"]["code"] == "not_verified"
    )
    ask(server, "find_customer", NADIA, call="two")
    ask(server, "verify_owner", PROOF, call="two")
    assert ask(server, "confirm_repair", stolen, call="two").body["error"]["code"] == "unknown_quote"
    assert rows(server.freeze("two").state, "SELECT count(*) FROM repairs") == [(0,)]
    assert rows(server.freeze("one").state, "SELECT count(*) FROM repairs") == [(1,)]


def test_equal_requests_of_two_calls_get_ids_of_their_own(server: ToolServer) -> None:
    one, two = run_virtual(booking(server, "one")), run_virtual(booking(server, "two"))
    assert one[2].body["quote_id"] != two[2].body["quote_id"]
    assert one[3].body["repair_id"].startswith("RP-")


def test_a_quote_books_once_and_a_refusal_is_rolled_back(server: ToolServer) -> None:
    quote = run_virtual(booking(server))[2].body["quote_id"]
    again = ask(server, "confirm_repair", {"quote_id": quote, "price_accepted": True})
    assert again.status == 409
    assert again.body["error"] == {
        "code": "quote_used",
        "field": "quote_id",
        "message": "this quote has booked a repair already",
    }
    assert rows(server.freeze("one").state, "SELECT count(*) FROM repairs") == [(1,)]


def test_what_a_tool_wrote_before_it_refused_is_gone(tmp_path: Path) -> None:
    def write_then_refuse(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        context.db.execute("UPDATE bikes SET status = 'booked'")
        raise ToolRefusal("closed", "the desk is closed", status=403)

    with server_of(tmp_path, with_tools(tool_that(write_then_refuse))) as server:
        assert ask(server, "extra").body == {"error": {"code": "closed", "message": "the desk is closed"}}
        frozen = server.freeze("one")
    assert rows(frozen.state, "SELECT DISTINCT status FROM bikes") == [("at home",)]
    assert (frozen.log[0].outcome, frozen.log[0].code, frozen.log[0].status) == ("refused", "closed", 403)


def test_a_gate_may_count_its_refusals(tmp_path: Path) -> None:
    def count_then_refuse(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        context.db.execute(
            "INSERT INTO gate SELECT 1, min(customer_id), 1 FROM customers WHERE true"
            " ON CONFLICT (slot) DO UPDATE SET verified = verified + 1"
        )
        context.db.execute("UPDATE bikes SET status = 'booked'")
        raise ToolRefusal("wrong", "that is not it")

    with server_of(tmp_path, with_tools(tool_that(count_then_refuse))) as server:
        for _ in range(3):
            assert ask(server, "extra").status == 409
        state = server.freeze("one").state
    assert rows(state, "SELECT verified FROM gate") == [(3,)]
    assert rows(state, "SELECT DISTINCT status FROM bikes") == [("at home",)]


@pytest.mark.parametrize(
    "fault",
    [
        lambda db: (_ for _ in ()).throw(KeyError("541-555-0148")),
        lambda db: {"not json": object()},
        lambda db: {"not finite": float("nan")},
        lambda db: {"half a pair": "\ud800"},
        lambda db: ["not", "an", "object"],
        lambda db: db.commit() or {},
        lambda db: db.executescript("SELECT 1;") or {},
        lambda db: db.execute("ATTACH ':memory:' AS other") or {},
        lambda db: db.execute("PRAGMA foreign_keys = OFF") or {},
        lambda db: db.execute("CREATE TABLE mine (a)") or {},
        lambda db: db.execute("UPDATE services SET price_cents = 1") or {},
        lambda db: db.execute("SELECT random()").fetchone() and {},
        lambda db: db.execute("INSERT INTO repairs VALUES ('R', 'no such bike', 'brakes', 1, '')") and {},
    ],
)
def test_a_broken_tool_answers_500_tells_nothing_and_leaves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: Callable[[sqlite3.Connection], Any]
) -> None:
    def broken(context: ToolContext, arguments: Mapping[str, Any]) -> Any:
        context.db.execute("UPDATE bikes SET status = 'booked'")
        return fault(context.db)

    with server_of(tmp_path, with_tools(tool_that(broken))) as server:
        result = ask(server, "extra")
        assert result.status == 500
        assert result.body == {
            "error": {"code": "internal_error", "message": "the tool failed; nothing was changed"}
        }
        assert "extra failed; rolled back" in caplog.text
        assert ask(server, "get_service_price", {"service": "wheel"}).status == 200
        frozen = server.freeze("one")
    assert rows(frozen.state, "SELECT DISTINCT status FROM bikes") == [("at home",)]
    assert rows(frozen.state, "SELECT count(*) FROM repairs") == [(0,)]


def test_a_refusal_must_be_a_4xx(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def misuse(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        raise ToolRefusal("fine", "all is well", status=200)

    with server_of(tmp_path, with_tools(tool_that(misuse))) as server:
        assert ask(server, "extra").status == 500
    assert "a refusal's status is 4xx" in caplog.text


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [
        (b"not json", 400, "not_json"),
        (b'{"service": NaN}', 400, "not_json"),
        (b'{"service": 1e999}', 400, "not_json"),
        (b'{"service": "\\ud800"}', 400, "not_json"),
        (b"\xff\xfe{", 400, "not_json"),
        (b"[" * 60_000, 400, "not_json"),
        (b'{"service": ' + b"[" * 600 + b"]" * 600 + b"}", 400, "not_json"),
        (b"[1, 2]", 400, "not_object"),
        (b"null", 400, "not_object"),
        (b"true", 400, "not_object"),
        (b'"brakes"', 400, "not_object"),
        (b"3", 400, "not_object"),
        (b"{}", 422, "invalid_argument"),
        (b"", 422, "invalid_argument"),
        (b'{"service": "' + b"x" * 65_536 + b'"}', 413, "too_large"),
    ],
)
def test_bodies_that_are_no_arguments(server: ToolServer, content: bytes, status: int, code: str) -> None:
    response = post(server, "/calls/one/tools/get_service_price", content)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    entry = server.freeze("one").log[0]
    assert (entry.status, entry.code, entry.arguments) == (status, code, {})
    assert entry.raw == content[:65_536].decode("utf-8", "replace")


def test_an_invalid_argument_is_named_and_writes_nothing(server: ToolServer) -> None:
    result = ask(server, "find_customer", {"full_name": "Nadia Okafor", "phone": "555-0148"})
    assert result.status == 422
    assert result.body["error"]["field"] == "phone"
    assert "ten digits" in result.body["error"]["message"]
    assert server.freeze("one").log[0].canonical == {}


def test_a_tool_without_arguments_takes_an_empty_body(server: ToolServer) -> None:
    assert post(server, "/calls/one/tools/end_call", b"").json() == {"ended": True}


def test_unknown_calls_tokens_and_tools(server: ToolServer, tmp_path: Path) -> None:
    for path, token, status, code in [
        ("/calls/three/tools/end_call", TOKEN, 404, "unknown_call"),
        ("/calls/..%2Fone/tools/end_call", TOKEN, 404, "not_found"),
        ("/calls/one/tools/end_call", "wrong", 401, "unauthorized"),
        ("/calls/one/tools/end_call", "", 401, "unauthorized"),
        ("/calls/one/tools/end_call", None, 401, "unauthorized"),
        ("/nowhere", TOKEN, 404, "not_found"),
    ]:
        response = post(server, path, token=token)
        assert (response.status_code, response.json()["error"]["code"]) == (status, code), path
    assert not (tmp_path / "one" / "state.sqlite").exists()
    assert post(server, "/calls/one/tools/drop_tables").json()["error"]["code"] == "unknown_tool"
    assert [entry.code for entry in server.freeze("one").log] == ["unknown_tool"]
    assert server.turned_away[0] == TurnedAway("three", "end_call", 404, "unknown_call", 1.5)
    assert [stray.code for stray in server.turned_away] == ["unknown_call", *["unauthorized"] * 3]


@pytest.mark.parametrize(
    "name", ["book/it/", "/", "..", ".", "", "über cool?", "a%2Fb", "x" * 300, "\ud800", "a\0"]
)
def test_whatever_name_a_model_makes_up_is_refused_and_logged(server: ToolServer, name: str) -> None:
    assert ask(server, name).body["error"]["code"] == "unknown_tool"
    assert server.freeze("one").log[0].tool == name.replace("\ud800", "?")


def test_only_post_is_answered(server: ToolServer) -> None:
    async def get() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app=server.app), base_url="http://t"
        ) as client:
            return await client.get("/calls/one/tools/end_call")

    response = run_virtual(get())
    assert response.status_code == 405
    assert response.json()["error"]["code"] == "method_not_allowed"


def test_the_token_of_another_call_opens_nothing(tmp_path: Path) -> None:
    with ToolServer(bicycle_pack(), tmp_path, clock=lambda: 0.0) as server:
        server.open_call("a", "token-a")
        server.open_call("b", "token-b")
        assert run_virtual(server.call("a", "token-b", "end_call", {})).status == 401


def test_the_token_is_written_nowhere(server: ToolServer, tmp_path: Path) -> None:
    run_virtual(booking(server))
    server.freeze("one")
    assert all(TOKEN.encode() not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN not in repr(vars(server))


def test_the_log_is_on_disk_as_it_happens_and_reads_back(server: ToolServer, tmp_path: Path) -> None:
    lines = tmp_path / "one" / "tools.jsonl"
    assert lines.read_text() == ""
    note = 'line\u2028break, "quotes" and Zoë'
    run_virtual(server.call("one", TOKEN, "leave_note", {"note": note}, source_id="call_ü 7"))
    first = lines.read_text()
    assert len(first.splitlines()) == 1
    ask(server, "end_call")
    assert lines.read_text().startswith(first)
    frozen = server.freeze("one")
    read = tuple(from_json(line, ToolLogEntry, source="log") for line in lines.read_text().splitlines())
    assert read == frozen.log
    assert frozen.log[0].arguments == {"note": note}
    assert (frozen.log[0].source_id, frozen.log[0].at, frozen.log[0].index) == ("call_ü 7", 1.5, 0)
    assert frozen.log[1].outcome == "accepted"


def test_arguments_sent_as_text_go_in_unparsed(server: ToolServer) -> None:
    assert ask(server, "get_service_price", '{"service": "wheel"}').body["price"] == "$27.50"
    assert ask(server, "get_service_price", '{"service": "whe').body["error"]["code"] == "not_json"
    assert server.freeze("one").log[1].raw == '{"service": "whe'


def test_freezing_a_call_without_requests_leaves_the_seed(server: ToolServer, tmp_path: Path) -> None:
    frozen = server.freeze("one")
    image = next((tmp_path / ".images").glob("*.sqlite"))
    assert frozen.state.read_bytes() == image.read_bytes()
    assert frozen.log == ()
    assert (tmp_path / "one" / "tools.jsonl").read_text() == ""


def test_a_frozen_call_is_one_read_only_file_and_answers_410(server: ToolServer, tmp_path: Path) -> None:
    run_virtual(booking(server))
    frozen = server.freeze("one")
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == ["state.sqlite", "tools.jsonl"]
    assert hashlib.sha256(frozen.state.read_bytes()).hexdigest() == frozen.sha256
    assert frozen.state.stat().st_mode & 0o777 == 0o444
    assert server.freeze("one") is frozen
    late = ask(server, "leave_note", {"note": "late"})
    assert (late.status, late.body["error"]["code"]) == (410, "call_frozen")
    assert hashlib.sha256(frozen.state.read_bytes()).hexdigest() == frozen.sha256
    assert len((tmp_path / "one" / "tools.jsonl").read_text().splitlines()) == len(frozen.log) == 4
    assert server.turned_away[-1].code == "call_frozen"


def test_equal_calls_leave_equal_bytes(tmp_path: Path) -> None:
    def course(folder: Path) -> tuple[str, tuple[ToolLogEntry, ...]]:
        with server_of(folder) as server:
            run_virtual(booking(server))
            for index in range(60):  # enough to grow the file, with refusals in between
                ask(server, "leave_note", {"note": f"note {index} " * (1 + index % 40)})
                ask(server, "confirm_repair", {"quote_id": "QT-none", "price_accepted": True})
            frozen = server.freeze("one")
            return frozen.sha256, frozen.log

    assert course(tmp_path / "first") == course(tmp_path / "second")


def test_the_same_on_a_real_loop(tmp_path: Path) -> None:
    with server_of(tmp_path / "virtual") as server:
        run_virtual(booking(server))
        virtual = server.freeze("one")
    with server_of(tmp_path / "real") as server:
        run_real(booking(server))
        real = server.freeze("one")
    assert (virtual.sha256, virtual.log) == (real.sha256, real.log)


def test_a_call_may_have_its_own_folder_and_clock(tmp_path: Path) -> None:
    with ToolServer(bicycle_pack(), tmp_path / "server", clock=lambda: 1.0) as server:
        server.open_call("c", TOKEN, folder=tmp_path / "elsewhere", clock=lambda: 42.25)
        run_virtual(server.call("c", TOKEN, "end_call", {}))
        frozen = server.freeze("c")
    assert frozen.state == tmp_path / "elsewhere" / "state.sqlite"
    assert frozen.log[0].at == 42.25


def test_calls_that_can_not_be_opened(server: ToolServer, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="opened before"):
        server.open_call("one", TOKEN)
    with pytest.raises(ValueError, match="letters, digits"):
        server.open_call("../escape", TOKEN)
    with pytest.raises(ValueError, match="needs a token"):
        server.open_call("fresh", "")
    with pytest.raises(ValueError, match=r"already holds a call.s tools\.jsonl"):
        server.open_call("fresh", TOKEN, folder=tmp_path / "one")
    with pytest.raises(KeyError, match="no call 'never'"):
        server.freeze("never")


def test_a_log_that_can_not_be_written_is_not_passed_off_as_whole(server: ToolServer, tmp_path: Path) -> None:
    ask(server, "end_call")
    (tmp_path / "one" / "tools.jsonl").unlink()
    (tmp_path / "one" / "tools.jsonl").mkdir()
    assert ask(server, "end_call").status == 200
    with pytest.raises(OSError, match=r"tools\.jsonl"):
        server.freeze("one")


def test_a_database_that_can_not_be_made_answers_500(server: ToolServer, tmp_path: Path) -> None:
    (tmp_path / "one" / "state.sqlite").mkdir()
    result = ask(server, "end_call")
    assert (result.status, result.body["error"]["code"]) == (500, "internal_error")
    assert str(tmp_path) not in json.dumps(result.body)
    with pytest.raises(OSError, match="state"):
        server.freeze("one")


def test_the_gate_of_a_call_is_no_part_of_its_state(server: ToolServer, tmp_path: Path) -> None:
    ask(server, "find_customer", NADIA)
    seed = next((tmp_path / ".images").glob("*.sqlite"))
    frozen = server.freeze("one")
    assert rows(frozen.state, "SELECT count(*) FROM gate") == [(1,)]
    pack = bicycle_pack()
    assert diff_states(state_view(seed, pack), state_view(frozen.state, pack, seed=seed)) == ()


def test_free_text_reaches_the_tool_as_it_was_said(tmp_path: Path) -> None:
    seen: list[Mapping[str, Any]] = []

    def keep(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        seen.append(arguments)
        return {
            "now": context.now.isoformat(),
            "ids": [context.new_id("A"), context.new_id("A"), context.new_id("B")],
        }

    tool = Tool("extra", "For tests.", (Parameter("text", ValueKind.TEXT, "Text"),), keep)
    with server_of(tmp_path, with_tools(tool)) as server:
        first = ask(server, "extra", {"text": "Zoë's  'bike'; DROP TABLE bikes"})
        second = ask(server, "extra", {"text": "x"})
    assert seen[0] == {"text": "Zoë's 'bike'; DROP TABLE bikes"}
    assert first.body["now"] == "2026-03-12T10:30:00"
    assert len({*first.body["ids"], *second.body["ids"]}) == 6


def circular() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    ("arguments", "raw"),
    [
        ({"service": float("nan")}, '{"service": NaN}'),
        ({"service": object()}, "TypeError: Object of type object is not JSON serializable"),
        (circular(), "ValueError: Circular reference detected"),
    ],
)
def test_arguments_that_json_cannot_hold_are_logged_and_refused(
    server: ToolServer, arguments: Mapping[str, Any], raw: str
) -> None:
    result = ask(server, "get_service_price", arguments)

    assert (result.status, result.body["error"]["code"]) == (400, "not_json")
    (entry,) = server.freeze("one").log
    assert (entry.raw, entry.arguments, entry.status) == (raw, {}, 400)
