"""One question to an OpenAI-compatible chat completions endpoint, at temperature 0: settings from the
environment, tries, a deadline, and what came back. The key is sent as a header and goes nowhere else."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import attrs

from offhook.storage import clean_text, one_line

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "ChatSettings", "ChatUnavailable", "ask", "chat_settings", "json_object"]

_DEFAULT_URL: Final = "https://api.openai.com/v1"
_RETRIED: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_MOST_BYTES: Final = 8 * 1024 * 1024
_LONGEST_WAIT_S: Final = 30.0
# A letter or figure written as \\u00xx, quotes, backslashes and control characters apart.
_ESCAPED: Final = re.compile(
    r"(?<!\\)((?:\\\\)*)\\u00(2[013-9a-f]|3[0-9a-f]|4[0-9a-f]|5[0-9abdef]|[67][0-9a-e])", re.I
)


class ChatUnavailable(Exception):
    """No key, no endpoint or no answer; the message says what to do and never holds the key."""


@attrs.frozen
class ChatSettings:
    """Where the model is. ``timeout`` is in seconds for each step of a request, ``deadline`` for all tries of
    one question together; ``tries`` counts the first; ``backoff`` is the first pause between two. ``whose``
    is the word in the names of its variables."""

    model: str
    api_key: str = attrs.field(repr=False)
    base_url: str = _DEFAULT_URL
    timeout: float = 60.0
    deadline: float = 240.0
    tries: int = 4
    backoff: float = 1.0
    whose: str = "JUDGE"

    @property
    def endpoint(self) -> str:
        """The address without what may be secret in it."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


@attrs.frozen
class Answer:
    """What came back. ``model`` is how the endpoint names what answered, empty where it does not."""

    text: str
    model: str
    fingerprint: str


def chat_settings(environment: Mapping[str, str], whose: str, who: str, fallback: str = "") -> ChatSettings:
    """Reads the variables ``OFFHOOK_<whose>_MODEL``, ``..._API_KEY`` (else ``OPENAI_API_KEY``) and
    ``..._BASE_URL``; what is not set is looked for with ``fallback`` as the word too, the model apart.

    Raises:
        ChatUnavailable: model or key is not set, the key can't be one, or the address can't be used.
    """
    prefix = f"OFFHOOK_{whose}"
    model = environment.get(f"{prefix}_MODEL", "").strip()
    keys = [f"OFFHOOK_{word}_API_KEY" for word in (whose, fallback) if word]
    key = next((environment[name] for name in (*keys, "OPENAI_API_KEY") if environment.get(name)), "").strip()
    lacks = {
        "a model": "" if model else f"set {prefix}_MODEL to its exact, dated id",
        "a key": "" if key else f"set {prefix}_API_KEY or OPENAI_API_KEY",
    }
    missing = {what: remedy for what, remedy in lacks.items() if remedy}
    if missing:
        raise ChatUnavailable(f"{who} needs {' and '.join(missing)}: {', and '.join(missing.values())}")
    if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
        raise ChatUnavailable(f"the key of {who} holds a blank or another character that no key has")
    named = environment.get(f"{prefix}_BASE_URL") or environment.get(f"OFFHOOK_{fallback}_BASE_URL", "")
    base_url = (named or _DEFAULT_URL).strip().rstrip("/")
    try:
        parts = urlsplit(base_url)
        parts.port  # noqa: B018 - it is only read, and checked, when asked for
    except ValueError as error:
        raise ChatUnavailable(f"{prefix}_BASE_URL is no http address ({error})") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ChatUnavailable(f"{prefix}_BASE_URL is no http address")
    if "@" in parts.netloc or parts.query or parts.fragment:  # it is kept in grades
        raise ChatUnavailable(
            f"{prefix}_BASE_URL holds a password or a query: put the key in {prefix}_API_KEY"
        )
    return ChatSettings(model, key, base_url, whose=whose)


def ask(settings: ChatSettings, messages: Sequence[Mapping[str, str]]) -> Answer:
    """The model's answer to one question. Busy servers, broken connections and replies that are no completion
    are tried again until ``tries`` or the deadline is used up.

    Raises:
        ChatUnavailable: the endpoint refused, could not be reached, or never gave a completion.
    """
    import httpx

    body = {
        "model": settings.model,
        "temperature": 0,
        "response_format": {"type": "json_object"},
        "messages": [dict(message) for message in messages],
    }
    ends = time.monotonic() + settings.deadline
    problem = ""
    with httpx.Client(headers={"Authorization": f"Bearer {settings.api_key}"}) as client:
        for attempt in range(settings.tries):
            if attempt and not _paused(settings.backoff * 2 ** (attempt - 1), ends):
                break
            try:
                status, text, told = _post(client, settings, body, ends)
            except (httpx.HTTPError, httpx.InvalidURL, _TooLong) as error:
                problem = f"could not be reached or did not finish ({type(error).__name__})"
                continue
            if status in _RETRIED:
                problem = f"answered {status}"
                _paused(told, ends)
                continue
            if status in (401, 403):
                raise _unavailable(
                    settings, f"refused the key (HTTP {status}): check OFFHOOK_{settings.whose}_API_KEY"
                )
            if status != 200:
                raise _unavailable(settings, f"answered {status}: {_excerpt(_without_key(text, settings))}")
            try:
                return _read(text, settings)
            except (ValueError, KeyError, IndexError, TypeError, RecursionError):
                problem = f"gave no completion, but {_excerpt(_without_key(text, settings)) or 'nothing'}"
    raise _unavailable(
        settings, f"{problem or 'was too slow'} ({settings.tries} tries, {settings.deadline:g} s at most)"
    )


class _TooLong(Exception):
    """An answer takes longer, or is larger, than an answer can be."""


def _post(
    client: httpx.Client, settings: ChatSettings, body: Mapping[str, Any], ends: float
) -> tuple[int, str, float]:
    """Status, text, and for how many seconds the server asked to be left alone. A server that drips keeps
    within each step's timeout for ever: the deadline is looked at with each piece."""
    left = max(0.1, ends - time.monotonic())
    address = f"{settings.base_url}/chat/completions"
    with client.stream("POST", address, json=body, timeout=min(settings.timeout, left)) as response:
        found = bytearray()
        for piece in response.iter_bytes():
            found += piece
            if len(found) > _MOST_BYTES or time.monotonic() > ends:
                raise _TooLong
        after = response.headers.get("retry-after", "")
        told = min(float(after), _LONGEST_WAIT_S) if after.isascii() and after.isdigit() else 0.0
        return response.status_code, found.decode("utf-8", "replace"), told


def _paused(seconds: float, ends: float) -> bool:
    """Waits, unless that would go beyond the deadline."""
    if time.monotonic() + seconds >= ends:
        return False
    time.sleep(seconds)
    return True


def _read(text: str, settings: ChatSettings) -> Answer:
    body = json.loads(text)
    content = body["choices"][0]["message"]["content"]
    if isinstance(content, list):  # some servers send parts, of which the text ones count
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        raise TypeError("the message holds no text")
    model, fingerprint = (
        _excerpt(_without_key(clean_text(value), settings)) if isinstance(value, str) else ""
        for value in (body.get("model"), body.get("system_fingerprint"))
    )
    return Answer(_without_key(clean_text(content), settings), model, fingerprint)


def json_object(text: str) -> Mapping[str, Any]:
    """The one JSON object that an answer consists of; a code fence around it is taken off.

    Raises:
        ValueError: it is anything else; the message says what.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```") and len(bare) > 6:
        bare = bare[3:-3].strip().removeprefix("json").strip()
    try:
        found = json.loads(bare, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError(f"expected a JSON object, got {_excerpt(text) or 'nothing'}") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {_excerpt(text)}")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _unavailable(settings: ChatSettings, what: str) -> ChatUnavailable:
    return ChatUnavailable(one_line(f"model {settings.model} at {settings.endpoint} {what}"))


def _without_key(text: str, settings: ChatSettings) -> str:
    """Text from outside without the key: plain, as JSON would hold it, or with letters escaped that need not
    be, which reading the JSON would bring back."""
    key = settings.api_key
    bare = _ESCAPED.sub(lambda found: found[1] + chr(int(found[2], 16)), text)
    if key not in text and key in bare:
        text = bare
    return text.replace(key, "[key]").replace(json.dumps(key)[1:-1], "[key]")


def _excerpt(text: str) -> str:
    flat = one_line(text)
    return flat if len(flat) <= 160 else flat[:157] + "..."
