"""First-party plugins of this family; see its entry points in pyproject.toml."""
