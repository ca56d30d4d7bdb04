"""``offhook voices``: the list, a voice in a file, and its synthesis error."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest
import soundfile

from offhook._voicecheck import SENTENCES, HeardSentence, hear_sentence, voice_error
from offhook.audio import Clip
from offhook.cli import main
from offhook.hooks import hookimpl
from offhook.host import PluginHost
from offhook.packs import Pack
from offhook.speech import EngineInfo, Heard, Listener, ListenerHint, SpeechStyle, SpeechUnavailable, Voice
from offhook.spoken import normalise_words
from offhook.testing import FakeListener, FakeVoice
from offhook.testing_pack import bicycle_pack


@attrs.frozen
class Slot:
    """A voice that says what it stands for."""

    name: str
    accent: str = "Southern"
    gender: str = "male"
    description: str = "tones, slowly"

    @property
    def info(self) -> EngineInfo:
        return FakeVoice(self.name).info

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        return FakeVoice(self.name).speak(text, style)


@attrs.frozen
class Mumbling(Slot):
    """It swallows every "please"."""

    def speak(self, text: str, style: SpeechStyle) -> Clip:
        return FakeVoice().speak(
            " ".join(word for word in text.split() if "please" not in word.lower()), style
        )


@attrs.frozen
class Missing(Slot):
    def speak(self, text: str, style: SpeechStyle) -> Clip:
        raise SpeechUnavailable("no weights: run pip install 'offhook[speech]'")


class Shop:
    """A plugin with the bicycle pack, voices and ears."""

    @hookimpl
    def offhook_industries(self) -> list[Pack]:
        return [bicycle_pack()]

    @hookimpl
    def offhook_voices(self) -> Sequence[Voice]:
        return [FakeVoice("plain"), Slot("slow"), Mumbling("vague"), Missing("void")]

    @hookimpl
    def offhook_listeners(self) -> Sequence[Listener]:
        return [FakeListener("whisper-base")]


@pytest.fixture(autouse=True)
def shop(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PluginHost()
    assert host.register(Shop(), name="shop")
    monkeypatch.setattr(PluginHost, "discover", classmethod(lambda cls, **_: host))


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path, code: int = 0) -> str:
    """What the command prints; on an error its one line."""
    with pytest.raises(SystemExit) as ended:
        main(["voices", *map(str, arguments)])
    shown = capsys.readouterr()
    assert ended.value.code == code, shown
    if code == 0:
        return shown.out
    (line,) = [line for line in shown.err.splitlines() if not line.startswith("listening")]
    assert shown.out == ""
    return line


# --- the list -----------------------------------------------------------------------------------------------


def test_it_lists_accent_gender_engine_and_description(capsys: pytest.CaptureFixture[str]) -> None:
    rows = {row["voice"]: row for row in json.loads(run(capsys, "--json"))}
    assert (rows["slow"]["accent"], rows["slow"]["gender"]) == ("Southern", "male")
    assert rows["slow"]["description"] == "tones, slowly"
    assert (rows["plain"]["accent"], rows["plain"]["gender"]) == ("", "")
    assert rows["plain"]["engine"].split()[0]
    assert "tasks" not in rows["plain"]
    assert "slow: tones, slowly" in run(capsys).splitlines()


def test_it_says_which_tasks_of_a_pack_have_a_voice(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(run(capsys, "--pack", "bicycle-repair", "--json"))
    assert {row["voice"]: row["tasks"] for row in rows} == {
        "plain": ["B-E1"],
        "slow": ["B-H1"],
        "vague": [],
        "void": [],
    }
    assert "unknown pack 'bicycle'; nearest: bicycle-repair" in run(capsys, "--pack", "bicycle", code=2)


# --- say ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kind"), [("hello.wav", "WAV"), ("hello.FLAC", "FLAC")])
def test_a_voice_is_written_to_a_file(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    assert run(capsys, "say", "plain", "Hello there", "-o", out).startswith(f"{out}: ")
    info = soundfile.info(out)
    assert (info.format, info.channels, info.subtype) == (kind, 1, "PCM_16")
    samples, rate = soundfile.read(out, dtype="int16")
    assert FakeListener().hear(Clip(samples, rate), ListenerHint()).text == "Hello there"
    slow = tmp_path / f"slow-{name}"
    run(capsys, "say", "plain", "Hello there", "-o", slow, "--tempo", "0.5")
    assert soundfile.info(slow).frames > 1.5 * info.frames


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "hello.wav"
    out.write_text("mine")
    told = run(capsys, "say", "plain", "Hello", "-o", out, code=2)
    assert told.startswith(f"Error: {out} is there already; add --force to write over it")
    assert out.read_text() == "mine"
    run(capsys, "say", "plain", "Hello", "-o", out, "--force")
    assert soundfile.info(out).frames


@pytest.mark.parametrize(
    ("voice", "text", "out", "code", "says"),
    [
        ("plane", "Hello", "a.wav", 2, "unknown voice 'plane'; nearest: plain"),
        ("void", "Hello", "a.wav", 3, "no weights: run pip install 'offhook[speech]'"),
        ("plain", " ", "a.wav", 2, "there is nothing to say in ' '"),
        ("plain", "Hello", "a.mp3", 2, "a.mp3: end it in .wav or .flac"),
        ("plain", "Hello", "nowhere/a.wav", 3, "nowhere/a.wav: can't be written: No such file or directory"),
        ("plain", "Hello", "folder.wav", 2, "folder.wav is a folder; name a file in it"),
    ],
)
def test_what_can_not_be_said_is_one_line(
    voice: str,
    text: str,
    out: str,
    code: int,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "folder.wav").mkdir()
    assert says in run(capsys, "say", voice, text, "-o", tmp_path / out, code=code)
    assert os.listdir(tmp_path) == ["folder.wav"]


# --- error --------------------------------------------------------------------------------------------------


def test_a_voice_that_swallows_words_has_that_error(capsys: pytest.CaptureFixture[str]) -> None:
    plain, vague = json.loads(run(capsys, "error", "plain", "vague", "--json"))
    words = sum(len(normalise_words(text)) for text in SENTENCES)
    swallowed = sum(normalise_words(text).count("please") for text in SENTENCES)
    assert swallowed > 0
    assert (plain["voice"], plain["errors"], plain["reference_words"]) == ("plain", 0, words)
    assert (vague["voice"], vague["errors"]) == ("vague", swallowed)
    assert vague["wer"] == swallowed / words
    assert sum(sentence["deletions"] for sentence in vague["sentences"]) == swallowed
    assert plain["engine"] == "whisper-base"


def test_what_was_heard_wrongly_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("Stay here please\n\n  Go on  \n", encoding="utf-8")
    shown = run(capsys, "error", "vague", "--sentences", mine)
    assert "vague: 'Stay here please' was heard as 'Stay here'" in shown
    assert "20.0 %" in shown
    assert "heard by whisper-base" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("plane",), 2, "unknown voice 'plane'"),
        (("void",), 3, "no weights"),
        (("plain", "--sentences", "none.txt"), 2, "none.txt: No such file or directory"),
        (("plain", "--sentences", "empty.txt"), 2, "empty.txt: it holds no sentence"),
        (("plain", "--sentences", "bytes.txt"), 2, "bytes.txt: it is not UTF-8 text"),
    ],
)
def test_what_can_not_be_measured_is_one_line(
    arguments: tuple[str, ...],
    code: int,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.txt").write_text("\n \n")
    Path("bytes.txt").write_bytes(b"\xff\xfe\xfa")
    assert says in run(capsys, "error", *arguments, code=code)


def test_errors_are_counted_by_kind_and_pooled_over_words() -> None:
    class Ears:
        name = "ears"
        info = FakeVoice().info

        def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
            text = FakeListener().hear(clip, hint).text
            return Heard({"alpha beta gamma": "alpha delta gamma hill"}.get(text, text))

    heard = [hear_sentence(FakeVoice("v"), Ears(), text) for text in ("alpha beta gamma", "yes", "...")]
    assert [(one.substitutions, one.deletions, one.insertions) for one in heard[:2]] == [(1, 0, 1), (0, 0, 0)]
    found = voice_error(FakeVoice("v"), Ears(), heard)
    assert (found.reference_words, found.errors, found.wer) == (4, 2, 0.5)
    assert voice_error(FakeVoice("v"), Ears(), [HeardSentence("", "", 0, 0, 0, 0)]).wer is None
