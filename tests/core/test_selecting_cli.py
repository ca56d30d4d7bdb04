"""``offhook select``: tables of candidates read and refused, results shown, frozen and checked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from offhook.cli import main
from offhook.host import PluginHost
from offhook.selecting import (
    CANDIDATE_COLUMNS,
    Candidate,
    CandidateTableError,
    read_candidates,
    read_selection,
)

HEADER = "layer,name,id,generally_available,runs_on,callable_as,streams,intelligence,first_token_s,note"
ROWS = (
    "llm,Alder 2,alder-2,yes,acme; other,acme=vendor/alder-2;other,no,31,0.9,",
    "llm,Birch Mini,birch-mini,yes,acme,acme,no,22,0.5,",
    "llm,Cedar (low),cedar-1,yes,acme,,no,40,0.8,account cap until 1 November",
    "llm,Dogwood,dogwood,no,acme,acme,no,28,0.7,",
    "llm,Elm (high),elm,yes,acme,acme,no,55,9.5,",
    "llm,Fir,fir,yes,acme,acme,no,,0.6,",
)
ASKED = ("--layer", "llm", "--platform", "acme", "--date", "2026-10-27")
MEASURED = ("--round-trip", "0.35", "--overhead", "0.9")

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Typed:
    def run(*words: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(["select", *(str(word) for word in words)])
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path / "c.csv", HEADER, *ROWS)


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


# --- the table --------------------------------------------------------------------------------------------


def test_a_row_becomes_a_candidate(table: Path) -> None:
    candidates = read_candidates(table).candidates
    assert candidates[0] == Candidate(
        "Alder 2",
        "alder-2",
        "llm",
        {"intelligence": 31.0, "first_token_s": 0.9},
        True,
        ("acme", "other"),
        {"acme": "vendor/alder-2", "other": "alder-2"},
        False,
    )
    assert candidates[2].callable_as == {}
    assert candidates[2].note == "account cap until 1 November"
    assert candidates[5].metrics == {"first_token_s": 0.6}


def test_a_spreadsheets_marks_and_blank_rows_are_passed_over(table: Path) -> None:
    plain = read_candidates(table)
    text = "\ufeff" + "\r\n".join([HEADER, "", ROWS[0], ",,,,,,,,,", *ROWS[1:], ""])
    table.write_bytes(text.encode())
    assert read_candidates(table).candidates == plain.candidates
    assert read_candidates(table).sha256 != plain.sha256


def with_cell(column: str, cell: str) -> str:
    """A good row with one cell changed."""
    cells = dict(zip(HEADER.split(","), ROWS[0].split(","), strict=True))
    return ",".join({**cells, column: cell}.values())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            (HEADER, ROWS[1], with_cell("first_token_s", "fast")),
            "row 3, column first_token_s: 'fast' is not a",
        ),
        (
            (HEADER, with_cell("intelligence", "inf")),
            "row 2, column intelligence: 'inf' is not a number from 0",
        ),
        (
            (HEADER, with_cell("intelligence", "-1")),
            "row 2, column intelligence: '-1' is not a number from 0",
        ),
        ((HEADER, with_cell("layer", "ear")), "row 2, column layer: 'ear' is none of stt, llm, tts"),
        ((HEADER, with_cell("id", "")), "row 2, column id: is empty"),
        ((HEADER, with_cell("streams", "maybe")), "row 2, column streams: 'maybe' is neither yes nor no"),
        ((HEADER, with_cell("generally_available", "")), "row 2, column generally_available: '' is neither"),
        ((HEADER, with_cell("runs_on", "acme;;x")), "row 2, column runs_on: 'acme;;x' has nothing between"),
        ((HEADER, with_cell("callable_as", "else")), "row 2, column callable_as: 'else' is not among"),
        ((HEADER, with_cell("callable_as", "acme=")), "row 2, column callable_as: 'acme=' has no identifier"),
        (
            (HEADER, with_cell("callable_as", "acme;acme=x")),
            "row 2, column callable_as: 'acme' is there twice",
        ),
        ((HEADER, with_cell("note", '"a\nb"')), "row 2, column note: 'a\\nb' holds a line break"),
        ((HEADER, ROWS[0], "", ROWS[0]), "row 4, column name: 'Alder 2' is in row 2 already"),
        ((HEADER, ROWS[0][:-1]), "row 2, column first_token_s: 9 cells, the header has 10"),
        ((HEADER, ROWS[0] + ",more"), "row 2, column note: 11 cells, the header has 10"),
        ((HEADER, '"llm'), "line 2: unexpected end of data"),
        ((HEADER + ",id",), "row 1, column id: is there twice"),
        ((HEADER + ",",), "row 1, column 11: has no name"),
        ((HEADER.replace("streams", "stream"),), "row 1, column streams: is missing ('stream' is close)"),
        ((HEADER,), "row 2: no candidate below the header"),
        ((), "row 1: no header; it begins with layer, name, id"),
    ],
)
def test_what_is_wrong_is_named_by_row_and_column(
    tmp_path: Path, typed: Typed, lines: tuple[str, ...], message: str
) -> None:
    path = written(tmp_path / "c.csv", *lines)
    with pytest.raises(CandidateTableError) as told:
        read_candidates(path)
    assert str(told.value).startswith(f"{path}: {message}")
    assert "\n" not in str(told.value)
    assert typed(path, *ASKED, *MEASURED) == (3, "", f"Error: {told.value}\n")


def test_a_file_that_is_not_there_or_not_utf8_is_named(tmp_path: Path) -> None:
    with pytest.raises(CandidateTableError, match=r"cannot read .*gone\.csv"):
        read_candidates(tmp_path / "gone.csv")
    latin = tmp_path / "latin.csv"
    latin.write_bytes(f"{HEADER}\n".encode() + "llm,Érable".encode("latin-1"))
    with pytest.raises(CandidateTableError, match=r"row 2: not UTF-8 text"):
        read_candidates(latin)


def test_the_help_names_every_column(typed: Typed) -> None:
    code, out, _ = typed("--help")
    assert code == 0
    assert [column for column in CANDIDATE_COLUMNS if column not in out] == []


# --- the result -------------------------------------------------------------------------------------------


def test_the_table_shows_scores_exclusions_and_the_choice(table: Path, typed: Typed) -> None:
    code, out, err = typed(table, *ASKED, *MEASURED)
    assert (code, err) == (0, "")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines() if line[:1] == "│"]
    assert rows == [
        ["Cedar (low)", "40", "0.8", "0.0000", "0.7500", "0.7500", "excluded"],
        ["Birch Mini", "22", "0.5", "1.0000", "0.0000", "1.0000", "frontier"],
        ["Dogwood", "28", "0.7", "0.6667", "0.5000", "1.1667", "excluded"],
        ["Alder 2", "31", "0.9", "0.5000", "1.0000", "1.5000", "frontier"],
    ]
    assert out.splitlines()[-9:] == [
        "a: intelligence, intelligence index; the highest is best",
        "b: first_token_s, time to the first token of the answer, seconds; the lowest is best",
        "ceiling: first token within 1.375 s = (4 - 0.35 - 0.9) / 2",
        "excluded: Cedar (low): no live call on acme took its exact identifier; "
        "note: account cap until 1 November (its sum is below the selected one's)",
        "excluded: Dogwood: not generally available",
        "excluded: Elm (high): first_token_s 9.5 is over the ceiling of 1.375",
        "excluded: Fir: no figure for intelligence",
        "rule: Birch Mini (birch-mini)",
        "runner-up: Alder 2 (vendor/alder-2)",
    ]


def test_a_frozen_result_is_checked_against_its_data(table: Path, typed: Typed, tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    assert typed(table, *ASKED, *MEASURED, "--out", out)[0] == 0
    assert typed(table, "--check", out) == (
        0,
        f"{out}: follows from {table}; rule: Birch Mini (birch-mini)\n",
        "",
    )
    moved = shutil.copy(table, tmp_path / "moved.csv")
    assert typed(moved, "--check", out)[0] == 0
    table.write_text(table.read_text().replace("22,0.5", "23,0.5"))
    code, printed, _ = typed(table, "--check", out)
    assert code == 1
    assert "the data are not those it was frozen with" in printed.splitlines()[0]
    assert "scored differs" in printed


def test_other_data_with_the_same_result_are_still_other_data(
    table: Path, typed: Typed, tmp_path: Path
) -> None:
    out = tmp_path / "s.json"
    typed(table, *ASKED, *MEASURED, "--out", out)
    written(table, HEADER, *reversed(ROWS))
    code, printed, _ = typed(table, "--check", out)
    assert code == 1
    assert len(printed.splitlines()) == 1


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("selected", {"name": "Alder 2", "id": "vendor/alder-2"}, "selected differs"),
        ("rule_version", "0", 'rule_version differs: frozen "0", now "1"'),
        ("exclusions", [], "exclusions differs"),
        (
            "ceiling",
            {"first_token_s": 9.9, "round_trip_s": 0.35, "overhead_s": 0.9, "zero_point_s": 4.0},
            "ceiling differs",
        ),
    ],
)
def test_a_result_that_was_altered_is_found(
    table: Path, typed: Typed, tmp_path: Path, field: str, value: object, told: str
) -> None:
    out = tmp_path / "s.json"
    typed(table, *ASKED, *MEASURED, "--out", out)
    out.write_text(json.dumps({**json.loads(out.read_text()), field: value}))
    code, printed, _ = typed(table, "--check", out)
    assert code == 1
    assert [line for line in printed.splitlines() if told in line]


def test_the_file_holds_what_the_rule_answered(table: Path, typed: Typed, tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    _, printed, err = typed(table, *ASKED, *MEASURED, "--out", out, "--json")
    assert printed == out.read_text()
    assert err == f"frozen in {out}\n"
    frozen = read_selection(out)
    assert frozen.data_sha256 == read_candidates(table).sha256
    assert (frozen.data_date, frozen.platform) == ("2026-10-27", "acme")
    assert frozen.ceiling is not None
    assert (frozen.ceiling.round_trip_s, frozen.ceiling.overhead_s) == (0.35, 0.9)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (("--bundled", "own-1", "--recommended", "alder-2", "https://x.example"), "bundled: own-1 (own-1)"),
        (("--recommended", "alder-2", "https://x.example"), "recommended: Alder 2 (alder-2)"),
        (("--flagship", "f1", "2026-01-01", "--flagship", "f2", "2026-02-01"), "flagship: f2 (f2)"),
    ],
)
def test_the_platforms_own_choice_goes_first_and_freezes(
    table: Path, typed: Typed, tmp_path: Path, words: tuple[str, ...], verdict: str
) -> None:
    out = tmp_path / "s.json"
    code, printed, _ = typed(table, *ASKED, *words, "--out", out)
    assert (code, printed) == (0, f"{verdict}\n")
    assert typed(table, "--check", out)[0] == 0


def test_none_left_exits_1_and_freezes_nothing(table: Path, typed: Typed, tmp_path: Path) -> None:
    out = tmp_path / "s.json"
    code, printed, err = typed(table, *ASKED, "--round-trip", "3", "--overhead", "0.9", "--out", out)
    assert code == 1
    assert printed.count("excluded: ") == len(ROWS)
    assert err == "no candidate is left to select\n"
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--layer", "llm"), "--platform, --date missing"),
        (ASKED, "layer llm has a ceiling"),
        ((*ASKED, "--round-trip", "0.3"), "--round-trip and --overhead go together"),
        ((*ASKED, "--round-trip", "3.5", "--overhead", "0.9"), "leave a model no time"),
        ((*ASKED[:3], "acmi", *ASKED[4:], *MEASURED), "'acmi'; nearest: acme"),
        ((*ASKED[:5], "27.10.2026", *MEASURED), "'27.10.2026' is not a day such as 2026-10-27"),
        ((*ASKED, *MEASURED, "--selector", "best"), "unknown model selector 'best'"),
        (("--check", "x.json", "--layer", "llm"), "leave out --layer"),
        (("--check", "x.json", "--flagship", "f", "2026-01-01"), "leave out --flagship"),
        (("--check", "x.json"), "--check x.json: there is no such file"),
        ((*ASKED, *MEASURED, "--out", "."), ". is a folder; name a file in it"),
        ((*ASKED, *MEASURED, "--out", "c.csv"), "c.csv is the table itself"),
    ],
)
def test_wrong_usage_is_one_line_and_exits_2(
    table: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(table.parent)
    before = table.read_bytes()
    code, out, err = typed("c.csv", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert table.read_bytes() == before


@pytest.mark.parametrize("text", ["{", "{}", '{"version": 2}', '{"version": 1}'])
def test_a_file_that_is_no_selection_is_one_line_and_exits_3(
    table: Path, typed: Typed, tmp_path: Path, text: str
) -> None:
    out = written(tmp_path / "s.json", text)
    code, _, err = typed(table, "--check", out)
    assert code == 3
    assert err.startswith(f"Error: {out}: ")
    assert len(err.splitlines()) == 1


def test_a_selector_that_breaks_is_named(table: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    """A host with a third party's selector in it, as a program that embeds the command would make."""
    from offhook.hooks import hookimpl

    @attrs.frozen
    class Careless:
        name: str = "careless"
        version: str = "1"

        def select(self, candidates: object, question: object) -> object:
            return None

    class Plugin:
        @hookimpl
        def offhook_model_selectors(self) -> list[Careless]:
            return [Careless()]

    host = PluginHost()
    assert host.register(Plugin(), name="careless", distribution="offhook-careless"), host.problems
    monkeypatch.setattr(PluginHost, "discover", lambda: host)
    code, _, err = typed(table, *ASKED, *MEASURED, "--selector", "careless")
    assert code == 3
    assert err == (
        "Error: model selector careless (offhook-careless) failed: "
        "TypeError: select returned a NoneType, expected a Selection\n"
    )


@pytest.mark.parametrize("figure", ["1_0", "٣", "３１"])
def test_a_figure_is_written_in_plain_digits(figure: str, tmp_path: Path) -> None:
    path = written(tmp_path / "c.csv", HEADER, f"llm,Alder,alder,yes,acme,acme,no,{figure},0.9,")
    with pytest.raises(CandidateTableError, match=r"row 2, column intelligence: .* is not a number"):
        read_candidates(path)


def test_the_result_never_takes_the_place_of_its_table(table: Path, typed: Typed) -> None:
    before = table.read_bytes()
    code, _, err = typed(table, *ASKED, *MEASURED, "--out", table, "--force")
    assert (code, table.read_bytes()) == (2, before)
    assert "is the table itself" in err
    kept = written(table.with_name("kept.json"), "kept")
    code, _, err = typed(table, *ASKED, *MEASURED, "--out", kept)
    assert (code, kept.read_text()) == (2, "kept\n")
    assert "kept.json is there already; add --force" in err


def test_a_table_that_is_not_there_is_a_slip(typed: Typed, tmp_path: Path) -> None:
    code, out, err = typed(tmp_path / "nope.csv", *ASKED, *MEASURED)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "nope.csv' does not exist" in err
