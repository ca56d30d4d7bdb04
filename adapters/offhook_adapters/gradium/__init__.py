"""An agent built from Gradium's speech-to-text and text-to-speech around any chat model."""
