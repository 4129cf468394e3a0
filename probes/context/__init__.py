"""The context track: generated tasks of what an agent must keep and what it must drop."""

from probes.context.generator import REFILL, chosen, context

__all__ = ["REFILL", "chosen", "context"]
