"""Random streams: one per purpose, all derived from the run's seed.

A stream never depends on how many numbers another purpose drew, so adding a purpose changes no other.
"""

from __future__ import annotations

import hashlib

import numpy as np

__all__ = ["derive_seed", "opaque_id", "stream"]


def derive_seed(*parts: str | int) -> int:
    """A 128-bit seed from the parts, in order; unequal part lists give unrelated seeds."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")


def stream(run_seed: int, call_id: str, purpose: str) -> np.random.Generator:
    """The generator for one purpose (``"pauses"``, ``"tempo"``...) of one call."""
    return np.random.Generator(np.random.PCG64(derive_seed(run_seed, call_id, purpose)))


def opaque_id(*parts: str | int) -> str:
    """Sixteen hex digits that tell a platform nothing about the parts."""
    return hashlib.sha256(("opaque\x1f" + "\x1f".join(str(part) for part in parts)).encode()).hexdigest()[:16]
