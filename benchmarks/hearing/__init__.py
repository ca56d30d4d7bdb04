"""The hearing bench: a caller's words, as sound, through the reference platform's ears, back to a value."""
