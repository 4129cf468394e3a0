"""The clerk: a scripted reader that does office work, bound by what it is shown.

Its rules are general rules of English, written without a look at any generator's sentences;
`docs/readers.md` says what they are.
"""
