"""Output formats of drift: plain text, JSON, GitHub annotations, the text of a pull request."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

from recsys_metric_audit.reports.model.level_meaning import LEVEL_TITLES, Move
from recsys_metric_audit.reports.pins.drift import Drift
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.wording.formatting import one_line


def heading(drift: Drift) -> str:
    """Return one line with the library version, the function and the kind of drift."""
    who = f"{drift.library} {drift.version}"
    subject = f"{who}: {drift.function}" if drift.function else who
    since = f" since {drift.against}" if drift.against not in ("", drift.version) else ""
    return one_line(f"{subject} {drift.title}{since}")


_MOVE_LABELS = {"changed": "moved", "applies": "applies on one side only", "known": "now known", "unknown": "not known"}


def move_in_words(move: Move) -> str:
    """Return an axis or an experiment with its old and new value, and the level that it belongs to."""
    return f"{move.name}: {move.old} → {move.new} ({LEVEL_TITLES[move.level]})"


def details(drift: Drift) -> list[tuple[str, str]]:
    """Return the lines below the heading as pairs of name and text; empty ones are left out."""
    across = drift.against not in ("", drift.version)
    pairs = [
        ("before" if across else "expected", drift.old),
        ("now" if across else "found", drift.new),
        *((_MOVE_LABELS[move.kind], move_in_words(move)) for move in drift.moves),
        ("witness", drift.witness),
    ]
    return [(name, one_line(text)) for name, text in pairs if text]


def severity(drift: Drift) -> str:
    """Return ``warning`` if neither the formula nor who counts changed, else ``error``."""
    return "warning" if drift.is_warning else "error"


def as_text(drifts: Sequence[Drift]) -> str:
    """Return plain text with one block per drift; what need not fail a check is called a warning."""
    blocks = []
    for drift in drifts:
        head = f"warning: {heading(drift)}" if drift.is_warning else heading(drift)
        blocks.append("\n".join([head, *(f"  {name:<9} {words}" for name, words in details(drift))]))
    return "\n\n".join(blocks)


def as_json(drifts: Sequence[Drift]) -> str:
    """Return a JSON list of objects with the fields of :class:`~reports.pins.drift.Drift` and its severity."""
    written = [{**dataclasses.asdict(drift), "severity": severity(drift)} for drift in drifts]
    return json.dumps(written, indent=1, ensure_ascii=False)


def as_annotations(drifts: Sequence[tuple[Drift, str]], *, strict: bool = False) -> str:
    """Return workflow commands for GitHub: an error or a warning per drift.

    Args:
        drifts: Each drift with the path of the file that it concerns.
        strict: True to make every one an error.
    """
    lines = []
    for drift, file in drifts:
        message = "\n".join(f"{name}: {words}" for name, words in details(drift))
        title = _property(heading(drift))
        command = "error" if strict else severity(drift)
        lines.append(f"::{command} file={_property(file)},title={title}::{_data(message or heading(drift))}")
    return "\n".join(lines)


def _data(words: str) -> str:
    # Escaped as GitHub's toolkit does it: packages/core/src/command.ts.
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")


def as_pull_request(title: str, drifts: Sequence[Drift], same: int) -> str:
    """Return the Markdown text of a pull request.

    Args:
        title: Its first heading.
        drifts: The changes; each gets a section.
        same: The number of functions without a change.
    """
    return fill_template("pull_request.md.j2", title=title, drifts=drifts, same=same, details=details)
