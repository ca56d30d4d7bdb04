"""The reference platforms as a plugin. Their parts are imported when the hook is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from offhook.hooks import CommandSpec, hookimpl

if TYPE_CHECKING:
    from offhook.sessions import Adapter

__all__ = ["offhook_adapters", "offhook_commands"]


@hookimpl
def offhook_adapters() -> Sequence[Adapter]:
    """The policy follower, a language model of the user's choice, and the saboteurs."""
    from offhook_adapters.reference.adapter import ReferenceAdapter
    from offhook_adapters.reference.minds.follower import make_follower
    from offhook_adapters.reference.minds.openai_mind import missing_settings, openai_mind
    from offhook_adapters.reference.minds.saboteurs import FAULTS, saboteur

    return (
        ReferenceAdapter("reference", make_follower),
        ReferenceAdapter("reference-openai", openai_mind, virtual_time=False, missing=missing_settings),
        *(ReferenceAdapter(f"saboteur-{fault.name}", saboteur(fault)) for fault in FAULTS),
    )


@hookimpl
def offhook_commands() -> Sequence[CommandSpec]:
    """Trying the saboteurs on a pack."""
    return (
        CommandSpec(
            "sabotage",
            "Try every saboteur on the tasks of a pack.",
            "offhook_adapters.reference.sabotage_command:sabotage",
        ),
    )
