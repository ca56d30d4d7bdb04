"""How hearings are weighed against one another."""

from __future__ import annotations

from offhook.packs import Parameter
from offhook.values import ValueKind
from offhook_adapters.reference.minds._follower_values import Notes, readings, volunteered
from offhook_adapters.reference.minds.desk import Attention, Utterance
from offhook_adapters.reference.speech import PROMPTS

PHONE = Parameter("phone", ValueKind.PHONE, "phone")
LAST4 = Parameter("card_last4", ValueKind.DIGITS, "last four", length=4)


def _heard(
    text: str, attention: Attention = Attention.QUICK, index: int = 0, confidence: float = 0.9
) -> Utterance:
    return Utterance(index, text, confidence, attention)


def test_a_careful_hearing_outweighs_a_quick_one() -> None:
    notes = Notes().add("phone", readings(PHONE, _heard("541-555-0177")))
    notes = notes.add("phone", readings(PHONE, _heard("541-555-0171", Attention.CAREFUL)))
    assert notes.best(("phone",)) == {"phone": "541-555-0171"}


def test_two_quick_hearings_weigh_as_much_as_a_careful_one_and_the_latest_wins() -> None:
    notes = Notes().add("phone", readings(PHONE, _heard("541-555-0171", Attention.CAREFUL)))
    for index in (1, 2):
        notes = notes.add("phone", readings(PHONE, _heard("541-555-0177", index=index)))
    assert notes.best(("phone",)) == {"phone": "541-555-0177"}


def test_an_incomplete_number_is_no_value() -> None:
    notes = Notes().add("phone", readings(PHONE, _heard("541-555-017")))
    assert notes.missing(("phone",)) == ("phone",)
    assert notes.best(("phone",)) is None


def test_a_refused_combination_is_not_tried_twice() -> None:
    notes = Notes()
    for attention, phone in ((Attention.CAREFUL, "541-555-0171"), (Attention.QUICK, "541-555-0177")):
        notes = notes.add("phone", readings(PHONE, _heard(phone, attention)))
    notes = notes.add("card_last4", readings(LAST4, _heard("1156")))
    names = ("phone", "card_last4")
    first = notes.best(names)
    assert first == {"phone": "541-555-0171", "card_last4": "1156"}
    second = notes.turn_down(first).best(names)
    assert second == {"phone": "541-555-0177", "card_last4": "1156"}
    assert notes.turn_down(first).turn_down(second).best(names) is None


def test_a_field_named_at_fault_is_wrong_in_every_combination() -> None:
    notes = Notes().add("phone", readings(PHONE, _heard("541-555-0171")))
    notes = notes.turn_down({"phone": "541-555-0171"}, "phone")
    assert notes.missing(("phone",)) == ("phone",)


def test_a_number_said_before_it_was_asked_for_is_used_once() -> None:
    said = (_heard("Selina Cortez, 541-555-0171."),)
    assert [reading.value for reading in volunteered(PHONE, said, frozenset())] == ["541-555-0171"]
    assert volunteered(PHONE, said, frozenset({"541-555-0171"})) == ()
    assert volunteered(LAST4, (_heard("It was 1156."),), frozenset()) == ()


def test_the_prompts_own_dummy_is_never_taken_for_an_answer() -> None:
    echo = PROMPTS[ValueKind.PHONE]
    assert readings(PHONE, _heard(echo, Attention.CAREFUL)) == ()
    assert readings(PHONE, _heard(echo)) != ()


NAME = Parameter("full_name", ValueKind.NAME, "name")


def _named(*heard: Utterance) -> Notes:
    notes = Notes()
    for utterance in heard:
        notes = notes.hear(NAME, utterance)
    return notes


def test_of_several_misspellings_the_one_in_the_middle_comes_first() -> None:
    notes = _named(
        _heard("My name is Marta Velasquez."), _heard("Marta Velasques."), _heard("Martha Belaskes.", index=2)
    )
    ranked = [value for value, _ in notes.ranked("full_name")]
    assert ranked[0] in ("Marta Velasquez", "Marta Velasques")
    assert ranked.index("Martha Belaskes") > 1


def test_a_spelling_adds_what_the_spoken_name_lost() -> None:
    notes = _named(
        _heard("My name is Marta Velsquez.", Attention.CAREFUL),
        _heard("Marta Velsquez. N, A, R, D, A, V, E, L, A, S, Q, U, E, Z.", Attention.CAREFUL, 1),
    )
    assert notes.best(("full_name",)) == {"full_name": "Marta Velasquez"}


def test_a_surely_heard_number_is_kept_while_a_doubtful_name_varies() -> None:
    notes = Notes()
    for index, text in enumerate(("Marta Velasquez, 541-555-0171.", "Martha Belaskes, 541-555-0171.")):
        for parameter in (NAME, PHONE):
            notes = notes.hear(parameter, _heard(text, Attention.CAREFUL, index))
    notes = notes.hear(PHONE, _heard("541-550-0171."))
    names = ("full_name", "phone")
    first = notes.best(names)
    assert first is not None
    second = notes.turn_down(first).best(names)
    assert second is not None
    assert first["phone"] == second["phone"] == "541-555-0171"
    assert first["full_name"] != second["full_name"]


def test_the_same_words_heard_again_are_no_second_witness_of_a_name() -> None:
    once = _named(_heard("Marta Velasques.", Attention.CAREFUL))
    twice = once.hear(NAME, _heard("Marta Velasques.", Attention.CAREFUL, 1))
    assert twice.ranked("full_name") == once.ranked("full_name")


def test_half_a_name_gives_way_to_the_rejoined_one() -> None:
    assert _named(_heard("My name is Louis the Farrell.")).best(("full_name",)) == {
        "full_name": "Louisa Farrell"
    }
