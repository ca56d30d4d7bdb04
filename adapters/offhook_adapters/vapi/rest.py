"""Vapi's REST interface through the vendor's SDK, in threads.

Importing the SDK's clients builds some two thousand models: 16 s to 18 s of computing on one core and some
450 MB, once a process. Leaving its types and clients out would leave no SDK. That, and reading a call's
record, must not hold up the loop on which calls are held.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import attrs

from offhook.audio import LINE_RATE, Resampler
from offhook_adapters.vapi.config import RATE, TAG, VAPI
from offhook_adapters.wires.threads import made as made_in_thread
from offhook_adapters.wires.trouble import failed_connect, one_line, refused_status
from offhook_adapters.wires.vendor import VendorError, VendorUnusable

if TYPE_CHECKING:
    from vapi import Vapi

__all__ = ["Gone", "OpenedCall", "VapiRest", "import_sdk"]

T = TypeVar("T")

_SECONDS: Final = 15.0
_END_SECONDS: Final = 5
_NOT_FOUND: Final = 404
_OWN: Final = "https://api.vapi.ai"
_MOST: Final = 1000
# docs.vapi.ai/billing/billing-limits names no status, only the words.
_NO_CREDIT: Final = ("billing limit", "wallet balance", "credits")


class Gone(VendorError):
    """The assistant is there no more."""


@attrs.frozen
class OpenedCall:
    """A call that waits for its caller at ``url``; ``control`` takes orders for it, where there is such."""

    id: str
    url: str
    control: str = ""


@attrs.frozen
class VapiRest:
    """``base_url`` None is Vapi's own."""

    key: str = attrs.field(repr=False)
    base_url: str | None

    @property
    def where(self) -> str:
        """The server's name in a sentence."""
        return urlsplit(self.base_url or _OWN).netloc

    async def assistants(self, tag: str) -> tuple[str, ...]:
        """The ids of the assistants with that tag, the oldest first. Raises VendorError."""

        def ask(client: Vapi, options: Any) -> tuple[str, ...]:
            listed = client.assistants.list(limit=_MOST, request_options=options)
            tagged = [each for each in listed if (each.metadata or {}).get(TAG) == tag]
            return tuple(each.id for each in sorted(tagged, key=lambda each: (str(each.created_at), each.id)))

        return await self._asked(ask)

    async def create_assistant(self, name: str, tag: str, body: Mapping[str, Any]) -> str:
        """The new assistant's id. Raises VendorError."""

        def ask(client: Vapi, options: Any) -> str:
            made = client.assistants.create(
                name=name,
                metadata={TAG: tag},
                model=body["model"],
                voice=body["voice"],
                transcriber=body["transcriber"],
                first_message=body["firstMessage"],
                first_message_mode=body["firstMessageMode"],
                client_messages=body["clientMessages"],
                server_messages=body["serverMessages"],
                request_options=options,
            )
            return str(made.id)

        def unmake(assistant: str) -> None:
            self._ask(lambda client, options: client.assistants.delete(assistant, request_options=options))

        return await made_in_thread(lambda: self._ask(ask), unmake)

    async def delete_assistant(self, assistant: str) -> None:
        """Raises Gone where there is no such assistant, and VendorError."""

        def ask(client: Vapi, options: Any) -> None:
            from vapi.core.api_error import ApiError

            try:
                client.assistants.delete(assistant, request_options=options)
            except ApiError as error:
                if error.status_code != _NOT_FOUND:
                    raise
                raise Gone(f"{self.where} has no assistant {assistant} any more") from None

        await self._asked(ask)

    async def create_call(self, assistant: str, body: Mapping[str, Any]) -> OpenedCall:
        """Raises Gone where there is no such assistant, and VendorError."""

        def ask(client: Vapi, options: Any) -> OpenedCall:
            made: Any = client.calls.create(assistant_id=assistant, **body, request_options=options)
            if _is_blocked(made):
                raise VendorError(
                    f"{self.where} has no free line: try again later, or hold fewer calls at once"
                )
            # the SDK's type knows no such field, and keeps it as the server gave it
            url = getattr(made.transport, "websocketCallUrl", None)
            control = getattr(getattr(made, "monitor", None), "control_url", None)
            opened = OpenedCall(str(made.id), str(url or ""), str(control or ""))
            if not url:
                self.end_call(opened)
                raise VendorError(f"{self.where} gave no address to call: try again later")
            return opened

        return await made_in_thread(lambda: self._ask(ask), self.end_call)

    def end_call(self, opened: OpenedCall) -> None:
        """Ends a call that nobody picks up, which else runs, and is billed, until the vendor's time is up.
        Blocks, for ten seconds at most; where the vendor does not answer, nothing more can be done.

        A call takes the order to end at an address of its own (docs.vapi.ai/calls/call-features, and
        ``ClientInboundMessageEndCall`` in the SDK); one without it is deleted.
        """
        import httpx

        with suppress(httpx.HTTPError, httpx.InvalidURL), httpx.Client(timeout=_END_SECONDS) as http:
            if opened.control and http.post(opened.control, json={"type": "end-call"}).is_success:
                return
        with suppress(VendorError):
            self._ask(
                lambda client, options: client.calls.delete(
                    opened.id, request_options={**options, "timeout_in_seconds": _END_SECONDS}
                )
            )

    async def call(self, call_id: str) -> Any:
        """The SDK's Call. Raises VendorError."""
        return await self._asked(lambda client, options: client.calls.get(call_id, request_options=options))

    async def _asked(self, ask: Callable[[Vapi, Any], T]) -> T:
        return await asyncio.to_thread(self._ask, ask)

    def _ask(self, ask: Callable[[Vapi, Any], T]) -> T:
        import_sdk()
        import httpx
        from vapi import Vapi
        from vapi.core.api_error import ApiError

        # plain HTTP has no certificates to check, and loading them takes longer than all the rest
        verify = urlsplit(self.base_url or _OWN).scheme == "https"
        try:
            with httpx.Client(timeout=_SECONDS, verify=verify) as http:
                client = Vapi(token=self.key, base_url=self.base_url or _OWN, httpx_client=http)
                # a POST that is sent again would open a second call
                return ask(client, {"max_retries": 0})
        except VendorError:
            raise
        except ApiError as error:
            raise self._refused(error) from None
        except httpx.HTTPError as error:
            raise failed_connect(error, VAPI, self.where, self.key, check="base_url") from None
        except Exception as error:  # an answer of another shape than documented
            told = one_line(f"{type(error).__name__}: {error}", self.key)
            raise VendorError(
                f"{self.where} answered what this adapter can't read ({told}): check base_url"
            ) from None

    def _refused(self, error: Any) -> VendorError:
        told = _message(error.body)
        status = int(error.status_code or 0)
        plain = one_line(told, self.key)
        if any(word in told.casefold() for word in _NO_CREDIT):
            return VendorUnusable(
                f"{self.where} answered: {plain}: check the plan and billing of the account"
            )
        if status in (400, _NOT_FOUND) and _names_no_assistant(told.casefold()):
            return Gone(f"{self.where} answered HTTP {status} ({plain}): try again")
        if status == _NOT_FOUND:
            what = f"HTTP 404: {plain}" if plain else "HTTP 404"
            return VendorUnusable(f"{self.where} has no such API ({what}): check base_url or {VAPI.url}")
        return refused_status(
            status, told, VAPI, self.where, self.key, check="base_url, model, voice and transcriber"
        )


def _is_blocked(made: Any) -> bool:
    """Whether all lines were in use. An answer that the SDK knows no type for keeps the server's names."""
    limits = getattr(made, "subscription_limits", None) or getattr(made, "subscriptionLimits", None)
    if isinstance(limits, Mapping):
        return bool(limits.get("concurrencyBlocked"))
    return bool(getattr(limits, "concurrency_blocked", False))


def _message(body: Any) -> str:
    """What a refusal says: ``message`` is a line or a list of them."""
    told = body.get("message") if isinstance(body, Mapping) else body
    return "; ".join(str(line) for line in told) if isinstance(told, list) else str(told or "")


def _names_no_assistant(told: str) -> bool:
    return "assistant" in told and ("not exist" in told or "not found" in told)


def import_sdk() -> None:
    """Loads the SDK's clients and what the first call would need besides. Takes seconds, so call it in a
    thread.

    Raises:
        VendorUnusable: the SDK, or what the calls need besides, is missing.
    """
    try:
        import httpx  # noqa: F401
        import vapi.assistants.client
        import vapi.calls.client  # noqa: F401
        import websockets.asyncio.client  # noqa: F401
        from vapi.core.serialization import convert_and_respect_annotation_metadata
        from vapi.types.assistant_overrides import AssistantOverrides
    except ImportError:
        raise VendorUnusable(VAPI.no_sdk) from None
    convert_and_respect_annotation_metadata(object_={}, annotation=AssistantOverrides, direction="write")
    Resampler(LINE_RATE, RATE)
