"""How the run's ears are told to listen inside a framework, equally in each."""

from __future__ import annotations

from typing import Final

from offhook.speech import ListenerHint
from offhook.values import ValueKind
from offhook_adapters.reference.speech import prompt_for

__all__ = ["HINT"]

# Nobody tells these ears what is asked for, so they are shown how a name is spelled and a number is said, as
# a vendor's recogniser would be by its settings. All of it is invented.
HINT: Final = ListenerHint(beam=5, prompt=prompt_for((ValueKind.NAME, ValueKind.PHONE)))
