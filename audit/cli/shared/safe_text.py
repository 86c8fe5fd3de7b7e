"""Prints what a command has to say: the one place that does, so that no foreign text drives a terminal or a workflow.

Text from files, libraries and errors is escaped here, whoever passes it on.
"""

from __future__ import annotations

import json

import typer

_LONGEST_LINE, _HEAD, _TAIL = 1000, 600, 250
_MOST_LINES = 200


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a message; see :func:`safe_text`."""
    typer.echo(safe_text(text), err=err, nl=nl)


def show(text: str, *, nl: bool = True) -> None:
    """Print what was asked for on stdout, whole: text, or JSON, whose values stay what they are.

    Characters that could drive a terminal are written as JSON's escapes.
    """
    typer.echo("\n".join(_escaped(line) for line in text.split("\n")), nl=nl)


def _escaped(line: str) -> str:
    from recsys_metric_audit.reports.wording.formatting import printable

    line, end = (line[:-1], "\r") if line.endswith("\r") else (line, "")  # of a CSV file
    if line.strip("\t").isprintable() and "##[" not in line and "::" not in line:
        return line + end
    plain = "".join(char if printable(char) == char else json.dumps(char)[1:-1] for char in line)
    return _no_command(plain.replace("##[", "#\\u0023[")) + end


def show_annotations(text: str) -> None:
    """Print commands for a workflow, whose own text the renderer has escaped."""
    from recsys_metric_audit.reports.wording.formatting import printable

    typer.echo(printable(text), nl=bool(text))


def safe_text(text: str) -> str:
    """Return `text` without what drives a terminal or a workflow, and long text cut, with its length.

    Control characters become escapes; a line that a workflow would take for a command (``::error::``, ``##[group]``)
    is parted by a space.
    """
    from recsys_metric_audit.reports.wording.formatting import printable

    lines = text.replace("\r\n", "\n").split("\n")
    if len(lines) > _MOST_LINES:
        dropped = len(lines) - _MOST_LINES
        half = _MOST_LINES // 2
        lines = [*lines[:half], f"… ({dropped:,} lines are left out)", *lines[-half:]]
    return "\n".join(_no_command(printable(_cut(line))) for line in lines)


def _cut(line: str) -> str:
    """Cut the middle out of a long line: what happened may stand at its end."""
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_HEAD]}… ({len(line):,} characters) …{line[-_TAIL:]}"


def _no_command(line: str) -> str:
    line = line.replace("##[", "# #[")
    bare = line.lstrip()
    return f"{line[: len(line) - len(bare)]}: :{bare[2:]}" if bare.startswith("::") else line
