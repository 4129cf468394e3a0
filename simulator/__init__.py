"""The simulator: plays scripts to memories and agents and records everything."""
