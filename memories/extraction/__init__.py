"""The extractors of the facts memory: what a sentence states, and the ledger it goes into."""
