"""OpenAI GPT-Live, which listens and talks at the same time, and a local twin of its server."""
