"""Stewards: readers that understand what is said of a value, and versions with one weakness each."""
