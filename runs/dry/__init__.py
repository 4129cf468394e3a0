"""Dry runs: a suite played in memory with stand-ins where a real model would be asked."""
