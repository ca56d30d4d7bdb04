"""Agents built from a vendor's parts: ears, a chat model and a voice."""
