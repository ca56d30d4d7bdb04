"""``offhook tasks``: one task as a person reads it, and the list by category and tier."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest

from offhook.cli import main
from offhook.cli._taskpage import TaskView, task_json, task_lines
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import ForbiddenCall, Pack, Task
from offhook.testing_pack import bicycle_pack
from offhook.toolserver import replay
from tests.core._packfaults import with_task

PACK = bicycle_pack()


@pytest.fixture
def view(tmp_path: Path) -> TaskView:
    """B-H1 with everything a page can show."""
    task = PACK.tasks[1]
    quote = attrs.evolve(task.expected[2], alternatives={"service": ("tune_up", "wheel")})
    rules = (attrs.evolve(task.rules[0], unless=("heard:price", "said:verify")), *task.rules[1:])
    pack = with_task(
        rules=rules,
        expected=(*task.expected[:2], quote, *task.expected[3:]),
        forbidden_tools=("transfer_to_human",),
        forbidden=(
            ForbiddenCall(
                "leave_note", "nobody asked for one", unless=("said:note",), unless_said=("write .* down",)
            ),
        ),
    )
    return viewed(pack, pack.tasks[1], tmp_path)


def viewed(pack: Pack, task: Task, folder: Path) -> TaskView:
    return TaskView(pack, task, "us-male-joe", replay(pack, task, folder).changes)


class Shop:
    """A plugin with the bicycle pack."""

    @hookimpl
    def offhook_industries(self) -> list[Pack]:
        return [PACK]


@pytest.fixture(autouse=True)
def bicycle(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bicycle pack as the only one that is installed."""
    host = PluginHost()
    assert host.register(Shop(), name="shop")
    monkeypatch.setattr(PluginHost, "discover", classmethod(lambda cls, **_: host))


def page(view: TaskView) -> list[str]:
    return list(task_lines(view))


def test_it_says_what_the_task_is_and_who_calls(view: TaskView) -> None:
    text = " ".join(" ".join(page(view)).split())
    assert text.startswith("bicycle-repair/B-H1 ")
    assert "hard, repairs: 5 tool calls, 6 constrained arguments, 4 rows written" in text
    assert "behind a gate: verify_owner" in text
    assert "voice: us-male-joe, in every run and audio condition" in text
    assert "Has what it wants once it has heard 'booked' and it has said 'note'" in text
    assert "Listens for: price, booked" in text


def test_conditions_are_in_words(view: TaskView) -> None:
    lines = [line.strip() for line in page(view)]
    assert "not once it has heard 'price' or it has said 'verify'" in lines
    accept = next(index for index, line in enumerate(lines) if line.startswith("accept ("))
    assert "only after it has heard 'price'" in lines[accept:]
    assert "not once it has heard 'booked'" in lines[accept:]


def test_calls_come_with_what_else_is_accepted_and_what_is_forbidden(view: TaskView) -> None:
    lines = [line.strip() for line in page(view)]
    quote = lines.index("quote_repair(service='brakes')")
    assert lines[quote + 1] == "or service='tune_up' or 'wheel'"
    assert "in any words: note" in lines
    fails = lines.index("Fails when one of these calls is accepted")
    assert lines[fails + 1 :] == [
        "transfer_to_human",
        "leave_note: nobody asked for one",
        "allowed once it has said 'note' or the caller says something like /write .* down/",
    ]


def test_the_end_state_is_a_diff_by_table_row_and_column(view: TaskView) -> None:
    lines = page(view)
    start = lines.index("The database, seed -> expected")
    assert lines[start + 1 : start + 4] == [
        "  bikes (must be as here)",
        "    B-101, changed row",
        "      status  at home -> booked",
    ]
    booked = lines[lines.index("  repairs (must be as here)") :]
    assert booked[1] == "    new row"
    assert "      price_cents  6400" in booked
    assert any(line.startswith("      booked_at ") and line.endswith("(any)") for line in booked)
    assert "  quotes (not compared)" in lines
    assert "  notes (may have further rows)" in lines
    assert not any("gate" in line for line in lines[start:])
    assert max(map(len, lines)) <= 88


def test_json_says_all_that_the_page_says(view: TaskView) -> None:
    told = json.loads(json.dumps(task_json(view)))
    assert told["gates"] == ["verify_owner"]
    assert told["voice"] == "us-male-joe"
    assert told["satisfied"] == ["heard:booked", "said:note"]
    assert told["says"][0]["unless"] == ["heard:price", "said:verify"]
    assert told["says"][0]["cues"]["all_of"]
    assert told["says"][0]["tests"][0]["fires"] is True
    assert told["expected"][2]["alternatives"] == {"service": ["tune_up", "wheel"]}
    assert told["expected"][3]["carry"] == {"quote_id": "quote_repair.quote_id"}
    assert told["forbidden"][0]["why"] == "nobody asked for one"
    assert told["forbidden_tools"] == ["transfer_to_human"]
    (bike,) = [change for change in told["changes"] if change["table"] == "bikes"]
    assert bike["columns"] == {"status": {"seed": "at home", "expected": "booked", "compared": True}}
    (repair,) = [change for change in told["changes"] if change["table"] == "repairs"]
    assert repair["columns"]["booked_at"]["compared"] is False


def test_a_key_that_can_not_be_replayed_is_said_on_the_page(view: TaskView) -> None:
    broken = attrs.evolve(view, changes=(), fault="no such quote")
    assert "These calls can't be replayed: no such quote" in page(broken)
    assert task_json(broken)["replay_fault"] == "no such quote"


def test_a_task_without_calls_says_so(tmp_path: Path) -> None:
    task = attrs.evolve(PACK.tasks[0], expected=())
    lines = page(viewed(PACK, task, tmp_path))
    assert "Passes when nothing is written: no call is needed" in lines
    assert not any("The database" in line for line in lines)


def run(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["tasks", *arguments])
    assert ended.value.code == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def test_the_command_replays_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    shown = run(capsys, "show", "B-H1")
    assert "      status  at home -> booked" in shown.splitlines()
    assert json.loads(run(capsys, "show", "B-H1", "--json"))["changes"]


def test_the_list_can_be_narrowed(capsys: pytest.CaptureFixture[str]) -> None:
    ids = [row["id"] for row in json.loads(run(capsys, "--tier", "hard", "--json"))]
    assert ids == ["B-H1"]
    (row,) = json.loads(run(capsys, "--category", "Prices", "--json"))
    assert (row["id"], row["category"], row["gated"]) == ("B-E1", "prices", False)
    assert json.loads(run(capsys, "--category", "prices", "--tier", "hard", "--json")) == []
    assert "categories: prices, repairs" in run(capsys)


def test_an_unknown_category_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--category", "price", code=2).splitlines() == [
        "Error: unknown category 'price'; nearest: prices; known: prices, repairs"
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "bicycle-repair"], "unknown task (it is a pack; name one task of it) 'bicycle-repair'; "),
        (["show", ""], "unknown task ''; known: B-E1, B-H1, bicycle-repair"),
    ],
)
def test_a_name_that_is_no_task_is_told(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tasks", *arguments])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"Error: {says}")


def test_a_tier_is_known_whatever_its_case(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tasks", "--tier", "HARD", "--json"])
    assert ended.value.code == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["B-H1"]
