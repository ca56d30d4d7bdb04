"""The named random streams of one side of one call, without the seed they come from."""

from __future__ import annotations

import hashlib

import numpy as np

from offhook.sessions import RngSource

__all__ = ["streams_of"]


def streams_of(run_seed: int, call_id: str, side: str) -> RngSource:
    """Gives for a purpose what ``stream(run_seed, call_id, f"{side}/{purpose}")`` gives. A platform is handed
    this, and must not learn which task it is called for: the run's seed would tell it, as call ids are made
    of seed and task. So only a half-finished hash is kept, from which neither can be read.
    """
    begun = hashlib.sha256(f"{run_seed}\x1f{call_id}\x1f{side}/".encode())

    def rng(purpose: str) -> np.random.Generator:
        whole = begun.copy()
        whole.update(purpose.encode())
        return np.random.Generator(np.random.PCG64(int.from_bytes(whole.digest()[:16], "big")))

    return rng
