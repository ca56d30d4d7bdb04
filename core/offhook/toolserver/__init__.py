"""The tool server: the only system of record of a call, and what its key expects of it.

``ToolServer`` gives every call its own database, made from the pack's schema and seed, and logs every
request. ``replay`` runs a task's expected calls through the same guards, so an expected end state is never
typed by hand. ``changes_between``, ``state_view`` and ``diff_states`` read frozen databases for graders.
"""

from offhook.toolserver._arguments import choice_words, validate_arguments
from offhook.toolserver._images import SeedError, SeedImages, pack_digest
from offhook.toolserver._opencall import FrozenCall
from offhook.toolserver._replay import Replay, ReplayCache, ReplayedCall, ReplayError, replay, resolve_carry
from offhook.toolserver._schemas import agent_config, tool_schemas
from offhook.toolserver._server import ToolServer, TurnedAway
from offhook.toolserver._sockets import ServeError, serve, serve_app
from offhook.toolserver._views import (
    ChangeKind,
    RowChange,
    StateView,
    changed_views,
    changes_between,
    diff_states,
    open_state,
    snapshot,
    state_view,
)

__all__ = [
    "ChangeKind",
    "FrozenCall",
    "Replay",
    "ReplayCache",
    "ReplayError",
    "ReplayedCall",
    "RowChange",
    "SeedError",
    "SeedImages",
    "ServeError",
    "StateView",
    "ToolServer",
    "TurnedAway",
    "agent_config",
    "changed_views",
    "changes_between",
    "choice_words",
    "diff_states",
    "open_state",
    "pack_digest",
    "replay",
    "resolve_carry",
    "serve",
    "serve_app",
    "snapshot",
    "state_view",
    "tool_schemas",
    "validate_arguments",
]
