"""Whether a platform that calls tools by itself can reach them, found out before the first call."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final
from urllib.parse import urlsplit

from offhook._raised import raised_line
from offhook.runner.options import RunOptions
from offhook.sessions import Adapter, ToolMode
from offhook.webhooks import WithWebhook

__all__ = ["PUBLIC_PORT", "ToolsUnreachable", "check_routing", "is_routed", "lacking_for_tools"]

PUBLIC_PORT: Final = 8765
"""Where tools are served for a public URL unless the user names a port: whoever forwards one has to know."""


class ToolsUnreachable(Exception):
    """The platform could not call a tool; one line that says what to do."""


def is_routed(adapter: Adapter) -> bool:
    """Whether the platform reaches the tools by an address of their own, and not through its session. Such
    calls need sockets and run in real time.
    """
    return adapter.capabilities.tool_mode in (ToolMode.WEBHOOK, ToolMode.MCP)


def lacking_for_tools(adapter: Adapter) -> str:
    """What is missing on this machine for the platform's tools, in one line; empty where nothing is."""
    mode = adapter.capabilities.tool_mode
    if mode is ToolMode.WEBHOOK:
        try:
            dialect = adapter.webhook if isinstance(adapter, WithWebhook) else None
            if dialect is None:
                told = "brings no webhook dialect to read them by"
                return f"{adapter.name} posts tool calls, but its adapter {told}"
        except (Exception, SystemExit) as error:  # the property is asked
            return f"{adapter.name}: its webhook dialect cannot be read: {raised_line(error, __file__)}"
    if mode is ToolMode.MCP and find_spec("mcp") is None:
        return f"{adapter.name} calls tools over MCP, which is not installed: pip install 'offhook[mcp]'"
    return ""


def check_routing(adapter: Adapter, options: RunOptions) -> None:
    """Raises ToolsUnreachable where no call of the run could reach a tool."""
    if options.public_url:
        _check_url(options.public_url)
    if not is_routed(adapter):
        return
    if lacking := lacking_for_tools(adapter):
        raise ToolsUnreachable(lacking)
    if adapter.capabilities.public_url and not options.public_url:
        raise ToolsUnreachable(
            f"{adapter.name} reaches the tools over the internet: forward a public address to port "
            f"{options.tools_port or PUBLIC_PORT} of this machine and give it as --public-url URL"
        )
    if options.workers > 1 and (options.public_url or options.tools_port):
        raise ToolsUnreachable(
            "one address serves the tools of one process; leave out --workers and use --at-once"
        )


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)  # which passes over line breaks and blanks that no address may hold
        fits = url.isprintable() and " " not in url and parts.scheme in ("http", "https")
        fits = fits and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
        parts = urlsplit("")
    if not fits or parts.query or parts.fragment or parts.username or parts.password:
        raise ToolsUnreachable(
            "the public URL must be like https://tools.example.com, without user, query or fragment"
        )
