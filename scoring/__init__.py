"""Scoring: pure functions of a run folder."""
