"""Platforms, one folder each; see the entry points in pyproject.toml.

What several of them share has folders of its own: ``wires`` is the client's side of any vendor (keys,
errors, the event stream, prices), ``twins`` the server's side (the reference platform behind any wire),
``cascade`` an agent made of a vendor's parts, ``_frameworks`` what runs in process, and ``openai_realtime``
the wire that xAI speaks as well.
"""
