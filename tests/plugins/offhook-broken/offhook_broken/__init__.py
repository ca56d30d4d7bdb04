"""Each module is broken in one way."""
