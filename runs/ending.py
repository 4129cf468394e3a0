"""How the command line ends: every mistake of the user with one line and a status."""

import sys
from typing import Any

import typer
from typer.core import TyperGroup

from runs.spelling import spelled


class Commands(TyperGroup):
    """A group of commands that ends every mistake of the user with one line and a status.

    Status 2: wrong input. 1: a log that is damaged or full, a worker that was killed.
    130: interrupted.
    """

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Call the command."""
        # Imported here because pydantic comes along, and `--help` does without.
        from simulator.events.errors import InputError
        from simulator.log.errors import LogDamaged, LogRefused

        try:
            done = super().invoke(ctx)
            sys.stdout.flush()  # a reader that has gone is noticed here and not at the very end
        except InputError as error:
            raise _stop(str(error), 2) from None
        except LogDamaged as error:
            raise _stop(f"{error}; `memtrial verify` says what is wrong and where", 1) from None
        except (LogRefused, ChildProcessError) as error:
            raise _stop(str(error), 1) from None
        except KeyboardInterrupt:
            raise _stop("interrupted; what was finished is recorded", 130) from None
        except BrokenPipeError:
            raise  # typer ends quietly with 1
        except OSError as error:
            raise _stop(_said(error), 2) from None
        return done

    def resolve_command(self, ctx: typer.Context, args: list[str]) -> Any:  # type: ignore[override]
        """Find the command that `args` begin with.

        Raises:
            InputError: for an unknown one, with the nearest one.
        """
        from simulator.events.errors import InputError, nearest

        if args and args[0] not in self.commands:
            raise InputError(f"unknown command {args[0]!r}{nearest(args[0], self.commands)}")
        return super().resolve_command(ctx, args)


def _stop(message: str, status: int) -> typer.Exit:
    print(f"memtrial: {spelled(message)}", file=sys.stderr)
    return typer.Exit(status)


def _said(error: OSError) -> str:
    what = error.strerror or str(error)
    return what if error.filename is None else f"{error.filename}: {what}"
