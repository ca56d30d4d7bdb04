"""Judges that must quote, and verifiers that decide check by check."""
