"""xAI Grok Voice, whose protocol is much like OpenAI Realtime's, and a local twin of its server."""
