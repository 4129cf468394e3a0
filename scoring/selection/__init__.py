"""Subset selection: fewer episodes that keep the ranking, the risks and the high-risk models."""
