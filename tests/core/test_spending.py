"""The spending cap: what is counted, what is held back, and how a run that stopped goes on."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from pathlib import Path
from typing import Any

import attrs
import pytest

import offhook
from offhook.cli import main
from offhook.runner import (
    CapReached,
    Charge,
    CostUnknown,
    RunOptions,
    Spending,
    carry_out,
    list_price,
    new_run,
    resume_run,
)
from offhook.sessions import AgentConfig, Deployment
from tests.core._priced import Priced, Unpriced
from tests.core._stand import RealTimePlatform, installed, stand_host

GO: threading.Event = threading.Event()


def reserved(spending: Spending, times: int = 1) -> list[bool]:
    return [spending.reserve(GO) for _ in range(times)]


def charges(*sums: float | None) -> list[Charge]:
    return [Charge(usd) for usd in sums]


# --- counting -------------------------------------------------------------------------------------


def test_without_a_cap_nothing_is_held_back() -> None:
    spending = Spending(None, 5.0)
    assert reserved(spending, 100) == [True] * 100
    assert (spending.reached, spending.is_blind) == (None, False)


def test_a_call_that_could_pass_the_cap_is_not_begun() -> None:
    spending = Spending(1.0, 0.3)
    for _ in range(3):
        assert spending.reserve(GO)
        spending.settle(Charge(0.3))
    assert spending.spent == pytest.approx(0.9)
    assert not spending.reserve(GO)
    spending.note_left(7)
    assert spending.reached == CapReached(spending.spent, 1.0, 7)
    assert str(spending.reached) == (
        "stopped before the spending cap: $0.9000 of $1.00 spent, 7 calls are left to place"
    )


def test_sums_of_cents_reach_a_cap_exactly() -> None:
    spending = Spending(0.3, 0.1)
    for _ in range(3):  # 0.1 three times is more than 0.3 in binary
        assert spending.reserve(GO)
        spending.settle(Charge(0.1))
    assert not spending.reserve(GO)


def test_a_call_dearer_than_its_estimate_is_what_the_next_is_reckoned_at() -> None:
    spending = Spending(1.0, 0.1)
    assert spending.reserve(GO)
    spending.settle(Charge(0.6))
    assert not spending.reserve(GO)  # 0.6 and 0.1 would fit, 0.6 and 0.6 do not


def test_a_cost_that_nobody_knows_counts_as_the_dearest_or_the_estimate() -> None:
    by_estimate = Spending(1.0, 0.2, charges(None, 0.1))
    assert by_estimate.spent == pytest.approx(0.3)
    by_dearest = Spending(9.0, None, charges(None, 0.1, 0.4))
    assert by_dearest.spent == pytest.approx(0.9)
    assert Spending(9.0, None, charges(None, None)).spent == 0


def test_a_call_in_flight_holds_the_next_back_until_it_is_settled() -> None:
    spending = Spending(1.0, 0.6)
    assert spending.reserve(GO)
    got: list[bool] = []
    waiting = threading.Thread(target=lambda: got.append(spending.reserve(GO)))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive()
    spending.settle(Charge(0.0))
    waiting.join(10)
    assert (got, spending.reached) == ([True], None)


def test_whoever_waits_leaves_when_the_run_is_stopped() -> None:
    spending, stop = Spending(1.0, 0.6), threading.Event()
    assert spending.reserve(stop)
    got: list[bool] = []
    waiting = threading.Thread(target=lambda: got.append(spending.reserve(stop)))
    waiting.start()
    stop.set()
    waiting.join(10)
    assert (got, spending.reached) == ([False], None)  # it was the user, not the cap


def test_where_nobody_knows_a_price_the_first_call_is_placed_alone() -> None:
    stopped, going = threading.Event(), threading.Event()
    stopped.set()
    spending = Spending(0.0001)
    assert spending.reserve(going)
    assert not spending.reserve(stopped)
    spending.settle(Charge(0.5))
    assert not spending.reserve(going)
    assert spending.reached == CapReached(0.5, 0.0001, 0)
    free = Spending(0.0001)
    assert free.reserve(going)
    free.settle(Charge(0.0))  # that may have been too short to be billed: the next goes alone, too
    assert [free.reserve(going), free.reserve(stopped)] == [True, False]


def test_a_cap_without_any_price_is_blind_until_a_call_has_told_its_own() -> None:
    spending = Spending(1.0)
    assert spending.is_blind
    assert reserved(spending, 1) == [True]
    spending.settle(Charge(0.5))
    assert not spending.is_blind
    assert not Spending(1.0, 0.2).is_blind


@pytest.mark.parametrize("usd", [math.nan, math.inf, -math.inf, -5.0])
def test_what_is_no_sum_of_money_counts_as_unknown(usd: float) -> None:
    spending = Spending(1.0, 0.4)
    for _ in range(2):
        assert spending.reserve(GO)
        spending.settle(Charge(usd, 200.0))
    assert spending.spent == pytest.approx(0.8)
    assert not spending.reserve(GO)
    assert Spending(9.0, 0.4, [Charge(usd)]).spent == pytest.approx(0.4)


def test_a_list_price_that_is_too_low_is_raised_to_the_most_a_second_has_cost() -> None:
    spending = Spending(5.0, 0.3)
    assert spending.reserve(GO)
    spending.settle(Charge(0.25, 60.0))  # less than a call, and five times the list price
    assert spending.reserve(GO)
    spending.settle(Charge(0.1, 60.0))  # a cheaper one lowers nothing
    assert spending.spent == pytest.approx(0.35)
    assert spending.reserve(GO)
    spending.settle(Charge(None))
    assert spending.spent == pytest.approx(0.35 + 0.75)
    close = Spending(1.0, 0.3, [Charge(0.3, 60.0)])
    assert not close.reserve(GO)  # 0.3 and 0.3 would fit, 0.3 and 0.9 do not
    right = Spending(1.0, 0.3, [Charge(0.3, 180.0)])
    assert right.reserve(GO)


def test_a_second_of_a_very_short_call_says_little_of_others() -> None:
    assert Spending(1.0, 0.3, [Charge(0.05, 2.0)]).reserve(GO)


def test_a_call_that_tells_no_cost_is_the_last_where_there_is_no_price_at_all() -> None:
    spending = Spending(5.0)
    assert spending.reserve(GO)
    spending.settle(Charge(None, 30.0))
    assert not spending.reserve(GO)
    spending.note_left(4)
    reached = spending.reached
    assert reached == CapReached(0.0, 5.0, 4, blind=True)
    assert str(reached) == (
        "stopped before the spending cap: what the finished calls cost is not known, and $5.00 is the cap, "
        "4 calls are left to place"
    )
    after_a_kill = Spending(5.0, None, charges(None))
    assert after_a_kill.reserve(GO)


def test_a_call_that_was_not_taken_teaches_no_price() -> None:
    stopped = threading.Event()
    stopped.set()
    spending = Spending(5.0, None, [Charge(0.0, taken=False)])
    assert spending.is_blind
    assert spending.reserve(GO)
    assert not spending.reserve(stopped)  # still alone


@pytest.mark.parametrize(
    ("platform", "price"),
    [
        (Priced(name="p", a_minute=0.1), 0.3),
        (Priced(name="p", a_minute=0.0), 0.0),
        (Priced(name="p", a_minute=None), None),
        (Priced(name="p", a_minute=-1.0), None),
        (Priced(name="p", a_minute=float("nan")), None),
        (RealTimePlatform("p"), None),
    ],
)
def test_the_list_price_of_a_call_is_that_of_three_minutes(platform: Any, price: float | None) -> None:
    assert list_price(platform) == (None if price is None else pytest.approx(price))


# --- runs -----------------------------------------------------------------------------------------


def options(folder: Path, platform: str, **more: Any) -> RunOptions:
    return RunOptions(
        **{
            "platform": platform,
            "caller": "terse",
            "tasks": ("bicycle-repair",),
            "out": folder / "run",
            "images": folder / "images",
            "at_once": 1,
            **more,
        }
    )


def carried(run: Any) -> int:
    """How many calls were placed."""
    done: list[Any] = []
    carry_out(run, stop=threading.Event(), on_started=lambda _: None, on_done=done.append)
    return len(done)


def test_a_run_stops_before_its_cap_and_goes_on_with_a_higher_one(tmp_path: Path) -> None:
    host = stand_host(adapters=(Priced(name="p", costs=0.5, virtual_time=True),))
    # 0.5 for calls of seconds is far above the list: those to come are reckoned at 1.5
    run = new_run(options(tmp_path, "p", runs=2, max_cost=2.2), host)
    assert carried(run) == 2
    assert run.spending.reached == CapReached(1.0, 2.2, 2)
    same = resume_run(tmp_path / "run", host, workers=1, at_once=1, max_cost=2.2)
    assert (carried(same), same.spending.reached) == (0, CapReached(1.0, 2.2, 2))
    more = resume_run(tmp_path / "run", host, workers=1, at_once=1, max_cost=3.0)
    assert (carried(more), more.spending.reached) == (2, None)
    assert more.spending.spent == pytest.approx(2.0)


def test_calls_at_once_are_reserved_together(tmp_path: Path) -> None:
    host = stand_host(adapters=(Priced(name="p", costs=0.3),))
    run = new_run(options(tmp_path, "p", runs=3, at_once=6, max_cost=1.0), host)
    assert carried(run) == 3
    assert run.spending.reached == CapReached(pytest.approx(0.9), 1.0, 3)  # type: ignore[arg-type]


def test_unknown_costs_count_and_refused_calls_do_not(tmp_path: Path) -> None:
    silent = stand_host(adapters=(Priced(name="p", costs=None, virtual_time=True),))
    run = new_run(options(tmp_path, "p", max_cost=0.5), silent)
    assert carried(run) == 1
    assert run.spending.spent == pytest.approx(0.3)
    assert resume_run(tmp_path / "run", silent, workers=1, max_cost=0.5).spending.spent == pytest.approx(0.3)
    busy = stand_host(adapters=(Priced(name="p", refusing=True, virtual_time=True),))
    run = new_run(options(tmp_path / "busy", "p", max_cost=0.5, attempts=2), busy)
    assert (carried(run), run.spending.spent, run.spending.reached) == (4, 0.0, None)


@pytest.mark.parametrize("costs", [math.nan, math.inf, -5.0])
def test_a_platform_that_reports_no_sum_of_money_makes_no_room(costs: float, tmp_path: Path) -> None:
    host = stand_host(adapters=(Priced(name="p", costs=costs, virtual_time=True),))
    run = new_run(options(tmp_path, "p", runs=3, max_cost=0.7), host)
    assert carried(run) == 2
    assert run.spending.spent == pytest.approx(0.6)
    assert {run.folder.record(call).cost_usd for call in run.folder.call_ids()} == {None}
    again = resume_run(tmp_path / "run", host, workers=1, max_cost=0.7)
    assert again.spending.spent == pytest.approx(0.6)


def test_a_run_stops_after_a_call_that_tells_no_cost_where_there_is_no_price(tmp_path: Path) -> None:
    host = stand_host(adapters=(Unpriced(name="u", costs=None, virtual_time=True),))
    run = new_run(options(tmp_path, "u", runs=3, max_cost=5.0), host)
    assert carried(run) == 1
    assert run.spending.reached == CapReached(0.0, 5.0, 5, blind=True)


@attrs.frozen(kw_only=True)
class Hesitant(Unpriced):
    """Its first deployment fails."""

    tried: list[str] = attrs.field(factory=list)

    async def deploy(self, agent: AgentConfig) -> Deployment:
        self.tried.append(agent.name)
        if len(self.tried) == 1:
            raise ConnectionError("busy")
        return await super().deploy(agent)


def test_a_call_that_never_got_to_the_platform_costs_nothing(tmp_path: Path) -> None:
    platform = Hesitant(name="h", costs=0.5, virtual_time=True)
    run = new_run(options(tmp_path, "h", runs=3, max_cost=5.0), stand_host(adapters=(platform,)))
    assert carried(run) == 6
    assert run.spending.reached is None
    assert run.spending.spent == pytest.approx(0.5 * 5)


def test_a_platform_that_never_tells_a_cost_takes_no_cap(tmp_path: Path) -> None:
    host = stand_host(adapters=(RealTimePlatform("mum"),))
    with pytest.raises(CostUnknown, match=r"^mum tells no cost, .*leave it out and choose few calls"):
        new_run(options(tmp_path, "mum", max_cost=5.0), host)
    assert not (tmp_path / "run").exists()
    new_run(options(tmp_path, "mum"), host)
    with pytest.raises(CostUnknown, match="mum tells no cost"):
        resume_run(tmp_path / "run", host, workers=1, max_cost=5.0)


def test_a_cap_below_one_call_places_none(tmp_path: Path) -> None:
    run = new_run(options(tmp_path, "p", max_cost=0.2), stand_host(adapters=(Priced(name="p", costs=0.01),)))
    assert (carried(run), run.spending.reached) == (0, CapReached(0.0, 0.2, 2))


def test_a_program_is_told_what_stopped_its_run(tmp_path: Path) -> None:
    def ran(**more: Any) -> offhook.RunResult:
        return asyncio.run(
            offhook.run(
                platform="p",
                caller="terse",
                tasks="bicycle-repair",
                at_once=1,
                host=stand_host(adapters=(Priced(name="p", costs=0.5, virtual_time=True),)),
                **more,
            )
        )

    result = ran(out=tmp_path / "run", max_cost=0.8)
    assert result.capped == CapReached(0.5, 0.8, 1)
    assert str(result.capped) in result.why.splitlines()
    assert ran(resume=tmp_path / "run", max_cost=5).capped is None
    for wrong in (0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="max_cost must be an amount of more than 0"):
            ran(out=tmp_path / "no", max_cost=wrong)
    with pytest.raises(ValueError, match="tools_port must be from 0 to 65535"):
        ran(out=tmp_path / "no", tools_port=70_000)


def test_calls_that_a_kill_cut_off_count_on_every_resume(tmp_path: Path) -> None:
    host = stand_host(adapters=(Priced(name="p", costs=0.1, virtual_time=True),))
    run = new_run(options(tmp_path, "p", max_cost=1.0), host)
    for planned in run.todo:
        run.folder.scratch(planned.call_id)  # as a process leaves it that is killed in the call
    for cap, placed in ((0.7, 0), (0.7, 0), (1.3, 2)):
        again = resume_run(tmp_path / "run", host, workers=1, at_once=1, max_cost=cap)
        assert again.spending.spent == pytest.approx(0.6)
        assert carried(again) == placed
    notes = [note.read_text() for note in (tmp_path / "run" / "failures").iterdir()]
    assert notes == ["The call was in flight when its process was killed.\n"] * 2


# --- the command ----------------------------------------------------------------------------------


def test_the_command_says_what_was_spent_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed(tmp_path / "site", monkeypatch, "tests.core._priced:PLUGIN")
    out = tmp_path / "run"

    def command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["run", "--block", "offhook", *arguments])
        shown = capsys.readouterr()
        return int(ended.value.code or 0), shown.out, shown.err

    common = ("--platform", "priced", "--caller", "terse", "--at-once", "1", "--out", str(out), "--json")
    code, told, error = command(*common, "--max-cost", "0.8")
    assert code == 4
    assert json.loads(told)["missing"] == 1
    assert error.splitlines()[-1] == (
        "stopped before the spending cap: $0.5000 of $0.8000 spent, 1 call is left to place; "
        f"go on with: offhook run --resume {out} --max-cost 2.00 or more"
    )
    assert "names no price" not in error
    code, told, error = command("--resume", str(out), "--max-cost", "2.0", "--json")
    assert (code, json.loads(told)["missing"]) == (0, 0)
    assert "spending cap" not in error
    unpriced = (*common[:1], "unpriced", *common[2:7], str(tmp_path / "two"), "--json")
    code, told, error = command(*unpriced, "--max-cost", "0.7")
    assert (code, json.loads(told)["missing"]) == (4, 1)
    assert (
        "unpriced names no price beforehand: the first call is placed alone, and the others only if it tells "
        "what it cost" in error.splitlines()
    )
    mute = (*common[:1], "mute", *common[2:7], str(tmp_path / "three"), "--json", "--max-cost", "5")
    code, _, error = command(*mute)
    assert (
        code,
        error.splitlines()[-1].endswith(
            f"is left to place; go on with: offhook run --resume {tmp_path / 'three'}, without --max-cost"
        ),
    ) == (4, True)
    mum = (*common[:1], "mum", *common[2:7], str(tmp_path / "four"), "--max-cost", "5")
    code, _, error = command(*mum)
    assert (code, error.count("\n")) == (3, 1)
    assert error.startswith("Error: mum tells no cost, ")
    code, _, error = command(*common, "--max-cost", "0")
    assert (code, "0 is not in the range x>0" in " ".join(error.split())) == (2, True)
    code, _, error = command(*common, "--max-cost", "nan")
    assert (code, "--max-cost" in error) == (2, True)


def test_an_unpriced_platform_without_a_cap_is_not_spoken_of(tmp_path: Path) -> None:
    run = new_run(options(tmp_path, "u"), stand_host(adapters=(Unpriced(name="u"),)))
    assert not run.spending.is_blind
