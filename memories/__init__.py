"""Memory architectures, one module each."""
