"""What the follower says while its caller waits for a look-up: once for each answer, however many readings of
it are tried.
"""

from __future__ import annotations

from pathlib import Path

import attrs

from offhook.audio import Clip
from offhook.packs import Pack
from offhook.speech import Heard, ListenerHint
from offhook.testing import FakeListener
from offhook.testing_pack import bicycle_pack
from offhook_adapters.reference.adapter import ReferenceAdapter
from offhook_adapters.reference.minds.follower import make_follower

from ._audio_calls import AudioCall, audio_call, speaking
from ._calls import answers, engines

HOLD = "One moment while I check that."
PACK = bicycle_pack()
BOOKING = PACK.task("B-H1")
ANSWERS = (
    ("anything else", "That's everything, thank you. Bye."),
    ("how can i help", "Hi, I'd like to bring my bike in for a brake overhaul."),
    ("full name", "Nadia Okafor, five four one, five five five, zero one four eight."),
    ("zip code", "ZIP nine seven four zero five, and the frame number ends in seven seven three zero."),
    ("shall i book", "Yes, please book it for sixty-four dollars."),
    ("mechanic", "Please note that the rear brake squeals in the rain."),
)


@attrs.frozen
class MishearingEars(FakeListener):
    """Takes one ending of the frame number for another."""

    def hear(self, clip: Clip, hint: ListenerHint) -> Heard:
        heard = super().hear(clip, hint)
        return attrs.evolve(
            heard, text=heard.text.replace("seven seven three zero", "seven seven three nine")
        )


def _holding() -> Pack:
    guides = tuple(
        attrs.evolve(guide, hold=HOLD) if guide.tool == "verify_owner" else guide
        for guide in PACK.guide.tools
    )
    return attrs.evolve(PACK, guide=attrs.evolve(PACK.guide, tools=guides))


def _call(folder: Path, *slips: tuple[str, str], quick: FakeListener | None = None) -> AudioCall:
    """``slips`` are answers that come before the usual ones."""
    parts = attrs.evolve(engines(), ears=quick or FakeListener())
    platform = ReferenceAdapter("reference", make_follower)
    talk = speaking(answers((*slips, *ANSWERS)))
    return audio_call(platform, _holding(), BOOKING, talk, folder, parts=parts)


def _tried(call: AudioCall) -> list[tuple[str, int]]:
    """The frame numbers that were sent, with the server's answer."""
    return [
        (arguments["frame_last4"], status) for name, arguments, status in call.tools if name == "verify_owner"
    ]


def test_a_caller_is_told_to_wait_before_the_look_up(tmp_path: Path) -> None:
    call = _call(tmp_path)
    assert _tried(call) == [("7730", 200)]
    assert call.said.count(HOLD) == 1


def test_two_readings_of_one_answer_are_one_wait(tmp_path: Path) -> None:
    call = _call(tmp_path, quick=MishearingEars())
    assert _tried(call) == [("7739", 403), ("7730", 200)]
    assert call.said.count(HOLD) == 1
    assert "leave_note" in call.accepted


def test_whoever_is_asked_again_waits_again(tmp_path: Path) -> None:
    slip = "ZIP nine seven four zero five, and the frame number ends in seven seven three nine."
    right = ("one by one", ANSWERS[3][1])
    call = _call(tmp_path, right, ("zip code", slip))
    assert _tried(call) == [("7739", 403), ("7730", 200)]
    assert call.said.count(HOLD) == 2
