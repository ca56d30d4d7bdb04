"""``offhook measure`` on files of every kind, good and bad."""

from __future__ import annotations

import json
import os
import re
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray

from offhook.audio import LINE_RATE, Clip
from offhook.cli import main
from offhook.testing import noise, speechlike
from offhook_graders.timing.measure import PARTS, measure_recording
from offhook_graders.timing.measure_view import clock, lanes_of
from offhook_graders.timing.recording import RecordingError, Stereo, read_stereo

CALLER = ((1.0, 2.5), (7.0, 9.0), (14.0, 15.0))
AGENT = ((3.3, 5.0), (7.6, 8.0), (10.0, 13.0))


@attrs.frozen
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.out)
        return data


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    monkeypatch.setenv("COLUMNS", "120")

    def call(*arguments: str | Path) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main(["measure", *map(str, arguments)])
        captured = capsys.readouterr()
        return Ran(int(ended.value.code or 0), captured.out, captured.err)

    return call


@pytest.fixture(scope="module")
def dialogue() -> NDArray[np.int16]:
    stereo = np.zeros((20 * LINE_RATE, 2), dtype=np.int16)
    for side, spans in enumerate((CALLER, AGENT)):
        for seed, (start, end) in enumerate(spans):
            sound = speechlike(end - start, 10 * side + seed).samples
            stereo[round(start * LINE_RATE) :][: len(sound), side] = sound
    return stereo


@pytest.fixture
def wav(dialogue: NDArray[np.int16], tmp_path: Path) -> Path:
    soundfile.write(tmp_path / "call.wav", dialogue, LINE_RATE)
    return tmp_path / "call.wav"


def test_json_holds_every_figure_and_turn(run: Callable[..., Ran], wav: Path) -> None:
    ran = run(wav, "--json")

    assert (ran.code, ran.err) == (0, "")
    found = ran.json
    assert [turn["start_s"] for turn in found["talk"]["caller_turns"]] == [1.0, 7.0, 14.0]
    ours = [wait["latency_s"] for wait in found["waits"]["ours"]]
    assert ours == [pytest.approx(0.8, abs=0.003), pytest.approx(1.0, abs=0.003), None]
    assert found["numbers"]["dead_air"] == 0
    assert found["talk"]["backchannels"] == [[pytest.approx(7.6, abs=0.01), pytest.approx(8.0, abs=0.01)]]
    assert found["numbers"]["unanswered_turns"] == 1  # five seconds after the last turn nobody has answered
    assert found["timing_bound_ms"] == {"published": 120.0, "ours": 24.0}
    assert found["not_measured"] == {}


def test_tables_and_lanes_for_people(run: Callable[..., Ran], wav: Path) -> None:
    ran = run(wav)

    assert ran.code == 0
    for told in (
        "call.wav: 0:20.00 at 24000 Hz",
        "published rule",
        "p95 / p50",
        "over 10 s",
        "1 of 3 caller",
    ):
        assert told in ran.out
    lanes = [line for line in ran.out.splitlines() if re.match(r"(caller|agent) +[ ░▒▓█]+$", line)]
    assert len(lanes) >= 2


@pytest.mark.parametrize("name", ["call.flac", "call.ogg", "call.mp3", "call.aiff"])
def test_other_formats_say_the_same(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, name: str
) -> None:
    # As floats: the MP3 encoder makes noise of 16-bit samples.
    soundfile.write(tmp_path / name, dialogue / 32768, LINE_RATE)

    waits = run(tmp_path / name, "--json").json["waits"]["ours"]

    # A lossy codec smears an onset over one of its blocks.
    assert [wait["latency_s"] for wait in waits[:2]] == [
        pytest.approx(0.8, abs=0.04),
        pytest.approx(1.0, abs=0.04),
    ]


@pytest.mark.parametrize("rate", [8_000, 44_100, 96_000])
def test_other_rates_say_the_same(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, rate: int
) -> None:
    sides = [Clip(np.ascontiguousarray(dialogue[:, side])).at_rate(rate).samples for side in (0, 1)]
    soundfile.write(tmp_path / "call.wav", np.stack(sides, axis=1), rate)

    waits = run(tmp_path / "call.wav", "--json").json["waits"]["ours"]

    assert [wait["latency_s"] for wait in waits[:2]] == [
        pytest.approx(0.8, abs=0.01),
        pytest.approx(1.0, abs=0.01),
    ]


def test_swap_exchanges_the_sides(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path
) -> None:
    soundfile.write(tmp_path / "call.wav", dialogue[:, ::-1], LINE_RATE)

    found = run(tmp_path / "call.wav", "--swap", "--json").json

    assert [turn["start_s"] for turn in found["talk"]["caller_turns"]] == [1.0, 7.0, 14.0]


def test_a_page_that_loads_nothing(run: Callable[..., Ran], wav: Path, tmp_path: Path) -> None:
    page = tmp_path / "call.html"

    assert run(wav, "--html", page).code == 0

    text = page.read_text(encoding="utf-8")
    assert text.count('class="caller"') == len(CALLER)
    assert text.count('class="agent"') == len(AGENT)
    assert not re.search(r"(src|href)=|https?://(?!www\.w3)|<script", text)
    again = run(wav, "--html", page)
    assert (again.code, "add --force" in again.err) == (2, True)
    assert run(wav, "--html", page, "--force").code == 0


def test_a_name_is_no_markup(run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path) -> None:
    soundfile.write(tmp_path / "<b>[red]x.wav", dialogue, LINE_RATE)

    ran = run(tmp_path / "<b>[red]x.wav", "--html", tmp_path / "x.html")

    assert "<b>[red]x.wav" in ran.out
    assert "<b>[red]" not in (tmp_path / "x.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_may_be_no_text(run: Callable[..., Ran], wav: Path, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"caf\xe9\n\x1b[31m.wav")
    wav.rename(odd)

    ran = run(odd, "--html", tmp_path / "x.html")

    assert (ran.code, ran.out.splitlines()[0]) == (0, "caf\ufffd\ufffd\ufffd[31m.wav: 0:20.00 at 24000 Hz")
    assert "<h1>caf\ufffd\ufffd\ufffd[31m.wav</h1>" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert run(odd, "--json").json["file"].endswith("caf\ufffd\n\x1b[31m.wav")
    odd.write_bytes(b"")
    assert "\x1b" not in refused(run(odd))


# --- what can't be measured ---


def refused(ran: Ran) -> str:
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Error: ")
    assert ran.err.count("\n") == 1
    return ran.err


@pytest.mark.parametrize(
    ("content", "why"), [(b"", "the file is empty"), (b"hello, this is text", "can't be read as audio")]
)
def test_files_that_hold_no_sound(run: Callable[..., Ran], tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "call.wav").write_bytes(content)

    assert why in refused(run(tmp_path / "call.wav"))


def test_files_that_are_not_there(run: Callable[..., Ran], tmp_path: Path) -> None:
    assert "no such file" in refused(run(tmp_path / "call.wav"))
    assert "is a folder" in refused(run(tmp_path))
    assert "is no file but a pipe or device" in refused(run(os.devnull))


@pytest.mark.parametrize(
    ("channels", "rate", "why"),
    [(1, 24_000, "is mono"), (3, 24_000, "has 3 channels"), (2, 7_350, "7350 Hz is too low")],
)
def test_forms_that_cannot_be_measured(
    run: Callable[..., Ran], tmp_path: Path, channels: int, rate: int, why: str
) -> None:
    soundfile.write(tmp_path / "call.wav", np.zeros((rate, channels), dtype=np.int16), rate)

    assert why in refused(run(tmp_path / "call.wav"))


def test_no_samples(run: Callable[..., Ran], tmp_path: Path) -> None:
    soundfile.write(tmp_path / "call.wav", np.zeros((0, 2), dtype=np.int16), LINE_RATE)

    assert "holds no sound at all" in refused(run(tmp_path / "call.wav"))


@pytest.mark.parametrize("name", ["call.wav", "call.flac", "call.ogg"])
def test_a_file_cut_short(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, name: str
) -> None:
    soundfile.write(tmp_path / name, dialogue, LINE_RATE)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) * 2 // 3])

    assert re.search(r"truncated|can't be read", refused(run(tmp_path / name)))


def test_a_wav_that_was_written_into_a_pipe_is_whole(wav: Path) -> None:
    content = bytearray(wav.read_bytes())
    at = content.index(b"data")
    content[at + 4 : at + 8] = struct.pack("<I", 0xFFFFFFFF)
    wav.write_bytes(content)

    assert read_stereo(wav).seconds == pytest.approx(20.0)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_samples_that_are_no_numbers(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, wrong: float
) -> None:
    floats = dialogue.astype(np.float32) / 32768
    floats[round(6.5 * LINE_RATE), 1] = wrong
    soundfile.write(tmp_path / "call.wav", floats, LINE_RATE, subtype="FLOAT")

    assert "the sample at 6.500 s of the right channel is not a number" in refused(run(tmp_path / "call.wav"))


@pytest.mark.parametrize(("gain", "code"), [(1.5, 0), (32768.0, 2)])
def test_samples_far_beyond_full_scale(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, gain: float, code: int
) -> None:
    loudest = int(np.max(np.abs(dialogue.astype(np.int32))))
    floats = dialogue.astype(np.float32) / loudest * np.float32(gain)
    soundfile.write(tmp_path / "call.wav", floats, LINE_RATE, subtype="FLOAT")

    ran = run(tmp_path / "call.wav", "--json")

    assert ran.code == code
    assert code == 0 or "holds samples of up to 3.277e+04, where 1.0 is full scale" in refused(ran)


@pytest.mark.parametrize("gain", [1.0, 0.4])
def test_one_sound_on_both_channels(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, gain: float
) -> None:
    mixed = dialogue.sum(axis=1)
    stereo = np.stack([mixed, np.rint(mixed * gain)], axis=1).astype(np.int16)
    soundfile.write(tmp_path / "call.wav", stereo, LINE_RATE)

    assert "both channels hold the same sound" in refused(run(tmp_path / "call.wav"))


@pytest.mark.parametrize(
    ("side", "level", "why"),
    [
        (0, None, "caller: the channel is silent"),
        (1, None, "agent: the channel is silent"),
        (0, -14.0, "caller: too noisy: nothing stands out"),
    ],
)
def test_a_channel_without_speech_is_not_measured(
    run: Callable[..., Ran],
    dialogue: NDArray[np.int16],
    tmp_path: Path,
    side: int,
    level: float | None,
    why: str,
) -> None:
    stereo = dialogue.copy()
    if level is None:
        stereo[:, side] = 0
    else:
        mixed = stereo[:, side] + noise(20.0, level).samples.astype(np.int32)
        stereo[:, side] = np.clip(mixed, -32768, 32767)
    soundfile.write(tmp_path / "call.wav", stereo, LINE_RATE)

    told, data = run(tmp_path / "call.wav"), run(tmp_path / "call.wav", "--json")

    assert (told.code, data.code) == (1, 1)
    assert why in told.out
    assert set(data.json["not_measured"]) == set(PARTS)
    assert all(why in reason for reason in data.json["not_measured"].values())
    assert (data.json["numbers"], data.json["talk"]) == ({}, None)


@pytest.mark.parametrize(("leak_db", "warned"), [(-20.0, True), (-45.0, False)])
def test_channels_that_hold_both_sides_are_warned_of(
    run: Callable[..., Ran], dialogue: NDArray[np.int16], tmp_path: Path, leak_db: float, warned: bool
) -> None:
    leaked = dialogue + dialogue[:, ::-1] * 10 ** (leak_db / 20)
    soundfile.write(tmp_path / "call.wav", np.clip(leaked, -32768, 32767).astype(np.int16), LINE_RATE)

    ran = run(tmp_path / "call.wav")

    assert ("each probably holds both sides" in ran.out) == warned


def test_an_agent_that_never_answers_has_no_latency(run: Callable[..., Ran], tmp_path: Path) -> None:
    stereo = np.zeros((16 * LINE_RATE, 2), dtype=np.int16)
    stereo[5 * LINE_RATE : 7 * LINE_RATE, 0] = speechlike(2.0, 1).samples
    stereo[LINE_RATE : 3 * LINE_RATE, 1] = speechlike(2.0, 2).samples
    soundfile.write(tmp_path / "call.wav", stereo, LINE_RATE)

    ran = run(tmp_path / "call.wav", "--json")

    assert ran.code == 1
    assert set(ran.json["not_measured"]) == {"published latency", "our latency"}
    assert "no reply" in ran.json["not_measured"]["our latency"]
    assert ran.json["numbers"]["unanswered_turns"] == 1


def test_reading_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"call\.wav: no such file"):
        read_stereo(tmp_path / "call.wav")


# --- drawing ---


def test_lanes_hold_the_whole_recording(dialogue: NDArray[np.int16]) -> None:
    caller, agent = (np.ascontiguousarray(dialogue[:, side]) for side in (0, 1))
    found = measure_recording(Stereo(caller, agent, LINE_RATE))

    rows = lanes_of(found, 50, plain=True)

    assert [(row.start_s, row.step_s, len(row.caller)) for row in rows] == [
        (0.0, 0.1, 50),
        (5.0, 0.1, 50),
        (10.0, 0.1, 50),
        (15.0, 0.1, 50),
    ]
    assert rows[0].caller == " " * 10 + "#" * 15 + " " * 25
    assert rows[1].both.strip() == "xxxx"


@pytest.mark.parametrize(("seconds", "told"), [(0.0, "0:00.00"), (62.345, "1:02.34"), (3599.99, "59:59.99")])
def test_times_as_people_write_them(seconds: float, told: str) -> None:
    assert clock(seconds) == told
