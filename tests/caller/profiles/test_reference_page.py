"""The page of audio conditions has every parameter, with its value."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import attrs
import pytest

from offhook.line import AudioProfile
from offhook_caller.profiles.network import PACKET_MS, LossParameters
from offhook_caller.profiles.plugin import offhook_audio_profiles

PAGE = (Path(__file__).parents[3] / "sdk_docs" / "reference" / "audio.md").read_text(encoding="utf-8")


def flat(parameters: Any, prefix: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for field in attrs.fields(type(parameters)):
        value = getattr(parameters, field.name)
        if attrs.has(type(value)):
            found |= flat(value, f"{prefix}{field.name}.")
        else:
            found[prefix + field.name] = (
                " to ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            )
    return found


@pytest.mark.parametrize("profile", offhook_audio_profiles(), ids=lambda profile: profile.name)
def test_every_parameter_is_on_the_page_with_its_value(profile: AudioProfile) -> None:
    (section,) = re.findall(rf"^## {profile.name}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    rows = {
        name: float_free(value) for name, value in re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|", section, re.M)
    }
    assert rows == {name: float_free(value) for name, value in flat(profile.parameters).items()}
    assert f"`{type(profile.parameters).__name__}`" in section


def float_free(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(" to "))


def test_the_rates_on_the_page_are_those_of_the_parameters() -> None:
    loss = LossParameters()
    bad = loss.share_bad * loss.lost_when_bad / loss.rate
    then_bad = bad * (1 - loss.to_good) + (1 - bad) * loss.to_bad
    again = then_bad * loss.lost_when_bad + (1 - then_bad) * loss.lost_when_good
    assert f"{100 * loss.rate:.1f} % of packets are lost, {1 / (1 - again):.1f} in a row" in PAGE
    assert 40 < PACKET_MS / (1 - again) < 200
    assert f"{100 * (1 - (1 - 4e-4) ** 118):.1f} % of frames are hit" in PAGE
    assert f"{100 * (1 - (1 - 4e-4) ** 55):.1f} % withheld" in PAGE
    assert f"a click in {100 * (1 - (1 - 1e-5) ** 1280):.1f} % of packets" in PAGE
