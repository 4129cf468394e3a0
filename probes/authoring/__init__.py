"""Authoring: tasks of the context track written in verbs, compiled to a script and its key."""

from probes.authoring.compiling import Compiled, compiled, is_task

__all__ = ["Compiled", "compiled", "is_task"]
