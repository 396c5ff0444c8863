"""How commands end: what is wrong is one sentence, and the exit code says whose fault it is."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

MISTAKE = 1
INTERRUPTED = 130
NOBODY_READS = 141
"""What shells tell of a program that wrote into a closed pipe."""


class Commands(click.Group):
    """A group whose commands may raise what the library raises.

    A user's mistake is exit code 1, whether click finds it or the library does, and Ctrl-C is 130.
    """

    def main(  # type: ignore[override]
        self, args: Any = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        prog_name = prog_name or "lapwing"
        if not extra.pop("standalone_mode", True):
            return super().main(args, prog_name, standalone_mode=False, **extra)
        try:
            code = super().main(args, prog_name, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as help_text:
            click.echo(help_text.format_message(), err=True)
            sys.exit(MISTAKE)
        except click.ClickException as mistake:
            click.echo(f"Error: {_sentence(mistake)}", err=True)
            sys.exit(MISTAKE)
        except click.Abort:
            sys.exit(INTERRUPTED)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            found = super().invoke(ctx)
            # What is still in the buffer is refused here, and not while Python ends.
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            ctx.exit(NOBODY_READS)
        except OSError as error:
            raise click.ClickException(_os_sentence(error)) from error
        except (TypeError, ValueError, MemoryError, ModuleNotFoundError) as error:
            raise click.ClickException(str(error) or type(error).__name__) from error
        return found


def silence(stream: Any) -> None:
    """Whatever is still to be written to it goes nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _sentence(mistake: click.ClickException) -> str:
    text = mistake.format_message()
    if isinstance(mistake, click.UsageError) and mistake.ctx is not None:
        return f"{text.rstrip('.')} ({mistake.ctx.command_path} --help tells more)"
    return text


def _os_sentence(error: OSError) -> str:
    """The engine's errors are sentences; Python's have a file and a reason."""
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
