"""The reference platform: a voice agent that runs in process, so that everything else can be exercised
offline.
"""
