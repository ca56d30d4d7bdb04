"""``offhook scorecard`` and ``offhook compare`` on real calls, from the command line to the page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from offhook.cli import main
from offhook.cli.scorecard import scorecard
from offhook.grading import Grade, GradeKind, Outcome
from offhook.judging import Subject, Verdict
from offhook.storage import RunFolder
from tests.core.scorecard._built import ruling

TASKS = ("T4-E1", "T4-M2", "T4-H1")


def typed(*words: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two real runs on the text line: the reference, and a saboteur that claims what it did not do."""
    root = tmp_path_factory.mktemp("cards")
    for name, platform in (("plain", "reference"), ("claims", "saboteur-claims-done")):
        code = typed(
            "run", *TASKS, "--line", "text", "--runs", 2, "--platform", platform, "--out", root / name
        )
        assert code == 0
    return root


@pytest.fixture
def copied(runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(runs, tmp_path / "runs")
    return tmp_path / "runs"


def test_all_cards_of_a_real_run(runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    capsys.readouterr()
    assert typed("scorecard", runs / "claims", "--html", tmp_path / "new" / "card.html") == 0
    shown = capsys.readouterr().out

    assert "claims (saboteur-claims-done), draft: 6 calls planned, 6 ran, 6 graded" in shown
    assert "67% (4 of 6" in shown
    assert "not measured (a text line has no waits)" in shown
    assert "not measured (no call was judged for it)" in shown
    assert "53.3" in shown  # 80 x 4/6
    assert "0 not placed" in shown
    assert "saboteur-claims-done does one thing wrong on purpose" in shown
    assert "shows that the harness works" not in shown
    assert "points between" not in shown
    assert "verdict agreement: 100% over 3 tasks" in shown
    page = (tmp_path / "new" / "card.html").read_text(encoding="utf-8")
    assert "Wilson, clustered by task" in page


def test_the_exam_of_a_real_run(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert typed("scorecard", "--report", runs / "claims", "--exam") == 0
    shown = capsys.readouterr().out

    assert "66.7%" in shown
    assert "0 calls excluded" in shown
    assert "objective met" in shown
    assert "pass^2 67% (2 of 3 tasks always, 0 mixed, 1 never)" in shown
    assert "agent barge-ins per 100 calls: not measured" in shown


def test_json_has_every_card(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert typed("scorecard", runs / "plain", "--json") == 0
    data = json.loads(capsys.readouterr().out)

    assert data["platform"]["stamp"] == "draft"
    assert data["lanes"]["task"]["rate"]["passes"] == 6
    assert data["lanes"]["rules"]["task_calls"] == 5
    assert data["exam"]["completion"]["share"] == 1.0


def test_a_wrong_verdict_is_left_out_of_the_exam(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_id = next(
        record.call_id
        for record in map(RunFolder(runs / "claims").record, RunFolder(runs / "claims").call_ids())
        if record.key.task == "T4-H1"
    )
    capsys.readouterr()
    assert typed("scorecard", runs / "claims", "--json", "--wrong-verdict", call_id) == 0
    exam = json.loads(capsys.readouterr().out)["exam"]

    assert (exam["completion"]["passes"], exam["completion"]["n"]) == (4, 5)


def test_a_verdict_that_an_audit_calls_wrong_is_left_out_too(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder(copied / "plain")
    first, second = folder.call_ids()[:2]

    def form(reviewer: str, **answers: str) -> None:
        found = [{"call_id": c, "cause": 0, "verdict": v, "note": ""} for c, v in answers.items()]
        review = {"version": 1, "run_id": "plain", "sample": "x", "reviewer": reviewer, "answers": found}
        (folder.path / "reviews").mkdir(exist_ok=True)
        (folder.path / "reviews" / f"{reviewer}.json").write_text(json.dumps(review))

    form("ann", **{first: "wrong", second: "wrong"})
    form("bob", **{second: "right"})
    capsys.readouterr()
    assert typed("scorecard", folder.path, "--json") == 0
    exclusions = json.loads(capsys.readouterr().out)["exam"]["exclusions"]

    assert dict(exclusions["kinds"])["confirmed wrong verdict"] == 1
    assert exclusions["passing"] == 1


def test_a_damaged_call_is_named_and_the_others_stand(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder(copied / "plain")
    first, second = folder.call_ids()[:2]
    (folder.call_folder(first) / "record.json").write_text("{")
    (folder.call_folder(second) / "tools.jsonl").unlink()
    capsys.readouterr()
    assert typed("scorecard", folder.path, "--json") == 1
    said = capsys.readouterr()
    data = json.loads(said.out)

    assert f"damaged call {first}: " in said.err
    assert f"damaged call {second}: cannot read" in said.err
    assert data["lanes"]["task"]["rate"]["n"] == 5
    assert dict(data["exam"]["exclusions"]["kinds"])["lost session"] == 1
    assert data["exam"]["containment"]["n"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name one run, as RUN or with --report"),
        (("{runs}/plain", "--report", "{runs}/plain"), "name one run"),
        (("{runs}/nowhere",), "holds no run"),
        (("{runs}/plain", "--judge", "nobody"), "no call has a verdict of 'nobody'; there are: "),
        (("{runs}/plain", "--wrong-verdict", "x"), "holds no call x"),
    ],
)
def test_wrong_use_is_one_line(
    words: tuple[str, ...], said: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert typed("scorecard", *(word.format(runs=runs) for word in words)) == 2
    error = capsys.readouterr().err

    assert said in error
    assert len(error.splitlines()) == 1


def test_a_judges_grades_make_the_lanes(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A real verifier's place: whoever has grades under the installed name may be named."""
    folder = RunFolder(copied / "plain")
    claims = {"rulings": [ruling(Subject.FACT, Verdict.ACCURATE)] * 2}
    for number, call_id in enumerate(folder.call_ids()):
        outcome = Outcome.FAIL if number == 0 else Outcome.PASS
        folder.write_grades(
            call_id,
            [Grade("hearing", _version("hearing"), GradeKind.FINDING, call_id, outcome, "", {}, claims)],
        )
    capsys.readouterr()
    assert typed("scorecard", folder.path, "--judge", "hearing", "--json") == 0
    lanes = json.loads(capsys.readouterr().out)["lanes"]

    assert (lanes["task"]["passed"], lanes["task"]["failed"]) == (5, 1)
    assert (lanes["compliance"]["status"], lanes["compliance"]["n"]) == ("measured", 12)


def _version(grader: str) -> str:
    from offhook.host import PluginHost

    return PluginHost.discover().grade_versions()[grader]


# --- verify ---


def test_verify_says_what_is_broken_in_the_words_of_its_table(
    copied: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OFFHOOK_VERIFIER_MODEL", raising=False)
    capsys.readouterr()
    assert typed("verify", copied / "claims") == 0
    said = capsys.readouterr()

    assert "account changes" in said.out
    assert said.err.count("12 of 13 checks hold; broken: account changes (effects)  [") == 2
    assert typed("verify", copied / "claims", "--agree", "code-verifier", "llm-verifier") == 2
    error = capsys.readouterr().err
    assert "holds nothing decided by llm-verifier (no model set); run " in error
    assert "no-model" not in error


# --- compare ---


def test_two_real_runs_beside_each_other(
    runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    capsys.readouterr()
    page = tmp_path / "both.html"
    assert typed("compare", runs / "plain", runs / "claims", "--html", page) == 0
    shown = capsys.readouterr().out

    assert "claims: saboteur-claims-done does one thing wrong on purpose" in shown
    assert "plain: a harness reference: it shows that the harness works" in shown
    assert "overlap, as in the published reading" in " ".join(shown.split())
    assert "is sharper than a tie" in shown
    assert "scenario" not in shown
    assert "claims against plain: -33 points (95% interval" in shown
    assert "Crosswalk: 1 of 3 rows changed" in shown
    assert "customer-support/T4-H1" in shown
    assert "passes less often" in shown
    assert "tasks solved by all runs 2, by one 1, by none 0" in shown
    assert "passes less often" in page.read_text(encoding="utf-8")


def test_runs_that_differ_in_tasks_are_refused_unless_one_insists(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("run", "T4-E1", "--line", "text", "--out", tmp_path / "one") == 0
    capsys.readouterr()
    assert typed("compare", runs / "plain", tmp_path / "one") == 2
    refused = capsys.readouterr()
    assert "not comparable: plain and one: tasks: " in refused.err
    assert "--anyway" in refused.err
    assert refused.out == ""
    assert typed("compare", runs / "plain", tmp_path / "one", "--anyway", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert data["comparable"] is False
    assert data["against"][0]["difference"]["tasks"] == ["customer-support/T4-E1"]


def test_a_run_against_itself_is_told_apart_by_its_path(
    copied: Path, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert typed("compare", runs / "plain", copied / "plain", "--json") == 0
    data = json.loads(capsys.readouterr().out)

    assert data["runs"] == [str(runs / "plain"), str(copied / "plain")]
    assert data["against"][0]["difference"]["value"] == 0
    assert data["crosswalk"]["changed"] == 0


@pytest.mark.parametrize(
    ("words", "said"), [(("plain",), "at least two runs"), (("plain", "plain"), "named twice")]
)
def test_a_comparison_needs_two_runs(
    words: tuple[str, ...], said: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert typed("compare", *(runs / word for word in words)) == 2
    assert said in capsys.readouterr().err


def test_a_run_named_by_two_paths_is_one_run(
    runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "alias").symlink_to(runs / "plain")
    capsys.readouterr()
    assert typed("compare", runs / "plain", tmp_path / "alias") == 2
    assert "named twice" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["run.json", "calls/page.html", "grades/page.html"])
def test_no_page_is_written_over_the_run(part: str, copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = copied / "plain"
    before = (run / "run.json").read_bytes()
    capsys.readouterr()
    assert typed("scorecard", run, "--html", run / part) == 2
    assert "is a part of the run" in capsys.readouterr().err
    assert typed("compare", copied / "claims", run, "--html", run / part) == 2
    assert "is a part of the run" in capsys.readouterr().err
    assert (run / "run.json").read_bytes() == before
    assert not (run / "calls" / "page.html").exists()


@pytest.mark.parametrize("grader", ["latency", "attribution", "failure-filing"])
def test_who_only_measures_or_explains_is_no_judge(
    grader: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert typed("scorecard", runs / "claims", "--judge", grader) == 2
    assert f"no call has a verdict of '{grader}'" in capsys.readouterr().err
    assert typed("compare", runs / "plain", runs / "claims", "--judge", grader) == 2
    assert "it has: state-adherence, tool-adherence" in capsys.readouterr().err


def test_a_hostile_name_does_not_steer_the_terminal(copied: Path) -> None:
    path = copied / "plain" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "platform": "evil\x1b[2J\nname"}))
    shown = CliRunner().invoke(scorecard, [str(copied / "plain")], color=True, catch_exceptions=False).output
    assert "plain (evil\\x1b[2J name), draft" in shown
    assert "\x1b" not in shown
