"""Scored rows from anywhere, compared as if they came from a run; `docs/external-results.md`."""

from runs.external.comparing import compare_tables

__all__ = ["compare_tables"]
