"""``offhook judge``, ``judge-check``, ``golden`` and ``verify`` on stored calls, with a model server on a
loopback socket."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.responses import Response

from offhook.cli import main
from offhook.grading import Outcome
from offhook.host import PluginHost
from offhook.judged import run_stamp
from offhook.packs import Pack
from offhook.runner import read_run
from offhook.storage import RunFolder
from offhook_industries.customer_support.pack import build_pack
from tests.graders._endpoint import KEY, Endpoint, completion, serving

pytestmark = pytest.mark.speech  # a call over text needs the sentence embedder

OFFHOOK = Path(sys.executable).with_name("offhook")
Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def made_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("text") / "acme-run"
    done = subprocess.run(
        [OFFHOOK, "run", "T4-E1", "T4-H1", "T5-E1", "--line", "text", "--out", out],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture
def stored(made_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made_run, tmp_path / "run"))


@pytest.fixture(scope="module")
def pack() -> Pack:
    return build_pack()


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    for name in [
        name for name in os.environ if name.startswith(("OFFHOOK_JUDGE", "OFFHOOK_VERIFIER", "OPENAI"))
    ]:
        monkeypatch.delenv(name)
    with serving() as made:
        made.answers = [well_meant]
        for name, value in {
            "OFFHOOK_JUDGE_MODEL": "model-a",
            "OFFHOOK_JUDGE_2_MODEL": "model-b",
            "OFFHOOK_JUDGE_3_MODEL": "model-c",
            "OFFHOOK_VERIFIER_MODEL": "model-a",
            "OFFHOOK_JUDGE_API_KEY": KEY,
            "OFFHOOK_JUDGE_BASE_URL": made.url,
        }.items():
            monkeypatch.setenv(name, value)
        yield made


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    """Exit code, stdout and stderr of a command in this process."""

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        assert KEY not in shown.out + shown.err
        return int(ended.value.code or 0), shown.out, shown.err

    return run


def well_meant(body: dict[str, Any]) -> Response:
    """Everything is met, with the agent's second line as the quote; model-b finds one criterion not met."""
    shown = json.loads(body["messages"][1]["content"])
    if "checks" in shown:
        lines = [entry["says"] for entry in shown["trace"] if entry.get("who") == "agent"]
        checks = [{"id": check["id"], "verdict": "holds", "evidence": lines[-2]} for check in shown["checks"]]
        return completion({"checks": checks})
    quote = [line["text"] for line in shown["transcript"] if line["speaker"] == "agent"][1]
    verdicts = ["met"] * len(shown["criteria"])
    if body["model"] == "model-b":
        verdicts[0] = "not_met"
    rulings = [
        {"id": criterion["id"], "verdict": verdict, "speaker": "agent", "quote": quote}
        for criterion, verdict in zip(shown["criteria"], verdicts, strict=True)
    ]
    rules = [{"id": rule["id"], "verdict": "kept"} for rule in shown["rules"]]
    return completion({"criteria": rulings, "claims": [], "rules": rules})


def judge_files(run: Path) -> list[Path]:
    return sorted((run / "grades").glob("*judge*/*/*.json")) + sorted((run / "grades").glob("panel/*/*.json"))


def test_without_a_key_nothing_is_measured(
    stored: Path, typed: Typed, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OFFHOOK_JUDGE_API_KEY")
    code, out, err = typed("judge", stored)
    assert (code, out) == (3, "")
    assert (
        err == "Error: not measured: openai-judge needs a key: set OFFHOOK_JUDGE_API_KEY or OPENAI_API_KEY\n"
    )
    assert judge_files(stored) == []
    code, _, err = typed("verify", stored, "--verifier", "llm-verifier")
    assert (code, err.startswith("Error: not measured: llm-verifier needs a key")) == (3, True)
    assert endpoint.asked == []


def test_a_run_is_judged_and_its_grades_lie_beside_the_calls(
    stored: Path, typed: Typed, endpoint: Endpoint, pack: Pack
) -> None:
    code, out, err = typed("judge", stored, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["lanes"]["task"] == {"passed": 3, "failed": 0, "unclear": 0, "thin": True}
    assert told["lanes"]["compliance"]["rules"] == 3 * len(pack.must_not) > 0
    assert len(err.splitlines()) == 3
    assert "[3/3," in err
    folder = RunFolder.open(stored)
    (grade,) = folder.grades(told["calls"][0]["call_id"], {"openai-judge": told["version"]})
    assert (grade.evidence["model"], grade.evidence["temperature"]) == ("model-a", 0)
    assert KEY not in "".join(path.read_text() for path in judge_files(stored))


def test_resume_leaves_judged_calls_alone_and_only_takes_one(
    stored: Path, typed: Typed, endpoint: Endpoint
) -> None:
    call_id = RunFolder.open(stored).call_ids()[1]
    assert typed("judge", stored, "--only", call_id)[0] == 0
    assert len(endpoint.asked) == 1
    code, out, err = typed("judge", stored, "--resume", "--json")
    assert (code, json.loads(out)["kept"], len(err.splitlines())) == (0, 1, 2)
    assert len(endpoint.asked) == 3
    code, _, err = typed("judge", stored, "--only", "no-such-call")
    assert (code, "no-such-call" in err) == (2, True)


def test_a_panel_decides_by_majority(stored: Path, typed: Typed, endpoint: Endpoint) -> None:
    code, out, _ = typed("judge", stored, "--panel", "openai-judge,openai-judge-2,openai-judge-3", "--json")
    told = json.loads(out)
    assert (code, told["judge"], told["lanes"]["task"]["passed"]) == (0, "panel", 3)
    (grade,) = RunFolder.open(stored).grades(told["calls"][0]["call_id"], {"panel": told["version"]})
    assert len(grade.evidence["disagreements"]) == 1
    assert typed("judge", stored, "--judge", "openai-panel")[0] == 0
    grades = read_run(RunFolder.open(stored), PluginHost.discover()).grades
    panel = [grade for grade in grades if grade.grader == "openai-panel"]
    assert [grade.outcome for grade in panel] == [Outcome.PASS] * 3
    code, _, err = typed("judge", stored, "--panel", "openai-judge,openai-judge-2")
    assert (code, "an odd number of different judges" in err) == (2, True)
    assert typed("judge", stored, "--judge", "nobody")[0] == 2


def test_a_server_that_gives_up_half_way_keeps_what_was_done(
    stored: Path, typed: Typed, endpoint: Endpoint
) -> None:
    endpoint.answers = [well_meant, Response("no", 401)]
    code, out, err = typed("judge", stored)
    assert (code, out) == (3, "")
    assert "refused the key" in err
    assert "1 call done and kept; go on with --resume" in err
    assert len(judge_files(stored)) == 1


def _take_interrupts() -> None:
    """A test that runs in the background of a shell has inherited that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_keeps_what_was_done(stored: Path, endpoint: Endpoint) -> None:
    reached, release = threading.Event(), threading.Event()

    async def hold() -> Response:
        reached.set()
        await asyncio.to_thread(release.wait)
        return Response("late", 500)

    endpoint.answers = [well_meant, lambda body: hold()]
    process = subprocess.Popen(
        [OFFHOOK, "judge", stored],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_take_interrupts,
    )
    try:
        assert reached.wait(60)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        release.set()
        process.kill()
    assert process.returncode == 130, err
    assert "interrupted; 1 call done and kept, go on with --resume" in err
    assert len(judge_files(stored)) == 1


def test_a_damaged_call_is_named_and_the_others_are_judged(
    stored: Path, typed: Typed, endpoint: Endpoint
) -> None:
    folder = RunFolder.open(stored)
    broken = folder.call_ids()[0]
    (folder.call_folder(broken) / "tools.jsonl").write_text("{}")
    code, out, err = typed("judge", stored, "--json")
    assert (code, len(json.loads(out)["calls"])) == (1, 2)
    assert f"damaged call {broken}" in err
    assert typed("verify", stored, "--json")[0] == 1


# --- verify ---------------------------------------------------------------------------------------


def test_verify_decides_every_check_without_a_key(stored: Path, typed: Typed) -> None:
    code, out, _ = typed("verify", stored, "--json")
    told = json.loads(out)
    assert (code, told["calls"], told["passed"], told["broken"]) == (0, 3, 3, [])
    assert told["assertions"] == {name: {"pass": 3} for name in ("access", "changes", "own")}
    code, out, _ = typed("verify", stored)
    assert "the task's own checks" in out


def test_two_verifiers_are_compared_on_what_they_stored(
    stored: Path, typed: Typed, endpoint: Endpoint
) -> None:
    agree = ("verify", stored, "--agree", "code-verifier", "llm-verifier")
    typed("verify", stored)
    code, _, err = typed(*agree)
    assert (code, "--verifier llm-verifier first" in err) == (2, True)
    typed("verify", stored, "--verifier", "llm-verifier")
    code, out, _ = typed(*agree, "--json")
    told = json.loads(out)
    assert (code, told["checks"]) == (0, sum(kind["checks"] for kind in told["kinds"].values()))
    assert told["agreed"] == told["checks"] - len(told["disagreements"])
    for each in told["disagreements"]:  # figures and phrases that are not in the quoted line
        assert (each["code-verifier"]["verdict"], each["llm-verifier"]["verdict"]) == ("holds", "unclear")
    code, out, _ = typed(*agree)
    assert (code, "all checks" in out) == (0, True)


# --- golden and judge-check -----------------------------------------------------------------------


def saved_labels(stored: Path, pack: Pack, path: Path, wrong: int = 0) -> int:
    """What the page saves when its rater finds all criteria met but the first ``wrong`` of them."""
    folder = RunFolder.open(stored)
    labels = [
        {"call_id": call_id, "criterion": criterion.id, "label": "met", "note": ""}
        for call_id in folder.call_ids()
        for criterion in pack.task(folder.record(call_id).key.task).criteria
    ]
    for entry in labels[:wrong]:
        entry["label"] = "not_met"
    stamp = run_stamp(folder.manifest().run_id)
    path.write_text(json.dumps({"version": 1, "run": stamp, "rater": "mb", "labels": labels}))
    return len(labels)


def test_the_page_is_blind_and_its_labels_are_taken_in(
    stored: Path, typed: Typed, pack: Pack, tmp_path: Path
) -> None:
    page = tmp_path / "grade.html"
    code, out, _ = typed("golden", stored, "--out", page)
    assert (code, "3 calls to grade blind" in out) == (0, True)
    data = page.read_text().split('id="data">')[1].split("</script>")[0]
    assert "reference" not in data
    assert RunFolder.open(stored).manifest().run_id not in page.read_text()
    assert typed("golden", stored, "--out", page)[0] == 2
    assert typed("golden", stored, "--out", page, "--force", "--json")[0] == 0
    assert typed("golden", stored)[0] == 2
    count = saved_labels(stored, pack, tmp_path / "labels.json", wrong=1)
    code, out, _ = typed("golden", stored, "--read", tmp_path / "labels.json", "--json")
    assert (code, json.loads(out)["taken"], json.loads(out)["calls"]) == (0, count, 3)
    typed("golden", stored, "--read", tmp_path / "labels.json")  # once more changes nothing
    lines = [json.loads(line) for line in (stored / "labels.jsonl").read_text().splitlines()]
    assert (len(lines), [line["label"] for line in lines].count("not_met")) == (count, 1)
    code, _, err = typed("golden", stored, "--read", page)
    assert (code, "not JSON" in err) == (3, True)


@attrs.define
class Checked:
    code: int
    rows: dict[str, dict[str, Any]]
    told: dict[str, Any]


@pytest.fixture
def check(stored: Path, typed: Typed, pack: Pack, tmp_path: Path) -> Callable[..., Checked]:
    def run(*arguments: str, wrong: int = 0) -> Checked:
        saved_labels(stored, pack, tmp_path / "labels.json", wrong)
        typed("golden", stored, "--read", tmp_path / "labels.json")
        code, out, _ = typed("judge-check", stored, "--json", *arguments)
        told = json.loads(out)
        return Checked(code, {row["name"]: row for row in told["rows"]}, told)

    return run


def test_a_judge_is_checked_against_each_bar(check: Callable[..., Checked], endpoint: Endpoint) -> None:
    found = check("--times", "2", "--swap", "openai-judge-2", wrong=1)
    assert found.code == 1
    assert found.told["thin"]
    assert found.told["notes"] == ["thin: 3 graded calls, a golden set has at least 50"]
    assert found.rows["false passes"]["value"] == 1
    assert found.rows["false passes"]["holds"] is False
    assert found.rows["self-consistency, same transcript x 2"]["value"] == 1
    assert found.rows["swap moves the task lane's pass rate"]["value"] == -1
    assert found.rows["swap moves the compliance lane's fact accuracy"]["holds"] is None
    assert len(endpoint.asked) == 9


def test_a_check_goes_on_where_it_was_stopped(check: Callable[..., Checked], endpoint: Endpoint) -> None:
    check("--times", "2")
    assert len(endpoint.asked) == 6
    check("--times", "3", "--resume")
    assert len(endpoint.asked) == 9


def test_labels_of_other_calls_are_refused(
    stored: Path, typed: Typed, tmp_path: Path, endpoint: Endpoint
) -> None:
    labels = tmp_path / "l.jsonl"
    labels.write_text('{"call_id":"x","criterion":"c","label":"met","rater":"r"}\n')
    code, _, err = typed("judge-check", stored, "--labels", labels)
    assert (code, "none of the labels is of a call in this folder" in err) == (2, True)
    code, _, err = typed("judge-check", stored)
    assert (code, f"have people grade its calls first (offhook golden {stored}" in err) == (2, True)
    code, _, err = typed("judge-check", stored, "--labels", tmp_path / "nope.jsonl")
    assert (code, "does not exist" in err) == (2, True)


@pytest.mark.parametrize("command", ["judge", "judge-check", "golden", "verify"])
def test_help_has_examples(command: str, typed: Typed) -> None:
    code, out, _ = typed(command, "--help")
    assert (code, f"offhook {command} " in out.split("Examples:")[1]) == (0, True)
