"""Vapi over its WebSocket transport, with assistants kept by the vendor and tools called over a webhook, and
a local twin of its servers.
"""
