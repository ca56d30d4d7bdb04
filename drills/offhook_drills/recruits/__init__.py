"""Recruits that prove the marks: one does each drill as ordered, the others fail in one way each.

They hear the meeting through voice activity and a recogniser, and talk through a voice. Which drill it is and
what was drawn they learn from nothing but what they hear.
"""
