"""An agent built from Mistral's parts: realtime transcription, a chat model, realtime speech."""
