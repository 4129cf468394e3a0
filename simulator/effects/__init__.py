"""Effects and the ports of what is pluggable."""
