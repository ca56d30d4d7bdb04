"""Waits and turns, measured on the recording."""
