"""The viewer on a socket, until Ctrl-C."""

from __future__ import annotations

import errno
import ipaddress
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.types import ASGIApp

__all__ = ["CannotListen", "is_loopback", "serve_viewer"]


class CannotListen(Exception):
    """The server can't listen where it was told to. One line that says what to do."""


def serve_viewer(app: ASGIApp, *, host: str, port: int, on_listening: Callable[[str], None]) -> None:
    """Serves until the process is interrupted, then returns. Port 0 takes any free one.

    Args:
        on_listening: called with the address once connections are taken.

    Raises:
        CannotListen: the port is in use or not allowed, or the host is empty or not this machine's.
    """
    if not host:  # to a socket it would mean every address
        raise CannotListen("no host to listen on; give an address, such as 127.0.0.1, or leave --host out")
    listener = _listen(host, port)
    config = uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        access_log=False,
        log_level="error",
        timeout_graceful_shutdown=2,
    )
    with listener:
        shown = f"[{host}]" if ":" in host else host
        with suppress(KeyboardInterrupt):  # raised anew once the connections are closed
            on_listening(f"http://{shown}:{listener.getsockname()[1]}/")
            uvicorn.Server(config).run(sockets=[listener])


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host name or address; case and a dot at the end mean nothing."""
    name = host.lower().removesuffix(".")
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            what = f"port {port} on {host} is in use; choose another --port, or leave it out for any free one"
        elif error.errno == errno.EACCES:
            what = f"port {port} needs more rights than you have; choose one above 1023"
        else:
            what = f"cannot listen on {host}:{port}: {error.strerror or error}"
        raise CannotListen(what) from error
