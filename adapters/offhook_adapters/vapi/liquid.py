"""Text that the platform reads as a template. Vapi fills in ``{{ name }}`` in prompts and first messages, in
LiquidJS's syntax (the SDK's description of ``variableValues``); an agent's words are no template.
"""

from __future__ import annotations

import re
from typing import Final

from offhook_adapters.wires.vendor import VendorUnusable

__all__ = ["as_it_is", "filled_in"]

_MARKS: Final = re.compile(r"\{\{|\{%")
_END: Final = re.compile(r"\{%-?\s*endraw\s*-?%\}")
_RAW: Final = re.compile(r"\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}|\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)


def as_it_is(text: str, what: str) -> str:
    """The template that gives ``text``. ``what`` names it in an error.

    Raises:
        VendorUnusable: there is none.
    """
    if not _MARKS.search(text):
        return text
    if _END.search(text):
        raise VendorUnusable(f"{what} holds {{% endraw %}}, which this platform can't be told: change {what}")
    return "{% raw %}" + text + "{% endraw %}"


def filled_in(template: str) -> str:
    """What the platform makes of a template where no variable has a value."""
    return _RAW.sub(lambda found: found.group(1) or "", template)
