"""A voice for the profiles to work on."""

from __future__ import annotations

import pytest

from offhook.audio import Clip
from offhook.host import PluginHost
from offhook.speech import SpeechStyle


@pytest.fixture(scope="session")
def spoken() -> Clip:
    """Ten seconds of real synthesised speech at 24 kHz; tests that use it are marked ``speech``."""
    voice = PluginHost.discover().voices()["us-male-joe"]
    text = (
        "Good morning, I am calling about a washing machine that I bought from you in the spring. "
        "It has stopped twice this week, and I would like to know what can be done about it, please."
    )
    return voice.speak(text, SpeechStyle())
