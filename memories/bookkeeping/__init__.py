"""The readers of the ledger: what a sentence binds to, asks for, corrects, lifts or announces."""
