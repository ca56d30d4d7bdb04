"""Which calls are void: neither a pass nor a failure, and placed once more."""

from __future__ import annotations

from typing import Final

import numpy as np

from offhook.audio import LINE_RATE, Samples
from offhook.callers import CallerReport
from offhook.scoring import CLEAN, NO_AGENT

__all__ = ["CALLER_LEFT", "PHANTOM", "agent_sounded", "void_cause"]

PHANTOM: Final = "phantom: nobody spoke"
CALLER_LEFT: Final = "caller left first: it hung up before it had said what it wanted, and no tool was called"

# Below this a channel is as good as silent; many platforms send silence all through a call.
_AUDIBLE_RMS: Final = 32768 * 10 ** (-60 / 20)
_BLOCK: Final = LINE_RATE // 50


def agent_sounded(agent: Samples) -> bool:
    """Whether any 20 ms of the agent's side, as played at the line's rate, lie above -60 dBFS RMS."""
    whole = len(agent) // _BLOCK * _BLOCK
    blocks = [agent[:whole].reshape(-1, _BLOCK), agent[whole:].reshape(1, -1)]
    return any(
        bool((np.square(block, dtype=np.float64).mean(axis=1) > _AUDIBLE_RMS**2).any())
        for block in blocks
        if block.size
    )


def void_cause(
    report: CallerReport, *, agent_spoke: bool, transcripts: bool, tool_calls: int, audio: str
) -> str:
    """Why a call that was held is void; empty where it is not.

    Args:
        agent_spoke: whether the agent made any sound (on a text line: said any words).
        transcripts: whether the platform told of any words of either side.
        tool_calls: requests that the tool server received.
        audio: the audio condition. On a degraded line an agent that never heard the caller has failed.
    """
    caller_hung_up = report.hung_up_because != "agent_ended"
    if not agent_spoke:
        # A platform that hangs up without a word has answered the call, so it is the agent that was missing.
        nobody = caller_hung_up and not report.turns and not transcripts
        return PHANTOM if nobody else NO_AGENT
    gave_reason = any(turn.source == "opening" or turn.source.startswith("rule:") for turn in report.turns)
    # A caller who held on to its time limit did not leave first: it was never given the floor.
    left = caller_hung_up and report.hung_up_because != "too_long"
    if left and not gave_reason and not tool_calls and audio == CLEAN:
        return CALLER_LEFT
    return ""
