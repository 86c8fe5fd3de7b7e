"""The group of all commands: it turns every failure into a message, a hint what to type next, and an exit code."""

from __future__ import annotations

import errno
import shlex
import tempfile
import traceback
from itertools import pairwise
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from recsys_metric_audit.audit.cli.shared.output import BAD_INPUT, FAULT, INTERRUPTED, safe_text, say
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.shadowing import shadowing_file, shadowing_message
from recsys_metric_audit.reports.model.report_error import ReportError

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
_OF_UNIX = ("fcntl", "resource")
"""Modules that Windows lacks, and what runs libraries needs."""
_OF_THE_USER = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


class CommandGroup(TyperGroup):
    """All commands; an error that the user can correct is printed without a traceback.

    ``context.obj`` is the command line as typed, for the record.
    """

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **extra: Any) -> Any:
        """Parse `args`, and store them as one line of text."""
        extra.setdefault("obj", shlex.join([info_name or "audit", *args]))
        try:
            return super().make_context(info_name, args, *rest, **extra)
        except Exception as error:
            raise _readable(error) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command; a failure is printed and becomes ``typer.Exit`` with its exit code."""
        try:
            _refuse_undecodable(ctx.obj)
            _refuse_empty(ctx.obj)
            return super().invoke(ctx)
        except UserError as error:
            code = _print_error(error.message, error.hint, error.exit_code)
        except ReportError as error:
            code = _print_error(error.message, error.hint, BAD_INPUT)
        except KeyboardInterrupt:
            code = _print_error("interrupted; environments that are built stay, no report was written", "", INTERRUPTED)
        except OSError as error:
            code = _print_os_error(error)
        except ModuleNotFoundError as error:
            if error.name not in _OF_UNIX:
                code = _print_fault(error)
            else:
                words = "libraries are run on Linux and macOS only: this system has no process groups and file locks"
                code = _print_error(words, "on Windows, use WSL; explain, diff and report run everywhere", BAD_INPUT)
        except MemoryError:
            code = _print_error("there is not enough memory for that", "try less data, or --jobs 1", BAD_INPUT)
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:
            if isinstance(error, RuntimeError) and "start new thread" in str(error):
                raise typer.Exit(_print_no_process()) from None
            if _is_usage_error(error):
                raise _readable(error) from None
            code = _print_fault(error)
        raise typer.Exit(code)


def _refuse_undecodable(typed: str) -> None:
    """Refuse what was typed in another encoding than that of the system, such as the name of a file in Latin-1."""
    try:
        str(typed).encode()
    except UnicodeEncodeError as error:
        around = typed[max(0, error.start - 20) : error.end + 20]
        raise UserError(f"{around}: what was typed is not UTF-8 there", "rename the file, or link to it") from None


def _refuse_empty(typed: str) -> None:
    """Refuse an empty word: as a path it would be the folder that the user is in, as an option the default."""
    words = shlex.split(str(typed))
    for before, word in pairwise(words):
        name, equals, value = word.partition("=")
        if not word.strip() or (name.startswith("--") and equals and not value.strip()):
            where = name if equals else f"the word after {before}"
            raise UserError(f"{where} is empty", "is a variable not set? write a value, or leave the option out")


def _is_usage_error(error: Exception) -> bool:
    # By its method, because the module of the parser's error classes differs between versions of Typer.
    return hasattr(error, "format_message")


def _readable(error: Exception) -> Exception:
    """Make the parser's message of a usage error, which repeats what was typed, safe to print."""
    message = getattr(error, "message", None)
    if _is_usage_error(error) and isinstance(message, str):
        error.message = safe_text(message)  # type: ignore[attr-defined]
    return error


def _print_error(message: str, hint: str, code: int) -> int:
    say(f"audit: {message}", err=True)
    if hint:
        say(f"  → {hint}", err=True)
    return code


def _print_os_error(error: OSError) -> int:
    """Print what the system refused: of a file that the user can mend, or else as a fault of the tool."""
    if error.errno == errno.ENOENT and error.filename is None and not _has_working_folder():
        return _print_error("the folder that you are in is no longer there", "change to another with cd", BAD_INPUT)
    if error.errno in _DISK_FULL:
        place = error.filename or tempfile.gettempdir()
        hint = "make room there, or set TMPDIR to another disk"
        return _print_error(f"no space left on the disk of {place}", hint, BAD_INPUT)
    if error.errno == errno.EAGAIN:
        return _print_no_process()
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return _print_error("no further file can be opened here", "raise the limit: ulimit -n 1024", BAD_INPUT)
    if error.errno == errno.EFBIG:
        place = error.filename or "a file"
        return _print_error(f"{place}: no file may grow so large here", "raise the limit: ulimit -f", BAD_INPUT)
    if error.errno in _OF_THE_USER and error.filename is not None:
        place = error.filename if error.filename2 is None else error.filename2
        return _print_error(f"{place}: {error.strerror}", "mend its permissions, or name another place", BAD_INPUT)
    return _print_fault(error)


def _print_no_process() -> int:
    hint = "raise the limit (ulimit -u for processes, ulimit -v for memory), or try --jobs 1"
    return _print_error("the system starts no further process or thread here", hint, BAD_INPUT)


def _has_working_folder() -> bool:
    try:
        return bool(Path.cwd())
    except OSError:
        return False


def _print_fault(error: Exception) -> int:
    if shadow := shadowing_file():
        return _print_error(*shadowing_message(shadow), BAD_INPUT)
    say("".join(traceback.format_exception(error)), err=True, nl=False)
    message, hint = "this is a fault of the tool, not of what you typed", "please report it with the text above"
    return _print_error(message, hint, FAULT)
