"""What in-process agent frameworks share."""
