"""The context track: what was kept, what was dropped, and where dropped content survived."""
