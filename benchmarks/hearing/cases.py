"""What is asked for, in which words callers answer, and which identity meets which voice."""

from __future__ import annotations

from typing import Final

import attrs

from benchmarks.hearing.identities import Identity
from offhook.names import match_names
from offhook.packs import Ask, Intent, Parameter, Structure, Task, Tier, Trait
from offhook.speech import SpeechStyle
from offhook.streams import stream
from offhook.values import CanonicalValue, ValueKind, canonical
from offhook_caller.journal import CallerSettings

__all__ = ["QUESTIONS", "Case", "Question", "is_captured", "is_literal", "plan_cases"]

_PACE: Final = CallerSettings()


@attrs.frozen
class Question:
    """One thing an agent asks for, of one value or two. ``answers`` are first answers as callers give them,
    with ``{field}`` for the identity's values as they are written."""

    name: str
    parameters: tuple[Parameter, ...]
    fields: tuple[str, ...]
    question: str
    again: str
    answers: tuple[str, ...]

    @property
    def ask(self) -> Ask:
        """As a pack would hand it to the follower. There is no read-back: only asking again is counted."""
        return Ask(tuple(item.name for item in self.parameters), self.question, self.again)


_NAME: Final = Parameter("full_name", ValueKind.NAME, "the caller's name")
_PHONE: Final = Parameter("phone", ValueKind.PHONE, "the phone number on file")
_ZIP: Final = Parameter("postal_code", ValueKind.ZIP, "the ZIP code")
_LAST4: Final = Parameter("card_last4", ValueKind.DIGITS, "the card's last four digits", length=4)
_BORN: Final = Parameter("date_of_birth", ValueKind.DATE, "the caller's birthday")
_CHARGE: Final = Parameter("charge", ValueKind.AMOUNT, "what was charged")
_EMAIL: Final = Parameter("email", ValueKind.EMAIL, "the mail address")
_ORDER: Final = Parameter("order_number", ValueKind.ORDER_NUMBER, "the order", length=7)
_TIME: Final = Parameter("visit_time", ValueKind.TIME, "when to come")

QUESTIONS: Final = (
    Question(
        "name",
        (_NAME,),
        ("name",),
        "May I have your full name?",
        "Could you say your name again, and spell it?",
        ("My name is {name}.", "Sure, it's {name}.", "This is {name}."),
    ),
    Question(
        "phone",
        (_PHONE,),
        ("phone",),
        "What is the phone number on the account?",
        "Could you say the phone number again, one digit at a time?",
        ("It's {phone}.", "My number is {phone}.", "You can reach me at {phone}."),
    ),
    Question(
        "zip",
        (_ZIP,),
        ("zip",),
        "What is the ZIP code?",
        "Could you say the ZIP code again, one digit at a time?",
        ("It's {zip}.", "The ZIP code is {zip}.", "Sure, ZIP code {zip}."),
    ),
    Question(
        "last four",
        (_LAST4,),
        ("digits",),
        "What are the last four digits of the card?",
        "Could you say the last four digits again, one at a time?",
        ("The card ends in {digits}.", "The last four are {digits}.", "Ending in {digits}."),
    ),
    Question(
        "date",
        (_BORN,),
        ("date",),
        "What is your date of birth?",
        "Could you say your date of birth again, slowly?",
        ("I was born on {date}.", "It's {date}.", "My date of birth is {date}."),
    ),
    Question(
        "amount",
        (_CHARGE,),
        ("amount",),
        "How high was the charge?",
        "Could you say the charge again, slowly?",
        ("It was {amount}.", "They charged me {amount}.", "I see a charge of {amount}."),
    ),
    Question(
        "e-mail",
        (_EMAIL,),
        ("email",),
        "What is your email address?",
        "Could you say the email again, letter by letter?",
        ("It's {email}.", "My email is {email}.", "Sure, that's {email}."),
    ),
    Question(
        "order number",
        (_ORDER,),
        ("order_number",),
        "What is the order number?",
        "Could you say the order number again, one character at a time?",
        ("The order number is {order_number}.", "It's {order_number}.", "It's order {order_number}."),
    ),
    Question(
        "time",
        (_TIME,),
        ("time",),
        "What time should the visit be?",
        "Could you say the visit time again, slowly?",
        ("Could we make it {time}?", "I'd like {time}.", "At {time}, please."),
    ),
    Question(
        "name + phone",
        (_NAME, _PHONE),
        ("name", "phone"),
        "May I have your full name and the phone number on the account?",
        "Could you say your full name again, and then the phone number one digit at a time?",
        ("It's {name}, and my number is {phone}.", "{name}, {phone}.", "Sure. {name}, phone {phone}."),
    ),
    Question(
        "ZIP + last four",
        (_ZIP, _LAST4),
        ("zip", "digits"),
        "Could you tell me the ZIP code and the last four digits of the card?",
        "Could you say the ZIP code again, and then the last four digits of the card?",
        (
            "ZIP {zip}, and the card ends in {digits}.",
            "The ZIP code is {zip} and the last four are {digits}.",
            "It's {zip}, and {digits}.",
        ),
    ),
)


@attrs.frozen
class Case:
    """One question put to one identity in one voice. ``line`` is the first answer as it is written, ``style``
    the caller's own tempo and pitch, ``wanted`` the canonical values in the order of the parameters."""

    question: Question
    identity: Identity
    voice: str
    style: SpeechStyle
    line: str
    wanted: tuple[CanonicalValue, ...]

    @property
    def task(self) -> Task:
        """The caller's task: nothing but the values it holds."""
        traits = tuple(
            Trait(parameter.name, parameter.kind, getattr(self.identity, field))
            for parameter, field in zip(self.question.parameters, self.question.fields, strict=True)
        )
        intent = Intent(opening=self.line, conduct=(), closing="")
        return Task(
            "hearing",
            "H",
            "A question answered",
            "hearing",
            Tier.EASY,
            Structure(0, 0, 0),
            intent,
            traits,
            (),
            (),
        )


def plan_cases(identities: tuple[Identity, ...], voices: tuple[str, ...], seed: int) -> tuple[Case, ...]:
    """Every identity answers every question, each in another voice than the one before (a Latin square): with
    a multiple of ``len(voices)`` identities every voice answers every question equally often."""
    return tuple(
        _case(question, identity, voices[(row + column) % len(voices)], seed, row)
        for row, identity in enumerate(identities)
        for column, question in enumerate(QUESTIONS)
    )


def _case(question: Question, identity: Identity, voice: str, seed: int, row: int) -> Case:
    rng = stream(seed, f"case {row} {question.name}", "hearing")
    style = SpeechStyle(
        round(1.0 + float(rng.uniform(-_PACE.tempo, _PACE.tempo)), 4),
        round(float(rng.uniform(-_PACE.pitch, _PACE.pitch)), 3),
    )
    written = question.answers[int(rng.integers(len(question.answers)))]
    values = {field: str(getattr(identity, field)) for field in question.fields}
    wanted = tuple(
        canonical(parameter.kind, values[field])
        for parameter, field in zip(question.parameters, question.fields, strict=True)
    )
    return Case(question, identity, voice, style, written.format(**values), wanted)


def is_captured(case: Case, values: tuple[CanonicalValue, ...]) -> bool:
    """Whether a tool server would take the values for the caller's: names by its own matcher, all other kinds
    exactly."""
    return all(
        match_names(str(got), str(wanted)).same if parameter.kind is ValueKind.NAME else got == wanted
        for parameter, got, wanted in zip(case.question.parameters, values, case.wanted, strict=True)
    )


def is_literal(case: Case, values: tuple[CanonicalValue, ...]) -> bool:
    """Whether the values are the caller's letter by letter, case and accents aside."""
    return [_letters(value) for value in values] == [_letters(value) for value in case.wanted]


def _letters(value: CanonicalValue) -> str:
    import unicodedata

    flat = unicodedata.normalize("NFKD", str(value)).casefold()
    return "".join(char for char in flat if not unicodedata.combining(char))
