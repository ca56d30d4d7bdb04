"""Why a failed call failed."""
