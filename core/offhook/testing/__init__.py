"""What tests of plugins need and no speech engine has to be installed for.

The virtual-time loop, audio builders, a scripted platform for a line, and stand-ins for the engines that work
on real audio: ``FakeVoice`` puts text into sound, ``FakeListener`` reads it back, ``EnergyVad`` hears that
somebody speaks, ``HashEmbedder`` compares sentences by their words. ``hold_drill`` holds a drill with a
platform and marks it, ``ScriptedRecruit`` is such a platform.
"""

from __future__ import annotations

from offhook.clock import VirtualTimeLoop, run_real, run_virtual
from offhook.testing._agent import AgentStep, ClearAt, HangUpAt, PlayAt, ScriptedAgent
from offhook.testing._audio import concat, gap, noise, speechlike, tone
from offhook.testing._drills import DrillBroke, fake_engines, hold_drill
from offhook.testing._engines import EnergyVad, HashEmbedder
from offhook.testing._modem import FakeListener, FakeVoice
from offhook.testing._recruit import ScriptedRecruit, SendAt
from offhook.testing._speech_plugin import FakeSpeech

__all__ = [
    "AgentStep",
    "ClearAt",
    "DrillBroke",
    "EnergyVad",
    "FakeListener",
    "FakeSpeech",
    "FakeVoice",
    "HangUpAt",
    "HashEmbedder",
    "PlayAt",
    "ScriptedAgent",
    "ScriptedRecruit",
    "SendAt",
    "VirtualTimeLoop",
    "concat",
    "fake_engines",
    "gap",
    "hold_drill",
    "noise",
    "run_real",
    "run_virtual",
    "speechlike",
    "tone",
]
