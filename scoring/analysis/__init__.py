"""The declared analysis: hypotheses, seeds, models, and what no statement follows from."""
