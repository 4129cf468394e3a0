"""Suites, the runner, comparisons, reports and the command line."""
