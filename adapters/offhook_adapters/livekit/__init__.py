"""LiveKit Agents: its own session, turn-taking and interruption code, with the run's ears and voice."""
