"""The engine: plays one trial on a simulated clock."""
