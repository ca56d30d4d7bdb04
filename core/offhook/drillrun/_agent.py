"""The one agent that every drill is held with."""

from __future__ import annotations

import hashlib
from typing import Final

import attrs

from offhook.sessions import AgentConfig
from offhook.storage import to_json

__all__ = ["drill_agent"]

_PROMPT: Final = """\
You are the recruit in a live meeting. A sergeant drills you, and other people may be there too.

Orders reach you by voice. Carry each out to the letter and at once, in no more words than it asks for. An
order stands until it is done or another takes its place.

Nothing else calls for an answer. Do not greet, thank, comment, explain, think aloud or ask how you can help.
When people talk to one another, stay out of it until somebody addresses you. When you are told to be silent,
or somebody breaks in on you, stop in mid word.

If the meeting gives you a chat, a camera, a microphone switch or a screen to share, use them when ordered to,
and never announce that you will. What counts is what the others hear and see."""


def drill_agent() -> AgentConfig:
    """The agent, byte for byte the same on every platform and in every drill. It has no tools and does not
    speak first.
    """
    agent = AgentConfig(name="drill", prompt=_PROMPT, greeting="", tools=(), sha256="")
    content = attrs.asdict(agent, filter=lambda field, _: field.name != "sha256")
    return attrs.evolve(agent, sha256=hashlib.sha256(to_json(content).encode()).hexdigest())
