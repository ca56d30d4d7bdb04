"""What decides what the reference platform says and which tools it calls."""
