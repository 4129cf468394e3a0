"""The extractors of the facts memory: what a sentence states, and the book it goes into."""
