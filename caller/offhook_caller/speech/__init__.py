"""Embedded speech engines, offline from wheels: voices, recognisers, voice activity, sentence similarity."""
