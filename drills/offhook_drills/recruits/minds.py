"""How a recruit goes about each drill. Which one it is, it tells from the words of the order it hears."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum

import numpy as np

from offhook.audio import LINE_RATE, Clip
from offhook.drills import audible_part
from offhook_drills._numbers import digits_in, in_words, reply_numbers, words_of
from offhook_drills.recruits.habits import Counting, Habits, Reading, ReadingFault, Standing, Stopping, Tongue
from offhook_drills.recruits.session import Heard, RecruitSession

__all__ = ["Task", "obeying", "task_in"]


class Task(StrEnum):
    """What an order asks for."""

    COUNT_OFF = "count_off"
    READ_IT_BACK = "read_it_back"
    HOLD_YOUR_TONGUE = "hold_your_tongue"
    CEASE_FIRE = "cease_fire"


# One of each group has to be there; words that recognisers tend to get wrong are not among them.
_SIGNS = (
    (Task.CEASE_FIRE, (("counting",), ("stop", "steady"))),
    (Task.READ_IT_BACK, (("dictate", "dictated", "dictates", "six"), ("back",))),
    (Task.HOLD_YOUR_TONGUE, (("now",), ("quiet",))),
    (Task.COUNT_OFF, (("turns", "counting"), ("follows", "numbers"))),
)

_ORDER_HANG_OVER = 1.0
_TURN_HANG_OVER = 0.3
_DICTATION_HANG_OVER = 0.9


def task_in(text: str) -> Task | None:
    """The drill that an order announces; None for anything else."""
    words = set(words_of(text))
    for task, groups in _SIGNS:
        if all(words & set(group) for group in groups):
            return task
    return None


def obeying(habits: Habits) -> Callable[[RecruitSession], Awaitable[None]]:
    """A mind that carries out what it hears, in its own way."""

    async def mind(session: RecruitSession) -> None:
        while True:
            session.hang_over = _ORDER_HANG_OVER
            order = await session.heard()
            match task_in(order.text):
                case Task.COUNT_OFF:
                    await _count(session, habits.counting, order)
                case Task.READ_IT_BACK:
                    await _read(session, habits.reading)
                case Task.HOLD_YOUR_TONGUE:
                    await _answer_once(session, habits.tongue, order)
                case Task.CEASE_FIRE:
                    await _count_aloud(session, habits.stopping, order)
                case None:
                    pass

    return mind


# --- Count Off ----------------------------------------------------------------------------------


async def _count(session: RecruitSession, habit: Counting, order: Heard) -> None:
    """Answers number after number, until what is heard is none."""
    session.hang_over = _TURN_HANG_OVER
    turn, last, since = 0, 0, order.end
    while True:
        turn += 1
        if habit.ahead is not None and turn > 1:
            begun = await session.onset(since)
            if begun is not None and turn <= 5:
                await _say_number(session, habit, turn, last + 2, begun + habit.ahead)
        heard = await session.heard(lambda text: bool(reply_numbers(text)))
        since = heard.end
        numbers = reply_numbers(heard.text)
        if len(numbers) != 1:
            return
        last = numbers[0]
        if habit.ahead is None or turn == 1:
            await _say_number(session, habit, turn, last, heard.end + habit.delay)


async def _say_number(session: RecruitSession, habit: Counting, turn: int, heard: int, at: float) -> None:
    if turn in habit.silent_turns:
        return
    word = in_words(heard + habit.step + (turn in habit.wrong_turns))
    text = f"{habit.filler} {dict(habit.spelling).get(word, word)}".strip()
    sound = await session.clip(text)
    end = await session.say(at, sound, text)
    if habit.again is not None:
        await session.say(end + habit.again, sound, text)


# --- Read It Back -------------------------------------------------------------------------------


async def _read(session: RecruitSession, habit: Reading) -> None:
    session.hang_over = _DICTATION_HANG_OVER
    heard = await session.heard(lambda text: len(digits_in(text)) == 6)
    numbers = _altered(digits_in(heard.text), habit.fault)
    at = heard.end + habit.delay
    halves = (numbers[:3], numbers[3:]) if habit.pause else (numbers,)
    for half in halves:
        if half:
            text = ", ".join(map(in_words, half))
            at = await session.say(at, await session.clip(text), text) + habit.pause


def _altered(numbers: Sequence[int], fault: ReadingFault) -> Sequence[int]:
    match fault:
        case ReadingFault.NONE:
            return numbers
        case ReadingFault.WRONG:
            # Another one than its neighbours, too: two equal ones in a row are hard to tell from one.
            wrong = next(number for number in range(1, 10) if number not in numbers[1:4])
            return [*numbers[:2], wrong, *numbers[3:]]
        case ReadingFault.MISSING:
            return numbers[:-1]
        case ReadingFault.SHIFTED:
            return numbers[1:]
        case ReadingFault.REVERSED:
            return numbers[::-1]
        case ReadingFault.SILENT:
            return ()


# --- Hold Your Tongue ---------------------------------------------------------------------------


async def _answer_once(session: RecruitSession, habit: Tongue, order: Heard) -> None:
    at = order.end + habit.delay
    for pause, text in ((0.0, habit.word), *habit.later):
        if text:
            at = await session.say(at + pause, await session.clip(text), text)


# --- Cease Fire ---------------------------------------------------------------------------------


async def _count_aloud(session: RecruitSession, habit: Stopping, order: Heard) -> None:
    if habit.delay is None:
        return
    at = order.end + habit.delay
    stop_by = at + habit.lasts
    number, cut = 0, None
    while number < 99 and at < stop_by:
        number += 1
        text = in_words(number)
        end = await session.say(at, await session.clip(text), text)
        at = end + habit.gap
        if cut is not None or habit.standing is Standing.DEAF:
            continue
        cut = await session.onset(order.end, at - 0.08)
        if cut is not None:
            session.stop()
            if habit.standing is Standing.STOPS:
                await _talk_on(session, number, cut + habit.reaction)
                return
            at = session.now + habit.pause


async def _talk_on(session: RecruitSession, number: int, until: float) -> None:
    """Goes on counting without a breath and ends at a second with an audible sample."""
    samples = round((until - session.now) * LINE_RATE)
    sound = np.zeros(0, dtype=np.int16)
    said: list[str] = []
    while len(sound) < samples:
        number += 1
        said.append(in_words(number))
        sound = np.concatenate((sound, (await session.clip(said[-1])).samples))
    if not said:
        return
    # Some time to get going; what matters is that it ends on time.
    begin = session.now + 0.06
    cut = sound[: max(0, round((until - begin) * LINE_RATE))]
    part = audible_part(cut)
    if part is not None:
        await session.say(begin, Clip(cut[: part[1]]), " ".join(said))
