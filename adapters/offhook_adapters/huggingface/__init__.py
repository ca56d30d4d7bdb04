"""An agent built from models on Hugging Face's inference providers."""
