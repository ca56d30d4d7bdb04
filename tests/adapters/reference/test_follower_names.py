"""A spoken and a spelled name, each misheard, put together."""

from __future__ import annotations

import pytest

from offhook_adapters.reference.minds._follower_names import (
    blended,
    crossed,
    ending_rejoined,
    spelling_likeness,
)


@pytest.mark.parametrize(
    ("spoken", "spelled", "name"),
    [
        ("Marta Velsquez", "MARTAVELASQUEZ", "Marta Velasquez"),
        ("Marta Velsquez", "VELASQUEZ", "Marta Velasquez"),
        ("Marta Velsquez", "NARDAVELASQUEZ", "Marta Velasquez"),
        ("Lena Ostrovsk", "LENAOSTROVSKY", "Lena Ostrovsky"),
        ("ena Ostrovsky", "LENAOSTROVSKY", "Lena Ostrovsky"),
        ("Lena Strovsky", "LENAOSTROVSKY", "Lena Ostrovsky"),
        ("Lena Ostrovsky", "LENAOSTROVSKY", None),
        ("Lena Ostrovsky", "FIVEFOURONE", None),
        ("Lena Ostrovsky", "LENAOSTROVSKYPHONE", None),
        ("", "LENA", None),
    ],
)
def test_only_what_the_spelling_adds_is_taken_from_it(spoken: str, spelled: str, name: str | None) -> None:
    assert blended(spoken, spelled) == name


def test_parts_of_two_hearings_are_crossed() -> None:
    assert crossed(("Filip Ostrow", "Philip Ostro", "Madonna")) == (
        "Filip Ostrow",
        "Filip Ostro",
        "Philip Ostrow",
        "Philip Ostro",
    )


def test_letters_speak_for_the_whole_name_or_for_the_last() -> None:
    assert spelling_likeness("Lena Ostrovsky", "LENAOSTROVSKY") == 1
    assert spelling_likeness("Lena Ostrovsky", "OSTROVSKY") == 1
    assert spelling_likeness("Lena Ostrovsk", "OSTROVSKY") > spelling_likeness("Lena Ostrow", "OSTROVSKY")
    assert spelling_likeness("Lena Ostrovsky", "LE") == 0


@pytest.mark.parametrize(
    ("heard", "rejoined"),
    [
        ("My name is Louis A Farrell.", "My name is Louisa Farrell."),
        ("My name is Louis the Farrell.", "My name is Louisa Farrell."),
        ("Carol E. Whitman, 541-555-0171.", "Carole Whitman, 541-555-0171."),
        ("My name is Louisa Farrell.", None),
        ("I am at the Farrell store.", None),
    ],
)
def test_a_cut_off_ending_goes_back_to_its_name(heard: str, rejoined: str | None) -> None:
    assert ending_rejoined(heard) == rejoined
