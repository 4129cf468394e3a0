"""Two trials side by side: where they first part, how, and what led there."""
