"""Scenarios: files, generators, importers, lint."""
