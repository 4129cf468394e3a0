"""Corruption: wrong records put into clean arcs at a known rate, with the truth in the key."""

from probes.corruption.corrupting import KINDS, RATE, Corruption, corrupt, versions

__all__ = ["KINDS", "RATE", "Corruption", "corrupt", "versions"]
