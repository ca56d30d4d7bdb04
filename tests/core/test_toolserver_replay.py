"""Seed images, replays of a task's key, and the views that graders compare."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.clock import run_virtual
from offhook.packs import ExpectedCall, Pack, Table, TableRole, Task, ToolContext
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import (
    ChangeKind,
    Replay,
    ReplayCache,
    ReplayError,
    RowChange,
    SeedError,
    SeedImages,
    ToolServer,
    changed_views,
    changes_between,
    diff_states,
    open_state,
    pack_digest,
    replay,
    resolve_carry,
    snapshot,
    state_view,
)
from offhook.values import ValueKind

PACK = bicycle_pack()
BOOKING = PACK.task("B-H1")


def with_key(*expected: ExpectedCall) -> Task:
    return attrs.evolve(BOOKING, expected=expected)


def replay_failure(folder: Path, *expected: ExpectedCall) -> ReplayError:
    with pytest.raises(ReplayError) as caught:
        replay(PACK, with_key(*expected), folder)
    return caught.value


# --- images ------------------------------------------------------------------------------------------------


def build(folder: str) -> str:
    """In a process of its own."""
    return str(SeedImages(Path(folder)).image(bicycle_pack()))


def test_an_image_is_built_once_and_shared_by_processes(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        paths = list(processes.map(build, [str(tmp_path)] * 2))
    assert paths == [str(next(tmp_path.glob("*.sqlite")))] * 2
    stamp = Path(paths[0]).stat()
    assert SeedImages(tmp_path).image(PACK) == Path(paths[0])
    assert Path(paths[0]).stat().st_mtime_ns == stamp.st_mtime_ns
    assert stamp.st_mode & 0o777 == 0o444


def test_equal_packs_make_equal_images(tmp_path: Path) -> None:
    first = SeedImages(tmp_path / "a").image(bicycle_pack())
    assert first.read_bytes() == SeedImages(tmp_path / "b").image(bicycle_pack()).read_bytes()


def test_an_image_that_was_deleted_is_built_again(tmp_path: Path) -> None:
    images = SeedImages(tmp_path)
    images.image(PACK).unlink()
    assert images.image(PACK).exists()


def test_a_changed_pack_never_gets_an_old_image(tmp_path: Path) -> None:
    def empty(db: sqlite3.Connection) -> None:
        """No rows."""

    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "policy.md").write_text("one")
    in_folder = attrs.evolve(PACK, folder=folder)
    digests = [
        pack_digest(PACK),
        pack_digest(attrs.evolve(PACK, version="2")),
        pack_digest(attrs.evolve(PACK, seed=empty)),
        pack_digest(attrs.evolve(PACK, schema=PACK.schema + "\n")),
        pack_digest(attrs.evolve(PACK, tasks=PACK.tasks[:1])),
        pack_digest(in_folder),
    ]
    (folder / "policy.md").write_text("two")
    digests.append(pack_digest(in_folder))
    assert len(set(digests)) == len(digests)
    assert pack_digest(bicycle_pack()) == digests[0]


def test_a_digest_sees_what_a_function_closes_over(tmp_path: Path) -> None:
    def seeding(count: int) -> Pack:
        def seed(db: sqlite3.Connection) -> None:
            db.executemany("INSERT INTO services VALUES (?, 't', 1)", [(str(n),) for n in range(count)])

        return attrs.evolve(PACK, seed=seed)

    images = SeedImages(tmp_path)
    sizes = [
        len(snapshot(images.image(pack), pack)["services"]) for pack in (seeding(1), seeding(2), seeding(1))
    ]
    assert sizes == [1, 2, 1]
    assert len(list(tmp_path.glob("*.sqlite"))) == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"schema": "CREATE TABEL x (a)"}, "syntax error"),
        ({"seed": lambda db: db.execute("INSERT INTO nowhere VALUES (1)")}, "no such table: nowhere"),
        ({"seed": lambda db: {}["price"]}, "KeyError: 'price'"),
        (
            {"seed": lambda db: db.execute("INSERT INTO bikes VALUES ('B', 'C-9', '', '', 'booked')")},
            "FOREIGN KEY",
        ),
    ],
)
def test_a_seed_that_fails_says_so_in_one_line(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(SeedError, match=told) as caught:
        SeedImages(tmp_path).image(attrs.evolve(PACK, **change))
    assert str(caught.value).startswith("pack bicycle-repair: ")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.glob("*.sqlite")) == list(tmp_path.glob("*.building")) == []


def test_a_seed_that_switches_foreign_keys_off_is_found_out(tmp_path: Path) -> None:
    def careless(db: sqlite3.Connection) -> None:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("INSERT INTO bikes VALUES ('B', 'C-9', '', '', 'booked')")

    with pytest.raises(SeedError, match="a row of bikes that refers to no customers"):
        SeedImages(tmp_path).image(attrs.evolve(PACK, seed=careless))


# --- replays -----------------------------------------------------------------------------------------------


def test_a_replay_gives_the_expected_end(tmp_path: Path) -> None:
    run = replay(PACK, BOOKING, tmp_path)
    assert [(call.tool, call.status) for call in run.calls] == [(call.tool, 200) for call in BOOKING.expected]
    assert run.calls[3].arguments == {
        "price_accepted": True,
        "quote_id": run.calls[2].response["quote_id"],
    }
    assert run.calls[0].canonical == {"full_name": "Nadia Okafor", "phone": "541-555-0148"}
    assert run.rows_written == 4
    assert [(change.table, change.kind) for change in run.changes] == [
        ("bikes", ChangeKind.CHANGED),
        ("quotes", ChangeKind.NEW),
        ("repairs", ChangeKind.NEW),
        ("notes", ChangeKind.NEW),
    ]
    assert run.changes[0] == RowChange(
        "bikes", ("B-101",), ChangeKind.CHANGED, {"status": ("at home", "booked")}
    )
    assert run.changes[1].columns["used"] == (None, 1)


def test_replays_are_equal_byte_for_byte(tmp_path: Path) -> None:
    runs = [replay(PACK, BOOKING, tmp_path / name) for name in ("a", "b")]
    assert runs[0].state.read_bytes() == runs[1].state.read_bytes()
    assert runs[0].calls == runs[1].calls


def test_a_replay_never_passes_a_guard_by(tmp_path: Path) -> None:
    failure = replay_failure(tmp_path, *BOOKING.expected[:1], *BOOKING.expected[2:])
    assert (failure.task, failure.index, failure.tool) == (("bicycle-repair", "B-H1"), 1, "quote_repair")
    told = "refused with not_verified: find and verify the caller first"
    assert str(failure) == f"bicycle-repair/tasks/B-H1.expected[1] (quote_repair): {told}"


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        (ExpectedCall("repaint"), "the agent has no such tool"),
        (
            ExpectedCall("get_service_price", arguments={"service": "paint"}),
            "refused with invalid_argument (service)",
        ),
        (
            ExpectedCall("confirm_repair", carry={"quote_id": "quote_repair.quote_id"}),
            "quote_repair has not been called",
        ),
    ],
)
def test_a_key_that_does_not_run_is_told_by_its_place(
    tmp_path: Path, expected: ExpectedCall, told: str
) -> None:
    assert told in str(replay_failure(tmp_path, expected))


def test_a_tool_that_breaks_in_a_replay_is_told_with_its_fault(tmp_path: Path) -> None:
    def broken(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        raise KeyError("price")

    tools = tuple(attrs.evolve(tool, run=broken) for tool in PACK.tools)
    with pytest.raises(ReplayError, match=r"\(find_customer\): failed: KeyError: 'price'"):
        replay(attrs.evolve(PACK, tools=tools), BOOKING, tmp_path)


def test_carry_takes_the_latest_result_and_names_what_is_missing() -> None:
    results = {"quote": {"id": "Q-2", "fees": {"total": 5}}}
    assert resolve_carry("quote.id", results) == "Q-2"
    assert resolve_carry("quote.fees.total", results) == 5
    with pytest.raises(KeyError, match=r"quote\.price: the result of quote has no 'price'"):
        resolve_carry("quote.price", results)


def test_a_cache_runs_a_task_once_per_content(tmp_path: Path) -> None:
    ran: list[str] = []

    def counted(context: ToolContext, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        ran.append(arguments["service"])
        return {}

    tools = tuple(
        attrs.evolve(tool, run=counted) if tool.name == "get_service_price" else tool for tool in PACK.tools
    )
    pack = attrs.evolve(PACK, tools=tools)
    task, cache = pack.task("B-E1"), ReplayCache(tmp_path)
    assert cache.get(pack, task) is cache.get(pack, task)
    assert ran == ["tune_up"]
    other = attrs.evolve(task, expected=(ExpectedCall("get_service_price", arguments={"service": "wheel"}),))
    assert cache.get(pack, other).state != cache.get(pack, task).state
    assert ran == ["tune_up", "wheel"]


def test_caches_of_two_processes_share_a_folder(tmp_path: Path) -> None:
    first, second = ReplayCache(tmp_path).get(PACK, BOOKING), ReplayCache(tmp_path).get(PACK, BOOKING)
    assert first == second
    assert len(list(tmp_path.glob("*/state.sqlite"))) == 1
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".bicycle")]


# --- views -------------------------------------------------------------------------------------------------


@pytest.fixture
def booked(tmp_path: Path) -> Replay:
    return replay(PACK, BOOKING, tmp_path)


def edited(run: Replay, folder: Path, *statements: str) -> Path:
    """A copy of the replayed state with something done to it."""
    target = folder / "edited.sqlite"
    target.write_bytes(run.state.read_bytes())
    with closing(sqlite3.connect(target)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()
    return target


def test_views_drop_volatile_columns_and_generated_ids(booked: Replay) -> None:
    view = state_view(booked.state, PACK, seed=booked.seed)
    assert set(view) == {"bikes", "repairs", "notes"}
    assert list(view["repairs"].values()) == [{"bike_id": "B-101", "service": "brakes", "price_cents": 6400}]
    assert list(view["notes"].values()) == [{"bike_id": "B-101", "author": "phone desk"}]
    assert view["bikes"][("B-101",)]["status"] == "booked"


def test_another_calls_ids_and_wording_make_no_difference(booked: Replay, tmp_path: Path) -> None:
    async def real_call(server: ToolServer) -> None:
        quote = ""
        for call in BOOKING.expected:
            carried = {"quote_id": quote} if call.carry else {}
            note = {"note": "squeals when wet"} if call.free_text else {}
            result = await server.call("c", "t", call.tool, {**call.arguments, **carried, **note})
            quote = result.body.get("quote_id", quote)

    with ToolServer(PACK, tmp_path / "server", clock=lambda: 0.0) as server:
        server.open_call("c", "t")
        run_virtual(real_call(server))
        observed = server.freeze("c").state
    assert observed.read_bytes() != booked.state.read_bytes()
    expected, seen = (state_view(path, PACK, seed=booked.seed) for path in (booked.state, observed))
    assert diff_states(expected, seen) == ()


def test_the_quick_views_differ_as_the_whole_ones_do(booked: Replay, tmp_path: Path) -> None:
    state = edited(
        booked,
        tmp_path,
        "UPDATE bikes SET model = 'Larkspur 8' WHERE bike_id = 'B-101'",
        "INSERT INTO notes VALUES ('N-1', 'B-102', 'phone desk', 'x'), ('N-2', 'B-102', 'phone desk', 'y')",
        "DELETE FROM bikes WHERE bike_id = 'B-104'",
        "UPDATE repairs SET price_cents = 6401.0",
    )
    whole = diff_states(state_view(booked.seed, PACK), state_view(state, PACK, seed=booked.seed))
    assert diff_states(*changed_views(booked.seed, state, PACK)) == whole
    told = [(change.table, change.kind, dict(change.columns)) for change in whole]
    assert told[0] == (
        "bikes",
        ChangeKind.CHANGED,
        {"model": ("Larkspur 7", "Larkspur 8"), "status": ("at home", "booked")},
    )
    assert told[1][:2] == ("bikes", ChangeKind.REMOVED)
    assert told[1][2]["model"] == ("Quill 1", None)
    assert told[2][2]["price_cents"] == (None, 6401)
    assert [kind for table, kind, _ in told if table == "notes"] == [ChangeKind.NEW] * 3


def test_equal_new_rows_count_one_by_one(booked: Replay, tmp_path: Path) -> None:
    twice = edited(
        booked, tmp_path, "INSERT INTO repairs SELECT 'RP-2', bike_id, service, price_cents, '' FROM repairs"
    )
    expected, observed = (state_view(path, PACK, seed=booked.seed) for path in (booked.state, twice))
    assert [(change.table, change.kind) for change in diff_states(expected, observed)] == [
        ("repairs", ChangeKind.NEW)
    ]


def test_a_seeded_row_keeps_its_key_where_new_rows_get_generated_ones(tmp_path: Path) -> None:
    def seed(db: sqlite3.Connection) -> None:
        db.executemany("INSERT INTO slots VALUES (?, ?)", [("A-1", "free"), ("A-2", "free"), ("A-3", "free")])

    table = Table("slots", TableRole.WRITE, ("id",), volatile=("id",))
    schema = "CREATE TABLE slots (id TEXT PRIMARY KEY, state TEXT)"
    pack = attrs.evolve(PACK, schema=schema, seed=seed, tables=(table,))
    image = SeedImages(tmp_path).image(pack)
    state = tmp_path / "state.sqlite"
    state.write_bytes(image.read_bytes())
    with closing(sqlite3.connect(state)) as db:
        db.executescript(
            "UPDATE slots SET state = 'taken' WHERE id = 'A-2'; INSERT INTO slots VALUES ('X-7', 'free')"
        )
    changes = diff_states(state_view(image, pack, seed=image), state_view(state, pack, seed=image))
    assert changes == diff_states(*changed_views(image, state, pack))
    assert changes[0] == RowChange("slots", ("A-2",), ChangeKind.CHANGED, {"state": ("free", "taken")})
    assert (changes[1].kind, changes[1].key[0], changes[1].columns) == (
        ChangeKind.NEW,
        "new",
        {"state": (None, "free")},
    )
    assert len(changes) == 2


def test_values_are_compared_in_canonical_form(tmp_path: Path) -> None:
    def seed(db: sqlite3.Connection) -> None:
        db.execute(
            "INSERT INTO people VALUES (1, '(541) 555-0148', '$14.99', 33.0, NULL, 'not a phone', x'ff')"
        )

    pack = attrs.evolve(
        PACK,
        schema="CREATE TABLE people (id INTEGER PRIMARY KEY, phone, fee, years, none, odd, blob)",
        seed=seed,
        tables=(
            Table(
                "people",
                TableRole.WRITE,
                ("id",),
                kinds={
                    "phone": ValueKind.PHONE,
                    "fee": ValueKind.AMOUNT,
                    "none": ValueKind.PHONE,
                    "odd": ValueKind.PHONE,
                },
            ),
        ),
    )
    row = state_view(SeedImages(tmp_path).image(pack), pack)["people"][(1,)]
    assert row == {
        "id": 1,
        "phone": "541-555-0148",
        "fee": 1499,
        "years": 33,
        "none": None,
        "odd": "not a phone",
        "blob": "ff",
    }
    assert type(row["years"]) is int


def test_a_table_that_tools_never_write_is_watched_all_the_same(booked: Replay, tmp_path: Path) -> None:
    state = edited(booked, tmp_path, "UPDATE services SET price_cents = 1 WHERE service = 'wheel'")
    change = next(
        change for change in changes_between(booked.seed, state, PACK) if change.table == "services"
    )
    assert change.columns == {"price_cents": (2750, 1)}


def test_a_snapshot_holds_all_but_the_session(booked: Replay) -> None:
    rows = snapshot(booked.state, PACK)
    assert set(rows) == {"services", "customers", "bikes", "quotes", "repairs", "notes"}
    assert [row["bike_id"] for row in rows["bikes"]] == ["B-101", "B-102", "B-103", "B-104"]


def test_a_frozen_state_opens_read_only(booked: Replay) -> None:
    with closing(open_state(booked.state)) as db, pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM bikes")
    with pytest.raises(sqlite3.OperationalError):
        open_state(booked.state.with_name("missing.sqlite"))


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(content: bytes) -> bytes:
    return b""


def altered(content: bytes) -> bytes:
    return content.replace(b"Nadia Okafor", b"Nadia Okafur")


@pytest.mark.parametrize("damage", [truncated, emptied, altered])
def test_a_damaged_image_is_built_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    image = SeedImages(tmp_path).image(PACK)
    whole = image.read_bytes()
    image.chmod(0o644)
    image.write_bytes(damage(whole))
    assert image.read_bytes() != whole

    assert SeedImages(tmp_path).image(PACK).read_bytes() == whole


def test_an_image_without_its_sum_is_built_again(tmp_path: Path) -> None:
    image = SeedImages(tmp_path).image(PACK)
    whole = image.read_bytes()
    image.with_suffix(".sha256").unlink()
    image.chmod(0o644)
    image.write_bytes(b"anything")

    assert SeedImages(tmp_path).image(PACK).read_bytes() == whole


def test_an_undamaged_image_is_kept(tmp_path: Path) -> None:
    first = SeedImages(tmp_path).image(PACK).stat()

    assert SeedImages(tmp_path).image(PACK).stat().st_ino == first.st_ino
