"""What the platform's own errors mean before the first word."""

from __future__ import annotations

from typing import Any, Final

from offhook_adapters.deepgram.config import DEEPGRAM
from offhook_adapters.wires.trouble import failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

__all__ = ["PROMPT_TOO_LONG", "prompt_cut", "refused_handshake", "refused_settings"]

PROMPT_TOO_LONG: Final = "PROMPT_TOO_LONG"
# What is wrong with the settings stays wrong
# (developers.deepgram.com/docs/voice-agent-errors-warnings, read 2026-11-30).
_WRONG: Final = frozenset({"INVALID_SETTINGS", "UNPARSABLE_CLIENT_MESSAGE"})


def refused_handshake(error: Exception, where: str, key: str) -> VendorError:
    """Why no connection came about; ``error`` as in ``failed_connect``. The vendor says why in the header
    ``dg-error``, others in the body.
    """
    response: Any = getattr(error, "response", None)
    told = response.headers.get("dg-error", "") if response is not None else ""
    if told:
        return refused_status(int(response.status_code), told, DEEPGRAM, where, key, check="base_url")
    return failed_connect(error, DEEPGRAM, where, key, check="base_url")


def refused_settings(code: str, description: str, key: str) -> VendorError:
    """What an ``Error`` in place of ``SettingsApplied`` means."""
    what = one_line(f"the platform refused the session: {description} ({code})", key)
    if code in _WRONG:
        return VendorUnusable(f"{what}: check the options think, listen and voice")
    return VendorError(f"{what}: try again later")


def prompt_cut(characters: int) -> str:
    """The platform warns that it uses a part of the prompt only: another agent than the one under test."""
    return (
        f"the platform cuts off prompts as long as this one ({characters} characters): "
        "use a shorter prompt, or another platform"
    )
