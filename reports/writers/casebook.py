"""Writes docs/casebook.md from the threads and the recorded answers.

Run by ``python -m recsys_metric_audit.reports.writers.casebook``.
Nothing is asked here: ``python -m bench.casebook`` records the answers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.renderers.markdown import code_span, escape
from recsys_metric_audit.reports.wording.axis_words import value_meaning
from recsys_metric_audit.reports.wording.meanings import open_cutoff
from recsys_metric_audit.reports.writers.casebook_threads import Answer, Thread, load_answers, load_threads

PAGE = Path("docs/casebook.md")

_HEAD = """# Casebook: why two numbers do not agree

Public threads in which a metric gave a number that somebody did not expect. Each has the question in a line, what the
thread says, the function in our own words (no code of others stands here), what `audit identify` finds it to compute,
and what to tell the person who asks. The findings are made by the tool, not typed: `make bench-casebook` asks every
function, fails where it computes something else than its thread says, and writes this page. How a signature is read:
[definitions](definitions.md); how to ask about your own function: [your functions](your-functions.md).
"""


def page(answers: Mapping[str, Answer]) -> str:
    """Return the page in Markdown.

    Args:
        answers: The recorded answers, by the keys of their threads.
    """
    parts = load_threads()
    asked = sum(bool(thread.function) for part in parts for thread in part.thread)
    open_ones = sum(bool(thread.unnamed) for part in parts for thread in part.thread)
    links = sum(len(thread.links) for part in parts for thread in part.thread)
    counted = (
        f"{links} threads, {asked} functions: {asked - open_ones} compute what their threads say, and {open_ones} are"
        " outside the space of definitions, which the tool says of them."
    )
    lines = [_HEAD, counted, ""]
    for part in parts:
        lines += [f"## {escape(part.title)}", ""]
        for thread in part.thread:
            lines += [*_thread(thread, answers.get(thread.key)), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _thread(thread: Thread, answer: Answer | None) -> Iterator[str]:
    """Yield the lines on one thread."""
    yield f"### {escape(thread.question)}"
    yield ""
    yield f"{', '.join(map(_link, thread.links))}: {escape(thread.answer)}"
    yield ""
    if thread.function:
        yield from ["```python", thread.function.strip(), "```", ""]
    if answer is not None:
        yield from _found(thread, answer)
    further = f" The experiment: [{thread.page}]({thread.page})." if thread.page else ""
    yield f"**To tell:** {escape(thread.tell)}{further}"


def _found(thread: Thread, answer: Answer) -> Iterator[str]:
    """Yield the lines on what the tool found."""
    called = f"called as {code_span(answer.called)}"
    if answer.signature is None:
        yield f"**Found**, {called}: no definition fits. {escape(thread.unnamed)}"
        if answer.misfit:
            yield f"It fits {escape(answer.misfit)}."
    else:
        yield f"**Found**, {called}: {code_span(answer.signature)}"
        yield ""
        yield from (f"- {line}" for line in _meanings(answer.signature))
        if answer.equivalent:
            yield f"- fits as well: {', '.join(map(code_span, answer.equivalent))}"
        yield from (f"- {times} cases without a number: {escape(words)}" for words, times in answer.refusals.items())
    yield ""
    yield from (f"- {escape(hazard)}" for hazard in answer.hazards)
    yield ""


def _meanings(signature: str) -> list[str]:
    """Return a line for each axis that is not canonical, in words."""
    found = parse(open_cutoff(signature))
    lines = [
        f"{code_span(f'{axis}:{found.axes[axis]}')} {escape(_words(found.metric, axis, found.axes[axis]))}"
        for axis in found.differs_on
    ]
    return lines or ["the canonical definition"]


def _words(metric: str, axis: str, value: str) -> str:
    return value_meaning(metric, axis, value)


def _link(link: str) -> str:
    repository, _, number = link.partition("#")
    return f"[{repository.partition('/')[2]}#{number}](https://github.com/{repository}/issues/{number})"


def main(words: list[str]) -> int:
    """Write the page to the file named, or to docs/casebook.md; return the exit code."""
    target = Path(words[0]) if words else PAGE
    write_file(page(load_answers()), target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
