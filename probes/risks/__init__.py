"""The risk track: generated arcs that each put one memory risk before a decision."""

from probes.risks.generator import risks, varied

__all__ = ["risks", "varied"]
