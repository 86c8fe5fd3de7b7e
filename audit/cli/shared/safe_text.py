"""Text from files, libraries and errors, made fit for a terminal and for the log of a workflow."""

from __future__ import annotations

_LONGEST_LINE, _HEAD, _TAIL = 1000, 600, 250
_MOST_LINES = 200


def safe_text(text: str) -> str:
    """Return `text` without what drives a terminal or a workflow, and long text cut, with its length.

    Control characters become escapes; a line that a workflow would take for a command (``::error::``, ``##[group]``)
    is parted by a space.
    """
    from reports.wording.formatting import printable

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
