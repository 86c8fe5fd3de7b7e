"""How every verb ends when something is wrong: a message, what to type next, and an exit code."""

from __future__ import annotations

import errno
import shlex
import tempfile
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

from audit.errors import UserError
from reports.model.report_error import ReportError

DRIFTED = 1
BAD_INPUT = 2
NOT_AUDITED = 3
FAULT = 70
INTERRUPTED = 130

_FULL = (errno.ENOSPC, errno.EDQUOT)


class Commands(TyperGroup):
    """All verbs; errors that the user can mend leave without a traceback.

    ``context.obj`` is the command line as typed, for the record.
    """

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        """Parse ``args``, and keep them in words."""
        extra.setdefault("obj", shlex.join([info_name or "audit", *args]))
        return super().make_context(info_name, args, *rest, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; every way in which it can fail becomes an exit code."""
        try:
            return super().invoke(ctx)
        except UserError as error:
            code = _say(error.message, error.hint, error.exit_code)
        except ReportError as error:
            code = _say(error.message, error.hint, BAD_INPUT)
        except KeyboardInterrupt:
            code = _say("interrupted; what is built stays, nothing else was written", "", INTERRUPTED)
        except OSError as error:
            code = _say_full(error) if error.errno in _FULL else _say_fault(error)
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if _is_usage(error):
                raise
            code = _say_fault(error)
        raise typer.Exit(code)


def _is_usage(error: Exception) -> bool:
    # Told by the parser itself; where its classes are differs between versions of Typer.
    return hasattr(error, "format_message")


def _say(message: str, hint: str, code: int) -> int:
    typer.echo(f"audit: {message}", err=True)
    if hint:
        typer.echo(f"  → {hint}", err=True)
    return code


def _say_full(error: OSError) -> int:
    place = error.filename or tempfile.gettempdir()
    return _say(f"no space left on the disk of {place}", "make room there, or set TMPDIR to another disk", BAD_INPUT)


def _say_fault(error: Exception) -> int:
    typer.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    return _say("this is a fault of the tool, not of what you typed", "please report it with the text above", FAULT)
