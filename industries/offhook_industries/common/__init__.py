"""What several packs need: dice, names of invented people, towns. One copy of each."""

__all__: list[str] = []
