"""Embedders: what turns texts into unit vectors."""
