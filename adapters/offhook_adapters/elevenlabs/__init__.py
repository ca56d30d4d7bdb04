"""ElevenLabs Agents: the vendor's SDK for its REST API, a plain WebSocket for the conversation, and a local
twin of both.
"""
