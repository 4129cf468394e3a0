"""Importers: other people's test sets as scenarios, each item kept, excluded or set aside openly."""
