"""Worlds with typed tools."""
