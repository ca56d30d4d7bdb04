"""Platforms that post tool calls: real requests to a call's own address while the call is on."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

from offhook.cli import main
from offhook.clock import run_virtual
from offhook.records import ToolLogEntry
from offhook.runner import Done, RunOptions, Seats, ToolsUnreachable, new_run, seats_for
from offhook.runner._route import ToolRoute
from offhook.sessions import (
    AgentConfig,
    CallSetup,
    Cost,
    Deployment,
    PlatformRecord,
    ToolEndpoint,
    ToolMode,
    ToolResult,
)
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import ServeError, ToolServer
from offhook.webhooks import WebhookCall
from tests.core._routed import (
    SECRET_HEADER,
    AcmeDialect,
    Routed,
    RoutedSession,
    body_of,
    post,
)
from tests.core._runs import Placed, placed
from tests.core._stand import RealTimePlatform, Terse, installed, stand_host

PRICE = "get_service_price"
TUNE_UP = {"service": "tune-up"}


def held(folder: Path, platform: Any, **more: Any) -> Placed:
    """Calls one after the other unless ``more`` says so."""
    more = {"caller": "brisk", "at_once": 1, **more}
    host = stand_host(adapters=(platform,), callers=(Terse("brisk", seconds=0.7),))
    return placed(folder, host, platform.name, **more)


def requests_of(ran: Placed, call_id: str) -> list[dict[str, Any]]:
    text = (ran.folder.call_folder(call_id) / "requests.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


# --- one call after the other ---------------------------------------------------------------------


@attrs.frozen
class Story:
    """Two calls: the first asks for much, the second for little, and for the first's address again."""

    ran: Placed
    platform: Routed
    answers: dict[str, httpx.Response]

    def first(self) -> tuple[str, Sequence[ToolLogEntry]]:
        """The first call's id and request log; it has the longer one."""
        logs = {call_id: self.ran.folder.tools(call_id) for call_id in self.ran.folder.call_ids()}
        return max(logs.items(), key=lambda item: len(item[1]))


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    answers: dict[str, httpx.Response] = {}

    async def first(tools: ToolEndpoint) -> None:
        batch = body_of(("a", PRICE, TUNE_UP), ("b", "sing", {}), ("c", PRICE, "not an object"))
        answers["batch"] = await post(tools, batch)
        again = body_of(("d", PRICE, {"service": "wheel"}))
        answers["d"], answers["d again"] = await asyncio.gather(post(tools, again), post(tools, again))
        answers["a again"] = await post(tools, body_of(("a", PRICE, TUNE_UP)))
        answers["a, other content"] = await post(tools, body_of(("a", PRICE, {"service": "brakes"})))
        answers["no id"] = await post(tools, body_of(("", PRICE, TUNE_UP), ("", PRICE, TUNE_UP)))
        answers["status"] = await post(tools, {"about": "status"})
        answers["secret header"] = await post(
            tools, body_of(("e", PRICE, TUNE_UP)), headers={SECRET_HEADER: tools.token}
        )
        refused = body_of(("x", PRICE, TUNE_UP))
        answers["wrong token"] = await post(tools, refused, token="wrong")
        answers["no token"] = await post(tools, refused, headers={})
        answers["empty"] = await post(tools, refused, headers={"authorization": "", SECRET_HEADER: ""})
        basic = {"authorization": f"Basic {tools.token}"}
        answers["other scheme"] = await post(tools, refused, headers=basic)
        answers["wrong secret"] = await post(tools, refused, headers={SECRET_HEADER: "wrong"})
        elsewhere = attrs.evolve(tools, webhook_url=tools.webhook_url[:-1] + "/" + tools.webhook_url[-1])
        answers["elsewhere"] = await post(elsewhere, refused)
        answers["unknown"] = await post(attrs.evolve(tools, webhook_url=tools.webhook_url + "x"), refused)
        answers["not JSON"] = await post(tools, b"calls=1")
        answers["no calls"] = await post(tools, {"told": 1})
        answers["no id member"] = await post(tools, {"calls": [{"name": PRICE, "args": {}}]})
        answers["too large"] = await post(tools, b" " * (4 * 1024 * 1024 + 1))
        async with httpx.AsyncClient(trust_env=False) as client:
            answers["GET"] = await client.get(
                tools.webhook_url, headers={"authorization": f"Bearer {tools.token}"}
            )

    async def script(tools: ToolEndpoint) -> None:
        if len(platform.told) == 1:
            await first(tools)
            return
        before = platform.told[0]
        answers["over"] = await post(before, body_of(("late", PRICE, TUNE_UP)))
        answers["over, wrong token"] = await post(before, body_of(("late", PRICE, TUNE_UP)), token="wrong")
        answers["other call's token"] = await post(tools, body_of(("y", PRICE, TUNE_UP)), token=before.token)
        answers["second"] = await post(tools, body_of(("a", PRICE, TUNE_UP)))

    platform = Routed(script)
    folder = tmp_path_factory.mktemp("webhook")
    ran = held(folder, platform, tasks=("bicycle-repair",))
    return Story(ran, platform, answers)


def test_a_batch_runs_in_order_and_is_answered_in_the_platforms_words(story: Story) -> None:
    answer = story.answers["batch"]
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    told = answer.json()["answers"]
    assert [(one["id"], one["ok"]) for one in told] == [("a", True), ("b", False), ("c", False)]
    assert told[0]["said"] == {"service": "standard tune-up", "price": "$85.00"}
    assert told[1]["said"]["error"]["code"] == "unknown_tool"
    assert told[2]["said"]["error"]["code"] == "not_json"


def test_the_record_has_every_call_once_with_the_platforms_ids(story: Story) -> None:
    call_id, log = story.first()
    assert [(entry.source_id, entry.tool, entry.status) for entry in log] == [
        ("a", PRICE, 200),
        ("b", "sing", 404),
        ("c", PRICE, 400),
        ("d", PRICE, 200),
        ("a", PRICE, 200),
        ("", PRICE, 200),
        ("", PRICE, 200),
        ("e", PRICE, 200),
    ]
    assert log[2].raw == "not an object"
    assert log[4].canonical == {"service": "brakes"}
    assert all(0.4 < entry.at < story.ran.folder.record(call_id).seconds for entry in log)


def test_a_call_that_is_sent_again_is_answered_alike_and_logged_as_such(story: Story) -> None:
    assert story.answers["d"].content == story.answers["d again"].content
    assert story.answers["a again"].json()["answers"] == story.answers["batch"].json()["answers"][:1]
    asked = [one for row in requests_of(story.ran, story.first()[0]) for one in row["calls"]]
    assert [one["repeated"] for one in asked if one["id"] == "d"] == [False, True]
    assert [one["repeated"] for one in asked if one["id"] == "a"] == [False, True, False]
    assert [one["repeated"] for one in asked if not one["id"]] == [False, False]


def test_what_is_about_something_else_asks_for_nothing(story: Story) -> None:
    assert (story.answers["status"].status_code, story.answers["status"].json()) == (200, {"answers": []})


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("wrong token", 401, "unauthorized"),
        ("no token", 401, "unauthorized"),
        ("empty", 401, "unauthorized"),
        ("other scheme", 401, "unauthorized"),
        ("wrong secret", 401, "unauthorized"),
        ("other call's token", 401, "unauthorized"),
        ("over, wrong token", 401, "unauthorized"),
        ("unknown", 404, "unknown_address"),
        ("over", 410, "call_over"),
        ("not JSON", 400, "bad_body"),
        ("no calls", 400, "bad_body"),
        ("no id member", 400, "bad_body"),
        ("too large", 413, "too_large"),
    ],
)
def test_what_may_not_be_asked_is_refused(story: Story, name: str, status: int, code: str) -> None:
    answer = story.answers[name]
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json()["error"]["message"]


def test_other_paths_and_methods_are_nobodys(story: Story) -> None:
    assert (story.answers["elsewhere"].status_code, story.answers["GET"].status_code) == (404, 405)
    assert story.answers["secret header"].status_code == 200


def test_a_body_that_cannot_be_read_is_named_to_both_sides(story: Story) -> None:
    assert story.answers["no calls"].json()["error"]["message"] == "the body has no calls"
    errors = story.ran.folder.record(story.first()[0]).session_errors
    assert errors == (
        "webhook: the body is not JSON",
        "webhook: the body has no calls",
        "webhook: the body could not be read: KeyError: 'id'",
        "webhook: the body is larger than 4194304 bytes",
    )
    statuses = [row["status"] for row in requests_of(story.ran, story.first()[0])]
    assert statuses.count(401) == 5
    assert statuses.count(400) == 3


def test_calls_share_no_address_and_no_database(story: Story) -> None:
    one, two = story.platform.told
    assert one.webhook_url != two.webhook_url
    assert one.webhook_url.rpartition("/")[0] == two.webhook_url.rpartition("/")[0]  # one socket
    assert one.token != two.token
    assert (one.mcp_url, story.answers["second"].status_code) == ("", 200)
    (second,) = set(story.ran.folder.call_ids()) - {story.first()[0]}
    assert [entry.source_id for entry in story.ran.folder.tools(second)] == ["a"]
    assert {story.ran.folder.record(call_id).ending for call_id in story.ran.folder.call_ids()} == {
        "completed"
    }


def test_nothing_listens_once_the_run_is_over(story: Story) -> None:
    url = httpx.URL(story.platform.told[0].webhook_url)
    with pytest.raises(ConnectionRefusedError), socket.create_connection((url.host, url.port or 0)):
        pass


# --- after the call -------------------------------------------------------------------------------


def test_what_comes_after_the_hang_up_is_taken_for_a_short_grace_only(tmp_path: Path) -> None:
    async def late(server: ToolServer) -> tuple[list[ToolResult], tuple[str, ...]]:
        server.open_call("call", "secret")
        route = ToolRoute(server, "call", "secret", now=lambda: 7.0)
        route.hung_up()
        await asyncio.sleep(1.5)
        soon = await route.answer(WebhookCall("1", PRICE, TUNE_UP))
        await asyncio.sleep(1.5)
        late = await route.answer(WebhookCall("2", PRICE, TUNE_UP))
        return [soon.result, late.result], await route.finish()

    with ToolServer(bicycle_pack(), tmp_path, clock=lambda: 0.0) as server:
        results, lines = run_virtual(late(server))
        assert [entry.source_id for entry in server.freeze("call").log] == ["1"]
    assert [result.status for result in results] == [200, 410]
    assert lines == (f"tool call 2: {PRICE} came after the caller had hung up; it was not made",)


def test_the_address_of_a_call_that_never_began_is_dead_too(tmp_path: Path) -> None:
    answers: list[httpx.Response] = []

    @attrs.frozen(eq=False)
    class Picky(Routed):
        """Refuses its first call."""

        async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
            session = await super().connect(deployment, call) if self.told else None
            if session is None:
                assert call.tools is not None
                self.told.append(call.tools)
                raise ConnectionError("busy")
            return session

    async def script(tools: ToolEndpoint) -> None:
        answers.append(await post(platform.told[0], body_of(("a", PRICE, TUNE_UP))))

    platform = Picky(script)
    ran = held(tmp_path, platform, attempts=2)
    assert [record.ending for record in ran.records if record.ending != "void"] == ["completed"]
    assert [answer.status_code for answer in answers] == [410]


# --- what is kept ---------------------------------------------------------------------------------


class Leaky(RoutedSession):
    """Repeats what opens its tools wherever it can."""

    def __init__(self, call: CallSetup, script: Any, log: Any, stop: Any) -> None:
        super().__init__(call, script, log)
        self._tools = call.tools

    async def fetch_record(self) -> PlatformRecord:
        assert self._tools is not None
        server = {"url": self._tools.webhook_url, "headers": {"authorization": f"Bearer {self._tools.token}"}}
        return PlatformRecord(raw={"assistant": {"server": server}})

    async def fetch_cost(self) -> Cost:
        assert self._tools is not None
        raise ConnectionError(f"{self._tools.webhook_url} with {self._tools.token}")


@attrs.frozen(eq=False)
class LeakyPlatform(Routed):
    refusing: type[Exception] | None = None

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        assert call.tools is not None
        self.told.append(call.tools)
        if self.refusing is not None:
            raise self.refusing(f"{call.tools.webhook_url} with {call.tools.token} is not accepted")
        return Leaky(call, self.script, self.log, None)


@pytest.mark.parametrize("refusing", [None, ConnectionError])
def test_no_file_of_a_run_holds_what_opens_the_tools(
    refusing: type[Exception] | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "offhook")
    caplog.set_level("INFO", "uvicorn")

    async def script(tools: ToolEndpoint) -> None:
        await post(tools, body_of(("a", PRICE, TUNE_UP)))
        await post(tools, b"?", token="wrong")

    platform = LeakyPlatform(script, refusing=refusing)
    ran = held(tmp_path, platform, attempts=1)
    (tools,) = platform.told
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    secrets = (tools.token, tools.webhook_url.rpartition("/")[2])
    leaks = [path.name for path in files for secret in secrets if secret.encode() in path.read_bytes()]
    assert leaks == []
    assert not [secret for secret in secrets if secret in ran.done[0].cause + caplog.text]
    if refusing is None:
        assert (ran.record.ending, len(ran.errors)) == ("completed", 1)
        assert "/hooks/... with ..." in ran.errors[0]
        assert "/hooks/..." in (ran.folder.call_folder(ran.record.call_id) / "platform.json").read_text()
    else:
        assert (ran.record.ending, ran.record.cost_usd) == ("void", None)
        assert "with ... is not accepted" in ran.record.cause
        assert ran.done[0].charge.usd == 0.0
    assert tools.token not in repr(tools)


def test_a_dialect_that_breaks_is_our_fault_and_the_call_goes_on(tmp_path: Path) -> None:
    class Broken(AcmeDialect):
        def write(self, results: Sequence[ToolResult]) -> bytes:
            raise KeyError("answers")

    got: list[httpx.Response] = []

    async def script(tools: ToolEndpoint) -> None:
        got.append(await post(tools, body_of(("a", PRICE, TUNE_UP))))

    ran = held(tmp_path, Routed(script, webhook=Broken()))
    assert (got[0].status_code, got[0].json()["error"]["code"]) == (500, "internal_error")
    assert ran.errors == ("webhook: the answer could not be given: KeyError: 'answers'",)
    assert [entry.source_id for entry in ran.folder.tools(ran.record.call_id)] == ["a"]
    (asked,) = requests_of(ran, ran.record.call_id)
    assert (asked["status"], [one["id"] for one in asked["calls"]]) == (500, ["a"])


# --- the way from outside -------------------------------------------------------------------------


async def idle(tools: ToolEndpoint) -> None:
    """Calls no tool."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


def test_a_public_url_is_what_the_platform_is_told(tmp_path: Path) -> None:
    port = free_port()
    got: list[int] = []

    async def script(tools: ToolEndpoint) -> None:
        inside = tools.webhook_url.replace("https://tools.example.com/eu", f"http://127.0.0.1:{port}")
        got.append((await post(attrs.evolve(tools, webhook_url=inside), {"about": "status"})).status_code)

    platform = Routed(script, public_url=True)
    ran = held(tmp_path, platform, public_url="https://tools.example.com/eu/", tools_port=port)
    assert platform.told[0].webhook_url.startswith("https://tools.example.com/eu/hooks/")
    assert (got, ran.record.ending) == ([200], "completed")
    assert "example.com" not in (tmp_path / "run" / "run.json").read_text()


def options(folder: Path, **more: Any) -> RunOptions:
    return RunOptions(
        **{"platform": "routed", "caller": "terse", "out": folder / "run", "images": folder / "im", **more}
    )


@attrs.frozen(eq=False)
class Mute:
    """Says that it posts tool calls, and brings nothing to read them by."""

    inner: Routed
    name: str = "routed"

    @property
    def capabilities(self) -> Any:
        return self.inner.capabilities

    async def deploy(self, agent: AgentConfig) -> Deployment:
        return await self.inner.deploy(agent)

    async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
        return await self.inner.connect(deployment, call)

    async def teardown(self, deployment: Deployment) -> None:
        """Nothing was set up."""


@pytest.mark.parametrize(
    ("platform", "asked", "told"),
    [
        (Routed(idle, public_url=True), {}, r"forward a public address to port 8765 .* --public-url URL$"),
        (Routed(idle, public_url=True), {"tools_port": 8100}, "to port 8100 of this machine"),
        (Routed(idle), {"public_url": "tools.example.com"}, "must be like https://tools.example.com"),
        (Routed(idle), {"public_url": "https://me:pw@tools.example.com"}, "without user"),
        (Routed(idle), {"public_url": "https://tools.example.com/?a=1"}, "without user, query"),
        (Routed(idle), {"public_url": "https://tools.example.com:x"}, "must be like"),
        (Routed(idle), {"public_url": "https://tools. example.com"}, "must be like"),
        (Routed(idle), {"public_url": "https://tools.example.com\n"}, "must be like"),
        (Routed(idle), {"tools_port": 8100, "workers": 2}, "leave out --workers and use --at-once"),
        (Mute(Routed(idle)), {}, "brings no webhook dialect"),
    ],
)
def test_what_could_reach_no_tool_is_refused_before_anything_is_written(
    platform: Any, asked: dict[str, Any], told: str, tmp_path: Path
) -> None:
    with pytest.raises(ToolsUnreachable, match=told):
        new_run(options(tmp_path, **asked), stand_host(adapters=(platform,)))
    assert not (tmp_path / "run").exists()


def test_the_command_says_so_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(tmp_path / "site", monkeypatch, "tests.core._priced:PLUGIN")
    asked = ["run", "--platform", "outside", "--caller", "terse", "--out", str(tmp_path / "run")]
    with pytest.raises(SystemExit) as ended:
        main([*asked, "--block", "offhook", "--tools-port", "8100"])
    assert ended.value.code == 3
    assert capsys.readouterr().err.splitlines() == [
        "Error: outside reaches the tools over the internet: forward a public address to port 8100 of this "
        "machine and give it as --public-url URL"
    ]
    assert not (tmp_path / "run").exists()


def test_a_port_that_is_taken_is_one_line_and_no_call(tmp_path: Path) -> None:
    platform = Routed(idle)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=f"^port {port} on 127.0.0.1 is in use"):
            held(tmp_path, platform, tools_port=port)
    assert platform.told == []


def test_such_a_platform_lives_in_real_time(tmp_path: Path) -> None:
    hosts = [
        stand_host(adapters=(Routed(idle, mode, virtual_time=True),))
        for mode in (ToolMode.WEBHOOK, ToolMode.MCP)
    ]
    assert [seats_for(options(tmp_path, at_once=3), host) for host in hosts] == [
        Seats(1, 3, virtual=False)
    ] * 2
    client = stand_host(adapters=(RealTimePlatform("routed", virtual_time=True),))
    assert seats_for(options(tmp_path), client).virtual


def test_a_platform_that_calls_tools_over_its_session_is_told_no_address(tmp_path: Path) -> None:
    @attrs.frozen
    class Asking(RealTimePlatform):
        told: list[Any] = attrs.field(factory=list)

        async def connect(self, deployment: Deployment, call: CallSetup) -> Any:
            self.told.append(call.tools)
            return await super().connect(deployment, call)

    platform = Asking("asking")
    ran = held(tmp_path, platform)
    assert platform.told == [None]
    assert isinstance(ran.done[0], Done)
    assert "requests.jsonl" not in {stamp.name for stamp in ran.record.files}
