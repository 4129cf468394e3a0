"""Model back ends."""
