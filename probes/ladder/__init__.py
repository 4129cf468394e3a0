"""The ladder: generated arcs in three tiers that ask for one, several or revised facts."""

from probes.ladder.generator import ladder, shortfalls, varied

__all__ = ["ladder", "shortfalls", "varied"]
