"""Hand-written scenarios, as files."""
