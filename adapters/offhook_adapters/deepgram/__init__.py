"""Deepgram Voice Agent over a WebSocket, through the vendor's own SDK, and a local twin of its server."""
