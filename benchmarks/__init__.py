"""Speeds, reported as ratios measured in one run; never asserted."""
