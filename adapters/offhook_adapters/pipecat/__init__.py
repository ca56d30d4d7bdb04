"""Pipecat: its own pipeline, voice activity detection, smart turn and interruptions, in this process."""
