from __future__ import annotations

from offhook.callers import CallerTurn
from offhook.speech import SpeechStyle
from offhook_caller.conversation import careful_style
from offhook_caller.journal import CallerSettings
from offhook_caller.minds import Reply

SETTINGS = CallerSettings(careful_tempo=0.8)
STYLE = SpeechStyle(1.1, 0.2)
SLOW = Reply("Nadia", "Nadia, N, A, D, I, A", "repair:repeat", careful=True)


def _said(times: int) -> list[CallerTurn]:
    return [CallerTurn(SLOW.written, SLOW.spoken, 0.0, 1.0, SLOW.source)] * times


def test_what_has_to_be_said_again_is_never_the_same_sound() -> None:
    tempos = [careful_style(STYLE, SETTINGS, SLOW, _said(times)).tempo for times in range(3)]
    assert tempos == sorted(tempos, reverse=True)
    assert len(set(tempos)) == 3
    assert tempos[0] == 0.88


def test_it_does_not_slow_down_for_ever() -> None:
    assert careful_style(STYLE, SETTINGS, SLOW, _said(9)) == careful_style(STYLE, SETTINGS, SLOW, _said(2))


def test_an_ordinary_line_keeps_its_pace() -> None:
    plain = Reply("Hi", "Hi", "opening")
    assert careful_style(STYLE, SETTINGS, plain, _said(2)) is STYLE
