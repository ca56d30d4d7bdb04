"""How well the platform heard the caller, and the error of the voices themselves."""
