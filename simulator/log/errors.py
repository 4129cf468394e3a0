"""What can go wrong with a log that is no mistake in the user's input."""


class LogRefused(Exception):
    """The log did not take a write; nothing of that transaction was stored."""


class NoSpace(LogRefused):
    """A file could not be written because its disk is full; what stands in the log is whole."""


class LogDamaged(Exception):
    """The log cannot give back what it should hold; `verify` says what is wrong and where."""
