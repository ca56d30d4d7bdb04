"""The vendor's REST API through its SDK, with errors told as every adapter does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import attrs

from offhook_adapters.elevenlabs.config import ELEVENLABS
from offhook_adapters.wires.threads import made
from offhook_adapters.wires.trouble import NO_CREDIT, failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

__all__ = ["NO_RETRIES", "Gone", "Rest"]

T = TypeVar("T")

# The SDK would try a refused request three times; a run tries whole calls again.
NO_RETRIES: Final[Any] = {"max_retries": 0}
_SECONDS: Final = 20.0
_CHECK: Final = "the options model and voice, the tools and the prompt"


class Gone(VendorUnusable):
    """What was asked for is not there, or no longer."""


@attrs.frozen(eq=False)
class Rest:
    """``base_url`` is the server's, ``key`` the user's."""

    base_url: str
    key: str = attrs.field(repr=False)

    @property
    def where(self) -> str:
        """The server's name in a sentence."""
        return urlsplit(self.base_url).netloc

    async def ask(self, do: Callable[[Any], T], undo: Callable[[Any, T], object] | None = None) -> T:
        """Runs ``do`` with the SDK's ``conversational_ai`` client in a thread: what the SDK computes to read
        an answer (a second and more the first time) must not hold up the sound of other calls. ``do`` goes on
        where the caller is cancelled; ``undo`` then gets what it made.

        Raises:
            Gone: HTTP 404.
            VendorUnusable: the key, the request or the account is at fault.
            VendorError: the platform can't be reached or is busy.
        """
        if undo is None:
            return await asyncio.to_thread(self._ask, do)
        return await made(lambda: self._ask(do), lambda value: self._ask(lambda api: undo(api, value)))

    def _ask(self, do: Callable[[Any], T]) -> T:
        import httpx
        from elevenlabs.client import ElevenLabs
        from elevenlabs.core.api_error import ApiError

        with httpx.Client(timeout=_SECONDS) as http:
            # the SDK gives each request a limit of its own, which goes before the client's
            client = ElevenLabs(api_key=self.key, base_url=self.base_url, timeout=_SECONDS, httpx_client=http)
            try:
                return do(client.conversational_ai)
            except VendorError:
                raise
            except ApiError as error:
                raise self._refused(error) from None
            except httpx.HTTPError as error:
                raise self.unreached(error) from None
            except Exception as error:  # an answer of another shape than documented
                raise self._unread(f"{type(error).__name__}: {error}") from None

    def unreached(self, error: Exception) -> VendorError:
        """What it means that nobody answered."""
        return failed_connect(error, ELEVENLABS, self.where, self.key, address=ELEVENLABS.url)

    def _unread(self, told: str) -> VendorError:
        plain = one_line(told, self.key)
        return VendorError(
            f"{self.where} answered what this adapter can't read ({plain}): check {ELEVENLABS.url}"
        )

    def _refused(self, error: Any) -> VendorError:
        code, message = _told(error.body)
        status = int(error.status_code or 500)
        if status < 400:
            return self._unread(message)
        if code in NO_CREDIT:  # comes with HTTP 401, as a wrong key does
            status = 402
        if status == 404 and not code:  # which the vendor would have named
            told = one_line(message, self.key)
            what = f"HTTP 404: {told}" if told else "HTTP 404"
            return VendorUnusable(f"{self.where} has no such API ({what}): check {ELEVENLABS.url}")
        body = json.dumps({"error": {"code": code, "message": message}})
        refused = refused_status(status, body, ELEVENLABS, self.where, self.key, check=_CHECK)
        return Gone(str(refused)) if status == 404 else refused


def _told(body: Any) -> tuple[str, str]:
    """Code and message of a refusal, which come as ``detail``: an object, a text, or a list of faults."""
    detail = body.get("detail", body) if isinstance(body, dict) else body
    if isinstance(detail, dict):
        return str(detail.get("status", detail.get("code", ""))), str(detail.get("message", detail))
    return "", detail if isinstance(detail, str) else json.dumps(detail, default=str)
