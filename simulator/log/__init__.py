"""The append-only SQLite event log."""
