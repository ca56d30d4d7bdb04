"""The built-in repairs: what any caller says without a script. Every value in them is one of the caller's
own traits.

A repair is never off script. Its lines are neutral: they state no wish, accept nothing and refuse nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from offhook.packs import Task, Trait
from offhook.values import ValueKind
from offhook.verbalise import verbalise, verbalise_value
from offhook_caller.cues import AgentTurn
from offhook_caller.minds import CallState, Reply
from offhook_caller.phrases import asked_traits, named_traits
from offhook_caller.readback import Contradiction
from offhook_caller.statedvalues import stated_traits

__all__ = ["Repairs"]

_AGREE: Final = "Yes, that's right."
_UNSURE: Final = (
    "I'm not sure. Could you help me with what I asked?",
    "I don't know about that. Can we get back to what I called for?",
)
_UNHEARD: Final = "Sorry, I didn't catch that."
_LABELS: Final = {
    ValueKind.NAME: "",
    ValueKind.PHONE: "phone number",
    ValueKind.ZIP: "ZIP code",
    ValueKind.EMAIL: "email",
    ValueKind.ORDER_NUMBER: "order",
}
_UNSAID: Final = frozenset({"number", "last4", "last", "four", "digits", "id"})
_GIVE_UP: Final = "I'll try again another time. Goodbye."


class Repairs:
    """Builds the replies for one task."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def scripted(self, line: str, source: str, *, careful: bool = False) -> Reply:
        """An authored line, word for word; a careful one is only said more slowly."""
        return Reply(line, verbalise(line), source, careful, stated_traits(line, self._task.traits))

    def state(self, traits: Sequence[Trait]) -> Reply:
        """The values of the traits, plainly."""
        return Reply(
            _listed([_labelled(trait, trait.value, traits) for trait in traits], ", "),
            _listed(
                [_labelled(trait, verbalise_value(trait.kind, trait.value), traits) for trait in traits], ", "
            ),
            "repair:state",
            states=tuple(trait.name for trait in traits),
        )

    def repeat(self, turn: AgentTurn, state: CallState) -> Reply:
        """The values the agent asks to hear again, slowly; without a telling word, all of the last line."""
        asked = asked_traits(turn, self._task.traits) or named_traits(turn.text, self._task.traits)
        last = state.said[-1]
        if not asked:
            return Reply(last.written, self._slow_line(last), "repair:repeat", True, last.states)
        return self._slowly("", asked, "repair:repeat")

    def agree(self) -> Reply:
        """A yes to a right read-back."""
        return self.scripted(_AGREE, "repair:yes")

    def correct(self, wrong: Sequence[Contradiction]) -> Reply:
        """A no to a wrong read-back, with the right values, slowly."""
        return self._slowly("No, it's ", tuple(dict.fromkeys(entry.trait for entry in wrong)), "repair:no")

    def restate(self) -> Reply:
        """The opening once more."""
        return self.scripted(self._task.intent.opening, "repair:restate")

    def unsure(self, times: int = 0) -> Reply:
        """A neutral answer to a question the script does not know; ``times`` it was given before, so it is
        not parroted.
        """
        return self.scripted(_UNSURE[min(times, len(_UNSURE) - 1)], "repair:unsure")

    def unheard(self) -> Reply:
        """Asks the agent to say it again."""
        return self.scripted(_UNHEARD, "repair:unheard")

    def give_up(self) -> Reply:
        """Ends a call that goes nowhere."""
        return self.scripted(_GIVE_UP, "repair:give_up")

    def _slow_line(self, reply: Reply) -> str:
        """The same words with every value of the caller's in its careful form."""
        line = reply.written
        for name in reply.states:
            trait = self._task.trait(name)
            line = line.replace(trait.value, verbalise_value(trait.kind, trait.value, careful=True))
        return verbalise(line)

    def _slowly(self, lead: str, traits: Sequence[Trait], source: str) -> Reply:
        slow = {trait.name: verbalise_value(trait.kind, trait.value, careful=True) for trait in traits}
        return Reply(
            lead + _listed([_labelled(trait, trait.value, traits) for trait in traits], ", "),
            lead + _listed([_labelled(trait, slow[trait.name], traits) for trait in traits], ". "),
            source,
            careful=True,
            states=tuple(slow),
        )


def _listed(values: Sequence[str], joint: str) -> str:
    return joint.join(values) + "."


def _labelled(trait: Trait, value: str, among: Sequence[Trait]) -> str:
    """A value with its name where it is said among others: "ZIP code 97035, card 1156"."""
    label = _LABELS.get(trait.kind)
    if label is None:
        words = (word for word in trait.name.lower().split("_") if word not in _UNSAID)
        label = " ".join(words)
    return f"{label} {value}" if len(among) > 1 and label else value
