"""Scripted readers: models that act on the rendered prompt by fixed rules."""
