"""The ladder: generated arcs in three tiers that ask for one, two or revised facts."""

from probes.ladder.arcs import ladder

__all__ = ["ladder"]
