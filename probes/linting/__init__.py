"""Lint: whether a scenario is sound, fair and winnable."""
