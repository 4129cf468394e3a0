"""Choosing subsets: verdicts of runs or tables in, a suite with its evidence out."""
