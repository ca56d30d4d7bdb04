"""What an adapter is told by the user: the vendor's key and address from the environment, and options."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from importlib.util import find_spec
from typing import Any, Final, TypeVar

import attrs

from offhook.platforms import PlatformUnusable
from offhook.sessions import AgentConfig

__all__ = ["Vendor", "VendorError", "VendorUnusable", "check_agent", "chosen", "known_options", "number"]

N = TypeVar("N", int, float)

_SERVER: Final = re.compile(r"https?://(\[[\da-fA-F:.]+\]|[^\s/:?#\[\]]+)(?::(\d{1,5}))?(/\S*)?")
_MOST_PORT: Final = 65535
# UTF-8 has no form for a surrogate by itself, which is what a broken decoder or half an escape leaves.
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class VendorError(Exception):
    """A call could not be held; the message is one line that says why. Another try may fare better."""


class VendorUnusable(VendorError, PlatformUnusable):
    """No call could be held: the key, the model, an option or the SDK is at fault."""


@attrs.frozen
class Vendor:
    """Names that messages and settings need.

    ``title`` is the vendor's name in a sentence, ``key`` and ``url`` the environment variables of its key and
    of another server than its own, ``example_url`` what such a one looks like. ``extra`` is the extra of
    offhook's that installs ``modules``, the packages its adapter imports; ``sdk`` names them in a sentence.
    """

    title: str
    key: str
    url: str
    example_url: str
    extra: str
    modules: tuple[str, ...]
    sdk: str

    def api_key(self, environment: Mapping[str, str]) -> str:
        """The user's key.

        Raises:
            VendorUnusable: there is none, or it can't be one.
        """
        key = environment.get(self.key, "").strip()
        if not key:
            raise VendorUnusable(f"{self.key} is not set: set it to your {self.title} key")
        if not (key.isascii() and key.isprintable()) or " " in key:  # no header could carry it
            raise VendorUnusable(
                f"{self.key} holds a blank or another character that no key has: copy it once more"
            )
        return key

    def base_url(self, options: Mapping[str, str], environment: Mapping[str, str]) -> str | None:
        """The server that the option, or else the environment, names; None where neither does.

        Raises:
            VendorUnusable: it is no URL of a server, or holds a password.
        """
        given = options.get("base_url")
        name, url = ("base_url", given) if given else (self.url, environment.get(self.url))
        url = (url or "").strip()
        if not url:
            return None
        if "@" in url:  # it would be shown in errors, and so end up in records
            raise VendorUnusable(f"{name} holds a user or password: put the key in {self.key} instead")
        found = _SERVER.fullmatch(url)
        if found is None or int(found[2] or 0) > _MOST_PORT or _SURROGATE.search(url):
            raise VendorUnusable(f"{name} is {url!r}: set it to a URL like {self.example_url}")
        return url

    @property
    def no_sdk(self) -> str:
        """How a missing or outdated SDK is told."""
        return f"{self.sdk} is missing or too old: run pip install 'offhook[{self.extra}]'"

    def missing(self) -> str | None:
        """What is not installed, in one line, or None. Imports nothing of it."""
        try:
            found = all(find_spec(name) is not None for name in self.modules)
        except (ImportError, ValueError):  # a parent package that is missing, or was blocked
            found = False
        return None if found else self.no_sdk

    def check(self, environment: Mapping[str, str]) -> str | None:
        """What is missing on this machine, in one line, or None: key, address, SDK. Dials nothing."""
        told = [self.missing() or ""]
        try:
            self.api_key(environment)
        except VendorUnusable as error:
            told.append(str(error))
        try:
            self.base_url({}, environment)
        except VendorUnusable as error:
            told.append(str(error))
        return "; ".join(line for line in told if line) or None


def known_options(given: Mapping[str, str], known: Mapping[str, str]) -> None:
    """Makes sure that every option is one there is, with a value that a message can carry.

    Raises:
        VendorUnusable: one is not.
    """
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise VendorUnusable(f"there is no option {unknown[0]!r}: choose from {', '.join(known)}")
    for name in sorted(given):
        _check_text(name, given[name])


def check_agent(agent: AgentConfig) -> None:
    """Makes sure that a message can carry the agent's texts. To be called before anything is set up.

    Raises:
        VendorUnusable: one holds half a surrogate pair, which UTF-8 can't.
    """
    _check_text("the agent's name", agent.name)
    _check_text("the prompt", agent.prompt)
    _check_text("the greeting", agent.greeting)
    for tool in agent.tools:
        for text in _texts([tool.name, tool.description, tool.parameters]):
            _check_text(f"the tool {tool.name!a}", text)


def _check_text(what: str, text: str) -> None:
    found = _SURROGATE.search(text)
    if found is not None:
        raise VendorUnusable(
            f"{what} holds half a character ({found[0]!a} at {found.start()}), which no platform can be "
            "sent: write that place anew"
        )


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case Mapping() as fields:
                waiting += (*fields.keys(), *fields.values())
            case list() | tuple() as items:
                waiting += items


def number(options: Mapping[str, str], name: str, kind: type[N]) -> N | None:
    """A number among the options; None where it is not given.

    Raises:
        VendorUnusable: it is none.
    """
    text = options.get(name)
    if not text:
        return None
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not math.isfinite(value):  # no JSON could carry it
        raise VendorUnusable(f"{name} must be a number, not {text!r}")
    return value


def chosen(options: Mapping[str, str], name: str, allowed: Collection[str], usual: str) -> str:
    """One of a few words among the options.

    Raises:
        VendorUnusable: it is another.
    """
    value = options.get(name) or usual
    if value not in allowed:
        raise VendorUnusable(f"{name} is one of {', '.join(allowed)}, not {value!r}")
    return value
