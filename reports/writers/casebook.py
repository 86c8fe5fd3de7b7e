"""Writes docs/casebook.md from the threads and the recorded answers."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, TypeAdapter, model_validator

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.atomic_write import write_file
from recsys_metric_audit.reports.model.fields import FrozenModel
from recsys_metric_audit.reports.paper.published import CITED
from recsys_metric_audit.reports.renderers.markdown import fill_template
from recsys_metric_audit.reports.wording.axis_words import value_meaning

CASEBOOK = CITED / "casebook"
ANSWERS = CASEBOOK / "answers.json"
FILES = ("ndcg", "average_precision", "hits", "protocol")
"""The files of threads, in the order of the page."""


class Thread(FrozenModel):
    """Holds what is asked in one or more threads, the thread's answer, and the function rewritten.

    ``says`` is the definition that the thread speaks of; empty where ``unnamed`` says why no definition is. A thread
    without a ``function`` is answered by ``tell``, and by the experiment on ``page``, a page of docs/.
    """

    links: Annotated[tuple[Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+#\d+$")], ...], Field(min_length=1)]
    question: str
    answer: str
    tell: str
    metric: str = ""
    says: str = ""
    unnamed: str = ""
    shape: str = ""
    function: str = ""
    page: str = ""

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if bool(self.function) != (bool(self.says) != bool(self.unnamed)) or bool(self.function) != bool(self.metric):
            raise ValueError(f"{self.key}: a function goes with a metric, and with either says or unnamed")
        if self.says:
            parse(self.says)
        return self

    @property
    def key(self) -> str:
        """Return the name of the first link: ``xgboost-2208``."""
        return self.links[0].partition("/")[2].replace("#", "-")

    @property
    def name(self) -> str:
        """Return the name of the function, the last one that its text defines."""
        return [line for line in self.function.splitlines() if line.startswith("def ")][-1][4:].partition("(")[0]


class Answer(FrozenModel):
    """Holds what ``audit identify`` told about the function of one thread.

    ``contradiction`` is empty where it computes what the thread says; ``refusals`` counts the cases without a number.
    """

    called: str
    signature: str | None
    equivalent: tuple[str, ...]
    contradiction: str
    misfit: str
    refusals: dict[str, int]
    not_asked: tuple[str, ...]
    hazards: tuple[str, ...]


def load_threads() -> tuple[Threads, ...]:
    """Return the threads of each file, in the order of the page."""
    return tuple(Threads.model_validate(tomllib.loads(_read(f"{name}.toml"))) for name in FILES)


class Threads(FrozenModel):
    """Holds the threads of one file under the title of its part of the page."""

    title: str
    thread: Annotated[tuple[Thread, ...], Field(min_length=1)]


def with_function() -> tuple[Thread, ...]:
    """Return the threads that have a function."""
    return tuple(thread for part in load_threads() for thread in part.thread if thread.function)


def load_answers() -> dict[str, Answer]:
    """Return the recorded answers by the keys of their threads."""
    return TypeAdapter(dict[str, Answer]).validate_python(json.loads(_read(ANSWERS.name)))


def _read(name: str) -> str:
    return (CASEBOOK / name).read_text(encoding="utf-8")


PAGE = Path("docs/casebook.md")


def page(answers: Mapping[str, Answer]) -> str:
    """Return the page in Markdown.

    Args:
        answers: The recorded answers, by the keys of their threads.
    """
    parts = load_threads()
    threads = [thread for part in parts for thread in part.thread]
    return fill_template(
        "casebook.md.j2",
        parts=parts,
        answers=answers,
        links=sum(len(thread.links) for thread in threads),
        asked=sum(bool(thread.function) for thread in threads),
        open_ones=sum(bool(thread.unnamed) for thread in threads),
        parse=parse,
        value_meaning=value_meaning,
    )


def main(words: list[str]) -> int:
    """Write the page to the file named, or to docs/casebook.md; return the exit code."""
    target = Path(words[0]) if words else PAGE
    write_file(page(load_answers()), target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
