"""Agents: what decides at decision points."""
