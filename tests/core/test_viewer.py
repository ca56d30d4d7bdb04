"""The viewer without a browser: what is found, served, refused and compared."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import httpx
import pytest

from offhook.cli import main
from offhook.drillrun import DrillOptions, carry_out_drills, new_drill_run, resume_drill_run
from offhook.host import PluginHost
from offhook.records import ComponentInfo, RunManifest
from offhook.report._html import html_page
from offhook.runner import summary_of
from offhook.scoring import RunSummary, pass_rate
from offhook.storage import RunFolder, to_json
from offhook.viewer import compare_runs, find_runs, is_loopback, share_difference, viewer_app
from tests.browser._world import MARKUP, fake_host, make_run
from tests.core._drill_stand import Repeat, Stand, stand_host

Run = tuple[RunManifest, RunSummary]


@pytest.fixture(scope="module")
def host() -> PluginHost:
    return fake_host()


@pytest.fixture(scope="module")
def made(host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``heard`` over sound, ``suite/claims`` over text and deeper down, and a damaged one."""
    root = tmp_path_factory.mktemp("made")
    make_run(host, root / "heard", tasks=("T4-E1",))
    tasks = ("T4-E1", "T4-H1")
    make_run(host, root / "suite" / "claims", tasks=tasks, platform="saboteur-claims-done", line="text")
    make_run(host, root / "suite" / "follows", tasks=tasks, line="text")
    (root / "bad").mkdir()
    (root / "bad" / "run.json").write_text('{"version": 7}')
    return root


@pytest.fixture
def root(made: Path, tmp_path: Path) -> Path:
    """A copy that a test may change."""
    return shutil.copytree(made, tmp_path / "runs")


def _get(
    root: Path,
    host: PluginHost,
    address: str,
    headers: Mapping[str, str] | None = None,
    *,
    base: str = "http://127.0.0.1:8000",
    local_only: bool = True,
) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(viewer_app(root, host, local_only=local_only))
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.get(address, headers=headers)

    return asyncio.run(ask())


def _data(page: httpx.Response) -> dict[str, Any]:
    text = page.text.split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0]
    data: dict[str, Any] = json.loads(text)
    return data


def _rows(root: Path, host: PluginHost) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in _data(_get(root, host, "/"))["runs"]}


# --- the list ---


def test_runs_are_found_two_levels_down_and_no_deeper(root: Path) -> None:
    shutil.copytree(root / "heard", root / "a" / "b" / "c")
    shutil.copytree(root / "heard", root / "heard" / "inner")
    shutil.copytree(root / "heard", root / ".hidden")
    assert [run.name for run in find_runs(root)] == ["bad", "heard", "suite/claims", "suite/follows"]
    (own,) = find_runs(root / "heard")
    assert own.name == "heard"
    assert find_runs(root / "nowhere") == ()


def test_a_row_says_what_a_run_came_to(root: Path, host: PluginHost) -> None:
    rows = _rows(root, host)
    claims = rows["suite/claims"]
    assert claims["saboteur"] is True
    assert claims["counts"] | {"voided_attempts": 0} == {
        "planned": 2, "ran": 2, "graded": 2, "passed": 1, "void": 0, "error": 0, "missing": 0,
        "voided_attempts": 0,
    }  # fmt: skip
    assert claims["score"] == {"points": 40.0, "out_of": 80.0}
    assert claims["rate"]["low"] == pytest.approx(0.0945, abs=1e-4)
    assert rows["heard"]["harness_reference"] is True


def test_a_damaged_run_is_one_line_and_the_rest_is_listed(root: Path, host: PluginHost) -> None:
    grade = next((root / "heard" / "grades" / "hearing").rglob("*.json"))
    data = json.loads(grade.read_text())
    grade.write_text(json.dumps({**data, "numbers": {}}))
    rows = _rows(root, host)
    assert "$.version is 7" in rows["bad"]["broken"]
    assert rows["heard"]["broken"].startswith("KeyError")
    assert "broken" not in rows["suite/claims"]
    assert _get(root, host, "/run?name=bad").status_code == 422
    assert "$.version is 7" in _data(_get(root, host, "/compare?a=bad&b=heard"))["message"]


def test_a_run_is_read_again_when_it_has_grown(root: Path, host: PluginHost) -> None:
    async def counts() -> list[int]:
        transport = httpx.ASGITransport(viewer_app(root, host))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            seen = []
            folder = RunFolder(root / "suite" / "claims")
            first = folder.call_folder(folder.call_ids()[0])
            for move in (
                lambda: None,
                lambda: first.rename(root / "aside"),
                lambda: (root / "aside").rename(first),
            ):
                move()
                page = _data(await client.get("/"))
                (row,) = [row for row in page["runs"] if row["name"] == "suite/claims"]
                report = _data(await client.get("/run?name=suite/claims"))
                assert len(report["calls"]) == row["counts"]["graded"]
                seen.append(row["counts"]["graded"])
            return seen

    assert asyncio.run(counts()) == [2, 1, 2]


def test_an_emptied_folder_is_an_empty_list(tmp_path: Path, host: PluginHost) -> None:
    assert _data(_get(tmp_path / "gone", host, "/"))["runs"] == []


def test_drill_runs_are_listed_with_their_mean_mark(root: Path, host: PluginHost) -> None:
    drills = (Repeat("first"), Repeat("second"))
    drilled = new_drill_run(
        DrillOptions("obedient", root / "drilled", runs=2), stand_host(Stand(drills=drills))
    )
    summary = carry_out_drills(drilled, stop=threading.Event())
    row = _rows(root, host)["drilled"]
    assert row["kind"] == "drills"
    assert row["mean"] == summary.mean == 100.0
    assert (row["platform"], row["drills"], row["runs"]) == ("obedient", 2, 2)
    assert row["counts"] == {"measured": 4}
    assert _get(root, host, "/run?name=drilled").status_code == 404, "it is no run of calls"
    assert _get(root, host, "/drills?name=../runs/drilled").status_code == 404
    (root / "drilled" / "drills.json").write_text("{}")
    assert "$.version" in _rows(root, host)["drilled"]["broken"]
    assert _get(root, host, "/drills?name=drilled").status_code == 422


def test_a_drill_run_s_page_is_drawn_afresh(tmp_path: Path, host: PluginHost) -> None:
    stand = Stand(drills=(Repeat("first"), Repeat("second")))
    drilled = new_drill_run(DrillOptions("obedient", tmp_path / "drilled"), stand_host(stand))
    one = threading.Event()
    carry_out_drills(drilled, stop=one, on_done=lambda _: one.set())
    (tmp_path / "drilled" / "drills.html").write_text("somebody's own page")

    def states() -> list[str]:
        shown = _data(_get(tmp_path, host, "/drills?name=drilled"))
        assert shown["home"] == "./"
        assert shown["drills"][0]["sound"].startswith("data:audio/ogg;base64,")
        return [drill["state"] for drill in shown["drills"]]

    assert states() == ["measured", "missing"]
    again = resume_drill_run(tmp_path / "drilled", stand_host(stand))
    carry_out_drills(again, stop=threading.Event())
    assert states() == ["measured", "measured"]


# --- reports and sound ---


def test_a_report_names_the_place_of_its_sound(root: Path, host: PluginHost) -> None:
    data = _data(_get(root, host, "/run?name=heard"))
    (call,) = data["calls"]
    assert data["home"] == "./"
    assert call["sound"]["source"] == f"sound?run=heard&call={call['id']}"
    whole = _get(root, host, "/" + call["sound"]["source"])
    assert (whole.status_code, whole.headers["content-type"]) == (200, "audio/ogg")
    assert whole.content[:4] == b"OggS"
    assert whole.headers["x-content-type-options"] == "nosniff"
    part = _get(root, host, "/" + call["sound"]["source"], {"Range": "bytes=100-199"})
    assert part.status_code == 206
    assert part.headers["content-range"] == f"bytes 100-199/{len(whole.content)}"
    assert part.content == whole.content[100:200]


def test_sound_of_a_run_that_cannot_be_written_is_kept_elsewhere(
    root: Path, host: PluginHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OFFHOOK_CACHE", str(tmp_path / "cache"))
    (root / "heard" / "derived").write_text("a file, so no folder can be made here")
    (call_id,) = RunFolder(root / "heard").call_ids()
    assert _get(root, host, f"/sound?run=heard&call={call_id}").status_code == 200
    (kept,) = (tmp_path / "cache" / "sounds").iterdir()
    assert kept.suffix == ".opus"


def test_damaged_sound_is_one_line(root: Path, host: PluginHost) -> None:
    (call_id,) = RunFolder(root / "heard").call_ids()
    (root / "heard" / "calls" / call_id / "recording.flac").write_bytes(b"fLaC and no more")
    answer = _get(root, host, f"/sound?run=heard&call={call_id}")
    assert answer.status_code == 422
    assert "recording.flac" in _data(answer)["message"]
    (call,) = _data(_get(root, host, "/run?name=heard"))["calls"]
    assert call["sound"] is None
    assert any("recording.flac" in line for line in call["errors"])


OUTSIDE = [
    "../secret",
    "..%2Fsecret",
    "%2e%2e%2fsecret",
    "%2e%2e/secret",
    "heard/../../secret",
    "suite/..%2f..%2fsecret",
    "..%5csecret",
    "%252e%252e%252fsecret",
    "{secret}",
    "%00",
    "heard%00",
    "",
    ".",
    "./heard",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_outside_can_be_reached(root: Path, host: PluginHost, name: str) -> None:
    secret = root.parent / "secret"
    shutil.copytree(root / "heard", secret)
    (secret / "run.json").write_text(
        (secret / "run.json").read_text().replace('"reference"', '"kept-secret"')
    )
    (call_id,) = RunFolder(secret).call_ids()
    asked = name.replace("{secret}", str(secret))
    for address in (
        f"/run?name={asked}",
        f"/compare?a=heard&b={asked}",
        f"/sound?run={asked}&call={call_id}",
        f"/sound?run=heard&call={asked}",
        f"/sound?run=heard&call=..%2F..%2F..%2Fsecret%2Fcalls%2F{call_id}",
        f"/{asked}/run.json" if asked else "/run.json",
        f"/run/{asked}",
    ):
        answer = _get(root, host, address)
        assert answer.status_code == 404, address
        assert "kept-secret" not in answer.text


# --- who may ask ---


@pytest.mark.parametrize("name", ["127.0.0.1:8000", "localhost:1", "LOCALHOST", "[::1]:8000"])
def test_this_machine_s_names_are_answered(root: Path, host: PluginHost, name: str) -> None:
    assert _get(root, host, "/", {"Host": name}).status_code == 200


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "10.0.0.8", ""]
)
def test_another_name_is_refused(root: Path, host: PluginHost, name: str) -> None:
    for address in ("/", "/run?name=heard"):
        answer = _get(root, host, address, {"Host": name})
        assert answer.status_code == 400
        assert "heard" not in answer.text
    assert _get(root, host, "/", {"Host": "bench.example"}, local_only=False).status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(root: Path, host: PluginHost, method: str) -> None:
    async def ask() -> int:
        transport = httpx.ASGITransport(viewer_app(root, host))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return (await client.request(method, "/run?name=heard")).status_code

    assert asyncio.run(ask()) == 405


def test_only_loopback_counts_as_this_machine() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "127.8.0.1", "::1", "localhost")] == [True] * 4
    assert [is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.4", "box")] == [False] * 4


# --- the page ---


def test_words_that_look_like_a_slot_stay_words() -> None:
    page = html_page(title="/*DATA*/ /*SCRIPT*/", kind="runs", data={"a": "/*STYLE*/ \ud800"}, script="//")
    assert "<title>/*DATA*/ /*SCRIPT*/ </title>".replace(" <", "<") in page
    assert '{"a":"/*STYLE*/ \ufffd"}' in page


def test_markup_in_a_manifest_is_escaped(root: Path, host: PluginHost) -> None:
    path = root / "heard" / "run.json"
    manifest = RunFolder(root / "heard").manifest()
    path.write_text(to_json(attrs.evolve(manifest, run_id=MARKUP)))
    for address in ("/", "/run?name=heard", "/compare?a=heard&b=heard"):
        page = _get(root, host, address)
        assert page.status_code == 200
        assert "<img" not in page.text


# --- two runs ---


@pytest.fixture(scope="module")
def pair(made: Path, host: PluginHost) -> tuple[Run, Run]:
    folders = [RunFolder(made / "suite" / name) for name in ("follows", "claims")]
    a, b = ((folder.manifest(), summary_of(folder, host)) for folder in folders)
    return a, b


def _warnings(a: Run, b: Run, **versions: Mapping[str, tuple[str, ...]]) -> str:
    given = {"a_versions": {"wer": ("1",)}, "b_versions": {"wer": ("1",)}, **versions}
    return "\n".join(compare_runs(a, b, **given).warnings)


def test_what_broke_stands_first(pair: tuple[Run, Run]) -> None:
    a, b = pair
    forth = compare_runs(a, b, a_versions={}, b_versions={})
    assert [(change.kind, change.task) for change in forth.changes] == [
        ("passed → failed", "T4-H1"),
        ("same", "T4-E1"),
    ]
    states = {result.record.call_id: result.state for result in b[1].calls}
    assert states[forth.changes[0].b_call] == "failed"
    back = compare_runs(b, a, a_versions={}, b_versions={})
    assert back.changes[0].kind == "failed → passed"
    assert forth.difference
    assert back.difference
    assert forth.difference.share == -back.difference.share == -0.5
    assert forth.difference.low == pytest.approx(-back.difference.high)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ((3, 3), (0, 3), "passed → failed"),
        ((3, 3), (2, 3), "passes less often"),
        ((2, 3), (0, 3), "passes less often"),
        ((2, 2), (0, 0), "graded → not graded"),
        ((0, 3), (3, 3), "failed → passed"),
        ((0, 3), (1, 3), "passes more often"),
        ((0, 0), (1, 2), "not graded → graded"),
        ((1, 2), (2, 4), "same"),
        ((0, 0), (0, 0), "same"),
        ((1, 1), None, "only in A"),
        (None, (1, 1), "only in B"),
    ],
)
def test_every_kind_of_change(
    pair: tuple[Run, Run], before: tuple[int, int] | None, after: tuple[int, int] | None, kind: str
) -> None:
    (manifest, summary), _ = pair
    row = summary.tasks[0]

    def with_counts(counts: tuple[int, int] | None) -> Run:
        rows = () if counts is None else (attrs.evolve(row, passes=counts[0], graded=counts[1]),)
        return manifest, attrs.evolve(summary, tasks=rows)

    (change,) = compare_runs(with_counts(before), with_counts(after), a_versions={}, b_versions={}).changes
    assert change.kind == kind


def test_equal_runs_raise_no_warning(pair: tuple[Run, Run]) -> None:
    assert _warnings(pair[0], pair[0]) == ""
    assert _warnings(*pair) == "", "another platform is what a comparison is for"


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"tasks": ("customer-support/T4-E1",)}, "Different tasks: customer-support/T4-H1 only in A."),
        ({"line": "audio"}, "Different line: A text, B audio."),
        ({"audio": ("clean", "babble")}, "Different audio conditions: A clean, B clean, babble."),
        ({"runs": 5}, "Different number of runs per task: A 1, B 5."),
        ({"seed": 9}, "Different seed: A 1, B 9."),
        ({"caller": "openai"}, "Different caller: A scripted, B openai."),
        ({"agents": {"customer-support": "0"}}, "Different agent instructions: customer-support changed"),
        ({"packs": {"customer-support": "0"}}, "Different content of pack: customer-support changed"),
        ({"engines": {"ears": "own"}}, "ears: A whisper-tiny, B own"),
        (
            {"components": (ComponentInfo("caller:scripted", "offhook", "9"),)},
            "Different versions: caller:scripted: A offhook 0.1.0, B offhook 9.",
        ),
    ],
)
def test_what_makes_runs_incomparable_is_said(
    pair: tuple[Run, Run], changed: Mapping[str, Any], says: str
) -> None:
    manifest, summary = pair[0]
    components = tuple(attrs.evolve(c, version="0.1.0") for c in manifest.components)
    manifest = attrs.evolve(manifest, components=components)
    assert says in _warnings((manifest, summary), (attrs.evolve(manifest, **changed), summary))


def test_other_grader_versions_maxima_and_open_calls_are_said(pair: tuple[Run, Run]) -> None:
    manifest, summary = pair[0]
    said = _warnings(pair[0], pair[0], b_versions={"wer": ("2",)})
    assert "Different grader versions: wer: A 1, B 2." in said
    score = attrs.evolve(summary.score, out_of=100.0)
    late = attrs.evolve(summary.kept_up, calls=2, late=1)
    other = (manifest, attrs.evolve(summary, score=score, missing=1, kept_up=late))
    said = _warnings(pair[0], other)
    assert "Latency of B is unreliable in 1 of 2 calls" in said
    assert "A is scored out of 80, B out of 100" in said
    assert "B is not complete: 1 of 2 calls not placed." in said


@pytest.mark.parametrize(
    ("b", "a", "low", "high"),
    [  # the examples of Newcombe's paper, table II, method 10
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_the_interval_is_newcombe_s(a: tuple[int, int], b: tuple[int, int], low: float, high: float) -> None:
    found = share_difference(pass_rate(*a), pass_rate(*b))
    assert found
    assert found.share == pytest.approx(b[0] / b[1] - a[0] / a[1])
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


def test_no_graded_call_no_difference() -> None:
    assert share_difference(None, pass_rate(1, 2)) is None


# --- the command ---


def test_a_folder_without_runs_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, says in ((tmp_path / "gone", "there is no folder"), (tmp_path, "no run in")):
        with pytest.raises(SystemExit) as stopped:
            main(["view", str(folder)])
        assert stopped.value.code == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert says in line
        assert "offhook demo" in line


def test_a_port_in_use_is_one_line(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with pytest.raises(SystemExit) as stopped:
            main(["view", str(made), "--port", port])
    assert stopped.value.code == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert f"port {port}" in line
    assert "--port" in line


def test_the_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["view", "--help"])
    assert "offhook view runs --open" in capsys.readouterr().out


def test_it_serves_until_ctrl_c(made: Path) -> None:
    command = [str(Path(sys.executable).with_name("offhook")), "view", str(made)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stderr
        line = server.stdout.readline()
        assert line.startswith("Serving 4 runs of ")
        with httpx.Client(base_url=line.split()[-1]) as client:  # its connection stays open
            assert client.get("/").status_code == 200
            assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
        assert server.stderr.read() == "Ctrl-C ends it.\n"
