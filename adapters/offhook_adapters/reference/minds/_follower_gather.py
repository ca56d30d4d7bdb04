"""Collecting one step's arguments: what was volunteered, questions, second hearings, read-backs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from offhook.clock import compute
from offhook.packs import Ask, Parameter, ToolGuide
from offhook.speech import SentenceEmbedder
from offhook.values import CanonicalValue, ValueKind
from offhook_adapters.reference.minds._follower_choice import mentions, named_last, pick
from offhook_adapters.reference.minds._follower_talk import Conversation
from offhook_adapters.reference.minds._follower_values import Notes, readings, volunteered
from offhook_adapters.reference.minds._follower_words import render, shown
from offhook_adapters.reference.minds.desk import Attention, Utterance

__all__ = ["Argument", "Gatherer", "Gathering", "HeardNothing"]

Argument = str | int | bool

_ASKS: Final = 4
_CORRECTIONS: Final = 3
_REPEATED_ASKS: Final = 2
_SURE: Final = 0.6
_ANY_READING: Final = 0.2
_LONG_DIGITS: Final = 7


class HeardNothing(Exception):
    """A parameter got no value, however often it was asked for."""


@attrs.define
class Gatherer:
    """What lasts from step to step: values that worked, by parameter and tool, and which turns were answers
    to questions for values (they tell nothing about what the caller wants).
    """

    talk: Conversation
    embedder: SentenceEmbedder | None
    _accepted: dict[str, tuple[str, Argument]] = attrs.field(factory=dict, init=False)
    _chosen: dict[tuple[str, str], frozenset[str]] = attrs.field(factory=dict, init=False)
    _value_turns: set[int] = attrs.field(factory=set, init=False)
    _wishes_at: dict[str, int] = attrs.field(factory=dict, init=False)

    def begin(self, tool: str, guide: ToolGuide, wanted: tuple[Parameter, ...]) -> Gathering:
        """Starts on one step. ``wanted`` are the parameters nothing else fills."""
        return Gathering(self, tool, guide, wanted)

    def accept(self, tool: str, arguments: Mapping[str, Argument], wanted: tuple[Parameter, ...]) -> None:
        """Remembers arguments the tool server took."""
        self._wishes_at[tool] = len(self.wishes)
        for parameter in wanted:
            value = arguments[parameter.name]
            self._accepted[parameter.name] = (tool, value)
            if parameter.choices:
                key = (tool, parameter.name)
                self._chosen[key] = self.chosen(tool, parameter.name) | {str(value)}

    def wishes_at(self, tool: str) -> int:
        """How many wishes there were when the tool was last used."""
        return self._wishes_at.get(tool, 0)

    def keep(self, tool: str, arguments: Mapping[str, Argument]) -> None:
        """Remembers arguments that nobody had to be asked for."""
        self._accepted |= {name: (tool, value) for name, value in arguments.items()}

    def chosen(self, tool: str, name: str) -> frozenset[str]:
        """Choices that earlier steps of the same tool took: the next one means another."""
        return self._chosen.get((tool, name), frozenset())

    def remembered(self, tool: str, name: str) -> Argument | None:
        """A value another tool took under the same name."""
        known = self._accepted.get(name)
        return None if known is None or known[0] == tool else known[1]

    def used(self, name: str) -> frozenset[CanonicalValue]:
        """Values that serve other parameters."""
        return frozenset(value for other, (_, value) in self._accepted.items() if other != name)

    def answered(self, turn: Utterance) -> None:
        self._value_turns.add(turn.index)

    @property
    def wishes(self) -> tuple[Utterance, ...]:
        """The caller's turns in which they said what they want."""
        return tuple(turn for turn in self.talk.heard if turn.index not in self._value_turns)


class Gathering:
    """One step's arguments in the making."""

    def __init__(
        self, gatherer: Gatherer, tool: str, guide: ToolGuide, wanted: tuple[Parameter, ...]
    ) -> None:
        self._gatherer = gatherer
        self._talk = gatherer.talk
        self._tool = tool
        self._wanted = {parameter.name: parameter for parameter in wanted}
        self._asks = tuple(ask for ask in guide.asks if any(name in self._wanted for name in ask.parameters))
        self._fixed: dict[str, Argument] = {}
        self._notes = Notes()
        self._answers: list[tuple[Ask, Utterance]] = []
        self._repeated: dict[Ask, int] = {}

    @property
    def retriable(self) -> bool:
        """Whether anything was asked for that could be asked for again."""
        return bool(self._asks)

    def shown(self, arguments: Mapping[str, Argument]) -> dict[str, str]:
        """The arguments as template fields."""
        return {name: shown(self._wanted[name], value) for name, value in arguments.items()}

    async def first(self) -> dict[str, Argument]:
        """The arguments of the first try.

        Raises:
            HeardNothing: a parameter stayed without a value.
            CallerSilent: nobody answers.
        """
        for parameter in self._wanted.values():
            await self._recall(parameter)
        for ask in self._asks:
            await self._collect(ask)
        covered = {name for ask in self._asks for name in ask.parameters}
        for parameter in self._wanted.values():
            if parameter.name not in covered:
                await self._find(parameter)
        return self._decided()

    async def next(self, refused: Mapping[str, Argument], field: str | None) -> dict[str, Argument]:
        """Other arguments, after ``refused`` were turned down (``field`` names the one at fault, where
        known): first from listening to the same answers again, then from asking again.

        Raises:
            HeardNothing: nothing but what was refused is ever heard.
            CallerSilent: nobody answers.
        """
        self._turn_down({name: value for name, value in refused.items() if self._is_spoken(name)}, field)
        quick = [(ask, answer) for ask, answer in self._answers if answer.attention is Attention.QUICK]
        for ask, answer in quick:
            await self._second_hearing(ask, answer)
        other = self._arguments(1.0) if quick else None
        for _ in range(_REPEATED_ASKS):
            if other is not None:
                return other
            for ask in self._asks:
                if self._spoken(ask):
                    await self._put(ask, again=True)
            other = self._arguments(1.0)
        return self._decided()

    # --- what is known without asking -----------------------------------------------------------------------

    async def _recall(self, parameter: Parameter) -> None:
        known = self._gatherer.remembered(self._tool, parameter.name)
        if known is not None:
            self._fixed[parameter.name] = known
        elif parameter.choices:
            await self._choose_from_wishes(parameter, certain=True)

    def _note_volunteered(self, ask: Ask) -> None:
        for name in self._spoken(ask):
            parameter = self._wanted[name]
            found = volunteered(parameter, self._talk.heard, self._gatherer.used(name))
            self._notes = self._notes.add(name, found)

    async def _find(self, parameter: Parameter) -> None:
        """Fills a parameter the pack has no question for from what the caller said of their own accord."""
        if parameter.name in self._fixed:
            return
        if parameter.choices:
            await self._rehear_wishes()
            await self._choose_from_wishes(parameter, certain=False)
        elif parameter.kind is ValueKind.TEXT:
            wishes = self._gatherer.wishes
            if wishes:
                self._fixed[parameter.name] = wishes[0].text
        else:
            for turn in self._talk.heard:
                self._notes = self._notes.hear(parameter, turn)

    async def _rehear_wishes(self) -> None:
        for turn in self._gatherer.wishes:
            if turn.attention is Attention.QUICK:
                await self._talk.rehear(turn, Attention.CAREFUL, ())

    # --- asking ---------------------------------------------------------------------------------------------

    async def _collect(self, ask: Ask) -> None:
        self._note_volunteered(ask)
        tries = 0
        while self._missing(ask):
            if tries == _ASKS:
                raise HeardNothing
            await self._put(ask, again=tries > 0)
            tries += 1
        for _ in range(_CORRECTIONS):
            if not self._doubtful(ask, tries) or await self._confirmed(ask):
                return
            if self._missing(ask):
                await self._put(ask, again=True)

    async def _put(self, ask: Ask, *, again: bool) -> None:
        """Asks once and reads the answer. The first answer is heard quickly, and carefully too if that left a
        doubt; the answer to a repeated question is heard carefully at once.
        """
        kinds = self._kinds(ask)
        attention = self._attention(ask) if again else Attention.QUICK
        answer = await self._talk.ask(ask.again if again else ask.question, attention, kinds)
        if not answer.text:
            return
        await self._take(ask, answer, last=again)
        if attention is Attention.QUICK and self._left_in_doubt(ask, answer):
            await self._second_hearing(ask, answer)

    def _attention(self, ask: Ask) -> Attention:
        """How to listen to a repeated question: carefully, in turn one way and the other. A caller who says
        the same again is misheard the same again by the same ears.
        """
        self._repeated[ask] = self._repeated.get(ask, 0) + 1
        return Attention.CAREFUL if self._repeated[ask] % 2 else Attention.OTHERWISE

    def _left_in_doubt(self, ask: Ask, answer: Utterance) -> bool:
        """Whether to listen again before going on: something is missing or unsurely heard, or of a kind that
        quick ears often get wrong, a name or a long number.
        """
        spoken = self._spoken(ask)
        values = self._notes.best(spoken) or {}
        hard = any(
            self._wanted[name].kind is ValueKind.NAME or _digits(value) >= _LONG_DIGITS
            for name, value in values.items()
        )
        return bool(self._missing(ask)) or hard or (bool(spoken) and answer.confidence < _SURE)

    async def _second_hearing(self, ask: Ask, answer: Utterance) -> None:
        again = await self._talk.rehear(answer, Attention.CAREFUL, self._kinds(ask))
        self._answers = [item for item in self._answers if item[1].index != answer.index]
        await self._take(ask, again, last=False)

    async def _take(self, ask: Ask, answer: Utterance, *, last: bool) -> None:
        """Reads every parameter of a question out of one answer."""
        self._answers.append((ask, answer))
        if self._spoken(ask):
            self._gatherer.answered(answer)
        for name in self._names(ask):
            parameter = self._wanted[name]
            if parameter.choices:
                await self._choose(parameter, (answer.text,), fresh=1, certain=not last)
            elif parameter.kind is ValueKind.TEXT:
                self._fixed.setdefault(name, answer.text)
            elif name not in self._fixed:
                self._notes = self._notes.hear(parameter, answer)

    def _doubtful(self, ask: Ask, tries: int) -> bool:
        """Whether the values are worth a read-back: names, which are easily taken for others, and whatever is
        hard to hear, unsurely heard, or asked for more than once.
        """
        values = self._notes.best(self._spoken(ask))
        if not ask.confirm or not values:
            return False
        long = any(_digits(value) >= _LONG_DIGITS for value in values.values())
        unsure = any(self._notes.confidence(name, value) < _SURE for name, value in values.items())
        named = any(self._wanted[name].kind is ValueKind.NAME for name in values)
        return named or long or unsure or tries > 1

    async def _confirmed(self, ask: Ask) -> bool:
        """Reads the values back. A "no" turns them down and may bring the right ones along."""
        names = self._spoken(ask)
        values = self._notes.best(names)
        if values is None:
            return False
        fields = self.shown({**self._fixed, **values})
        agreed, answer = await self._talk.yes_or_no(render(ask.confirm, fields))
        if agreed is not False:
            return True
        self._notes = self._notes.turn_down(values)
        careful = await self._talk.rehear(answer, Attention.CAREFUL, self._kinds(ask))
        for hearing in (answer, careful):
            self._correct(names, values, hearing)
        return False

    def _correct(
        self, names: tuple[str, ...], refused: Mapping[str, CanonicalValue], answer: Utterance
    ) -> None:
        """Takes in what a "no" brings along: where it says another value, the one read back is wrong whatever
        the others are.
        """
        for name in names:
            given = readings(self._wanted[name], answer)
            if given and all(reading.value != refused[name] for reading in given):
                self._notes = self._notes.turn_down(refused, name)
            self._notes = self._notes.hear(self._wanted[name], answer)

    # --- bookkeeping ----------------------------------------------------------------------------------------

    def _names(self, ask: Ask) -> tuple[str, ...]:
        return tuple(name for name in ask.parameters if name in self._wanted)

    def _is_spoken(self, name: str) -> bool:
        """Whether the value is read out of speech, rather than chosen or taken as said."""
        parameter = self._wanted[name]
        return not parameter.choices and parameter.kind is not ValueKind.TEXT and name not in self._fixed

    def _spoken(self, ask: Ask) -> tuple[str, ...]:
        return tuple(name for name in self._names(ask) if self._is_spoken(name))

    def _kinds(self, ask: Ask) -> tuple[ValueKind, ...]:
        return tuple(self._wanted[name].kind for name in self._spoken(ask))

    def _missing(self, ask: Ask) -> tuple[str, ...]:
        unspoken = tuple(
            name for name in self._names(ask) if not self._is_spoken(name) and name not in self._fixed
        )
        spoken = self._spoken(ask)
        unheard = self._notes.missing(spoken)
        return unspoken + (unheard or (spoken if spoken and self._notes.best(spoken) is None else ()))

    async def _choose_from_wishes(self, parameter: Parameter, *, certain: bool) -> None:
        texts = tuple(turn.text for turn in self._gatherer.wishes)
        fresh = len(texts) - self._gatherer.wishes_at(self._tool)
        await self._choose(parameter, texts, fresh=fresh, certain=certain)

    async def _choose(
        self, parameter: Parameter, texts: tuple[str, ...], *, fresh: int, certain: bool
    ) -> None:
        """``fresh`` is how many of the texts came since the tool was last used."""
        if parameter.name in self._fixed:
            return
        taken = self._gatherer.chosen(self._tool, parameter.name)
        chosen = named_last(parameter.choices, texts, taken, fresh)
        if chosen is None and (fresh or not taken):
            found = await compute(mentions, parameter, texts, self._gatherer.embedder)
            chosen = pick(found, taken, certain=certain)
        if chosen is not None:
            self._fixed[parameter.name] = chosen

    def _turn_down(self, refused: Mapping[str, Argument], field: str | None) -> None:
        heard = {
            name: ("yes" if value else "no") if isinstance(value, bool) else value
            for name, value in refused.items()
        }
        if heard:
            self._notes = self._notes.turn_down(heard, field)

    def _arguments(self, least: float) -> dict[str, Argument] | None:
        """Everything decided so far, if that is everything wanted."""
        spoken = tuple(name for name in self._wanted if self._is_spoken(name))
        values = self._notes.best(spoken, least=least)
        if values is None or any(name not in self._fixed and name not in values for name in self._wanted):
            return None
        return {
            name: self._fixed[name] if name in self._fixed else _as_argument(self._wanted[name], values[name])
            for name in self._wanted
        }

    def _decided(self) -> dict[str, Argument]:
        """The arguments from what was properly heard, or failing that with mere alternatives.

        Raises:
            HeardNothing: neither gives a combination that has not been turned down.
        """
        for least in (1.0, _ANY_READING):
            arguments = self._arguments(least)
            if arguments is not None:
                return arguments
        raise HeardNothing


def _digits(value: CanonicalValue) -> int:
    return sum(char.isdigit() for char in str(value))


def _as_argument(parameter: Parameter, value: CanonicalValue) -> Argument:
    return value == "yes" if parameter.kind is ValueKind.YES_NO else value
