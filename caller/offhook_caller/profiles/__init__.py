"""Audio profiles: what lies between the caller's mouth and the platform, on the street and on a bad line."""

__all__: list[str] = []
