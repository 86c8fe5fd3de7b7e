"""The casebook: its page is made of recorded answers, and these are what the threads say."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reference.equality.projection import formula_of
from recsys_metric_audit.reports.wording.meanings import open_cutoff
from recsys_metric_audit.reports.writers.casebook import PAGE, main, page
from recsys_metric_audit.reports.writers.casebook_threads import Thread, load_answers, load_threads, with_function

ROOT = Path(__file__).parents[4]
THREADS = with_function()


def test_the_page_is_what_the_recorded_answers_make(tmp_path: Path) -> None:
    assert main([str(tmp_path / "casebook.md")]) == 0
    assert (tmp_path / "casebook.md").read_text(encoding="utf-8") == (ROOT / PAGE).read_text(encoding="utf-8")


def test_another_answer_makes_another_page() -> None:
    answers = load_answers()
    changed = {key: each.model_copy(update={"signature": "ndcg@k|discount:ln"}) for key, each in answers.items()}
    assert page(changed) != page(answers)


def test_every_function_has_an_answer() -> None:
    assert set(load_answers()) == {thread.key for thread in THREADS}
    assert len(THREADS) > 40


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread.key)
def test_the_recorded_formula_is_what_the_thread_says(thread: Thread) -> None:
    answer = load_answers()[thread.key]
    assert answer.contradiction == ""
    if thread.unnamed:
        assert answer.signature is None
        return
    assert answer.signature is not None
    found, said = parse(open_cutoff(answer.signature)), parse(thread.says)
    assert formula_of(found) == formula_of(said.with_(k=found.k))
    named = [pair.partition(":") for pair in thread.says.split("|")[1:]]
    assert {axis: found.axes[axis] for axis, _, _ in named} == {axis: value for axis, _, value in named}


@pytest.mark.parametrize("thread", THREADS, ids=lambda thread: thread.key)
def test_every_function_compiles_and_is_the_one_named(thread: Thread) -> None:
    defined: dict[str, object] = {}
    exec(compile(thread.function, thread.key, "exec"), defined)
    assert callable(defined[thread.name])


def test_keys_are_used_once() -> None:
    keys = [thread.key for part in load_threads() for thread in part.thread]
    assert len(keys) == len(set(keys))


def test_a_function_without_what_its_thread_says_is_refused() -> None:
    given = {"links": ["a/b#1"], "question": "?", "answer": "!", "tell": "", "metric": "ndcg"}
    with pytest.raises(ValidationError, match="either says or unnamed"):
        Thread.model_validate({**given, "function": "def f(): pass"})
