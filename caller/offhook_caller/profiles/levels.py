"""Levels in dB and factors of amplitude."""

from __future__ import annotations

__all__ = ["amplitude_of", "gain_to"]


def amplitude_of(dbfs: float) -> float:
    """A level against full scale as an amplitude in 16-bit samples."""
    return float(32768 * 10 ** (dbfs / 20))


def gain_to(wanted_dbfs: float, dbfs: float) -> float:
    """The factor that brings sound of level ``dbfs`` to ``wanted_dbfs``."""
    return float(10 ** ((wanted_dbfs - dbfs) / 20))
