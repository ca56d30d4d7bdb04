"""``offhook check``: what a platform needs on this machine, and what calling it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs
import click

from offhook._raised import raised_line
from offhook.cli._before import NotReady
from offhook.cli._errors import ExitCode
from offhook.cli._output import count, json_option, print_json, print_table
from offhook.host import PluginHost

if TYPE_CHECKING:
    from offhook.sessions import Adapter, Capabilities

__all__ = ["check"]


@attrs.frozen
class _Standing:
    """What can be said of a platform without a call. Prices are in USD, None where nobody knows."""

    platform: str
    missing: tuple[str, ...]
    options: dict[str, str]
    capabilities: Capabilities
    at_once: int
    call_usd: float | None
    tasks: int

    @property
    def run_usd(self) -> float | None:
        return None if self.call_usd is None else round(self.call_usd * self.tasks, 6)


@click.command(
    epilog="""\b
Examples:
  offhook check openai-realtime
  offhook check reference --json
"""
)
@click.argument("adapter")
@click.option(
    "--block", multiple=True, metavar="NAME", help="Leave out a plugin or distribution (repeatable)."
)
@json_option
def check(adapter: str, block: tuple[str, ...], as_json: bool) -> int:
    """Say what a platform needs on this machine, how it calls tools, and what its calls cost.

    ADAPTER is the name of a platform (names: offhook plugins). Nothing is dialled: whether a key is accepted
    shows on the first call. Prices are reckoned from the platform's own list, for calls of three minutes. The
    exit code is 3 where something is missing.
    """
    from offhook.runner.plan import UnknownName

    host = PluginHost.discover(block=block)
    adapters = host.adapters()
    if adapter not in adapters and (why := host.why_not("adapter", adapter)):
        raise NotReady(why)
    if adapter not in adapters:
        raise UnknownName("platform", adapter, adapters)
    standing = _standing(adapters[adapter], host)
    if as_json:
        print_json(_as_json(standing))
    else:
        _print(standing)
    return ExitCode.ENVIRONMENT if standing.missing else ExitCode.DONE


def _standing(adapter: Adapter, host: PluginHost) -> _Standing:
    from offhook.runner import DEFAULT_AT_ONCE, lacking_for_tools, list_price

    try:
        capabilities = adapter.capabilities
    except (Exception, SystemExit) as error:
        raise NotReady(f"{adapter.name}: its capabilities cannot be read: {raised_line(error)}") from error
    options, unread = _options(adapter)
    return _Standing(
        platform=adapter.name,
        missing=tuple(filter(None, (_lacking(adapter), unread, lacking_for_tools(adapter)))),
        options=options,
        capabilities=capabilities,
        at_once=max(1, min(capabilities.concurrency, DEFAULT_AT_ONCE)),
        call_usd=list_price(adapter),
        tasks=sum(len(pack.tasks) for pack in host.packs().values()),
    )


def _lacking(adapter: Adapter) -> str:
    from offhook._program import missing_of
    from offhook.storage import one_line

    try:
        return missing_of(adapter)
    except (Exception, SystemExit) as error:  # what keeps it from looking keeps it from calling
        return f"its check failed: {one_line(error)}"


def _options(adapter: Adapter) -> tuple[dict[str, str], str]:
    """Name to help, and why they can't be told, if so."""
    from offhook._program import options_of
    from offhook.storage import one_line

    try:
        return dict(options_of(adapter) or {}), ""
    except (Exception, SystemExit) as error:
        return {}, f"its options can't be read: {one_line(error)}"


def _as_json(standing: _Standing) -> dict[str, Any]:
    from offhook.runner import CALL_SECONDS

    capabilities = standing.capabilities
    return {
        "platform": standing.platform,
        "ready": not standing.missing,
        "missing": list(standing.missing),
        "options": standing.options,
        "tool_mode": capabilities.tool_mode.value,
        "public_url": capabilities.public_url,
        "session_cap_s": capabilities.session_cap,
        "concurrency": capabilities.concurrency,
        "at_once": standing.at_once,
        "virtual_time": _is_virtual(capabilities),
        "call_seconds": CALL_SECONDS,
        "call_usd": standing.call_usd,
        "tasks": standing.tasks,
        "run_usd": standing.run_usd,
    }


def _print(standing: _Standing) -> None:
    capabilities = standing.capabilities
    cap = capabilities.session_cap
    rows = [
        ("missing", "; ".join(standing.missing) or "nothing"),
        ("tools", _tools(capabilities)),
        ("longest session", "no limit known" if cap is None else f"{cap:g} s"),
        ("calls at once", _at_once(standing)),
        ("a call of 3 minutes", _usd(standing.call_usd)),
        (f"the {count(standing.tasks, 'task')}, once each", _usd(standing.run_usd)),
    ]
    print_table(standing.platform, ("what", "how it stands"), rows, whole=("what",))
    if standing.options:
        print_table("options (-o NAME=VALUE)", ("name", "what it sets"), [*standing.options.items()])
    else:
        click.echo(f"{standing.platform} names no options.")


def _tools(capabilities: Capabilities) -> str:
    how = {
        "client": "through its session",
        "in_process": "in this process",
        "webhook": "by webhook",
        "mcp": "over MCP",
    }[capabilities.tool_mode.value]
    return f"{how}; needs --public-url" if capabilities.public_url else f"{how}; no public URL needed"


def _at_once(standing: _Standing) -> str:
    capabilities = standing.capabilities
    if _is_virtual(capabilities):
        return "one by one in virtual time; --workers places more"
    return f"{standing.at_once} by default, {max(1, capabilities.concurrency)} at most"


def _is_virtual(capabilities: Capabilities) -> bool:
    return capabilities.virtual_time and capabilities.tool_mode.value not in ("webhook", "mcp")


def _usd(price: float | None) -> str:
    if price is None:
        return "not known beforehand"
    return "nothing" if price == 0 else f"about ${price:.2f}" if price >= 1 else f"about ${price:.4f}"
