"""A call from its opening to its freeze: who may use it, what was asked, what came of it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import attrs

from offhook.packs import Pack
from offhook.records import ToolLogEntry
from offhook.toolserver._calldb import INTERNAL, Answer, CallDatabase
from offhook.toolserver._images import copy_image
from offhook.toolserver._json import BodyError, parse_object, refusal_body

__all__ = ["LOG_NAME", "STATE_NAME", "FrozenCall", "OpenCall"]

log: Final = logging.getLogger("offhook.toolserver")

STATE_NAME: Final = "state.sqlite"
LOG_NAME: Final = "tools.jsonl"
LARGEST_BODY: Final = 65_536


@attrs.frozen
class FrozenCall:
    """What a call left behind: its database (one read-only file) with SHA-256, and its requests in the order
    they were run."""

    state: Path
    sha256: str
    log: tuple[ToolLogEntry, ...]


class OpenCall:
    """``turn`` is where requests queue in the order they came. ``_using`` is held by whoever has the database
    in hand: a request's task may be cancelled while its tool still runs in a thread, and a freeze must wait
    for that tool."""

    def __init__(self, call_id: str, token: str, folder: Path, clock: Callable[[], float]) -> None:
        self.call_id = call_id
        self.clock = clock
        self.turn = asyncio.Lock()
        self._folder = folder
        self._token = _digest(token)
        self._using = threading.Lock()
        self._database: CallDatabase | None = None
        self._entries: list[ToolLogEntry] = []
        self._log_failure: OSError | None = None
        self._frozen: FrozenCall | None = None

    def admits(self, authorization: str) -> bool:
        """Whether an ``Authorization`` header carries this call's token."""
        scheme, _, token = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(_digest(token.strip()), self._token)

    def handle(
        self, pack: Pack, image: Path, tool: str, raw: bytes, at: float, source_id: str
    ) -> ToolLogEntry | None:
        """Runs and logs one request; ``None`` when the call has been frozen, which it then does not touch."""
        with self._using:
            if self._frozen is not None:
                return None
            arguments: dict[str, Any] = {}
            try:
                database = self._opened(pack, image)
                if len(raw) > LARGEST_BODY:
                    answer = _refusal(413, "too_large", f"the body is larger than {LARGEST_BODY} bytes")
                elif tool not in pack.agent.tools:
                    answer = _refusal(
                        404,
                        "unknown_tool",
                        f"there is no tool of that name; there are {', '.join(pack.agent.tools)}",
                    )
                else:
                    arguments = parse_object(raw)
                    answer = database.run(pack.tool(tool), arguments, len(self._entries))
            except BodyError as error:
                answer = _refusal(400, error.code, error.message)
            except Exception:
                log.exception("call %s: request failed", self.call_id)
                answer = Answer(500, INTERNAL, "internal_error")
            entry = ToolLogEntry(
                index=len(self._entries),
                tool=tool,
                arguments=arguments,
                raw=raw[:LARGEST_BODY].decode("utf-8", "replace"),
                status=answer.status,
                response=answer.body,
                outcome="refused" if answer.code else "accepted",
                code=answer.code,
                at=at,
                canonical=answer.canonical,
                source_id=source_id,
            )
            self._write(entry)
            return entry

    def freeze(self, image: Path) -> FrozenCall:
        """Closes the database (a copy of ``image`` if nothing was asked), hashes it and makes it read-only.
        Idempotent.

        Raises:
            OSError: the database or the request log could not be written in full.
        """
        with self._using:
            if self._frozen is None:
                if self._log_failure is not None:
                    raise self._log_failure
                state = self._folder / STATE_NAME
                if self._database is None:
                    copy_image(image, state)
                self._let_go()
                with state.open("rb") as file:
                    sha256 = hashlib.file_digest(file, "sha256").hexdigest()
                state.chmod(0o444)
                self._frozen = FrozenCall(state, sha256, tuple(self._entries))
            return self._frozen

    def close(self) -> None:
        """Lets go of the database without freezing it."""
        with self._using:
            self._let_go()

    def _opened(self, pack: Pack, image: Path) -> CallDatabase:
        if self._database is None:
            self._database = CallDatabase(pack, image, self._folder / STATE_NAME, self.call_id)
        return self._database

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None

    def _write(self, entry: ToolLogEntry) -> None:
        """Keeps an entry and appends it to the call's log, ASCII only: a line break is always the end of an
        entry."""
        self._entries.append(entry)
        try:
            with (self._folder / LOG_NAME).open("a", encoding="ascii") as lines:
                lines.write(
                    json.dumps(attrs.asdict(entry), sort_keys=True, separators=(",", ":"), allow_nan=False)
                    + "\n"
                )
        except OSError as error:
            # The tool has run and the platform gets its answer; the freeze refuses to pass this log off as
            # whole.
            self._log_failure = error
            log.error("call %s: its request log can't be written: %s", self.call_id, error)


def _refusal(status: int, code: str, message: str) -> Answer:
    return Answer(status, refusal_body(code, message), code)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
