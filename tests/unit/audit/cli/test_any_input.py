"""Whatever is typed, or stands in a result file, ends with a documented code that is not a fault of the tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recsys_metric_audit.reports.writers.report_folder import write_report
from tests.support.command_line import Audit, audit, run_small
from tests.support.generated_inputs import examples_in_one_folder
from tests.support.result_samples import result

pytestmark = pytest.mark.slow  # hundreds of commands

MENDABLE = {0, 1, 2, 3, 4}
ANY = examples_in_one_folder(60)
WORDS = st.text(max_size=30) | st.sampled_from(["", "-1", "1e400", "nan", "9" * 5000, "../x", "\x1b[2J", "=", "ndcg@"])
NUMBERS = st.integers().map(str) | st.floats().map(str) | WORDS


@ANY
@given(st.lists(st.tuples(st.sampled_from(["-k", "--timeout", "--jobs", "--threshold"]), NUMBERS), max_size=3))
def test_any_number_of_an_option(audited: Audit, options: list[tuple[str, str]]) -> None:
    done = run_small(*(f"{name}={value}" if name != "-k" else f"-k{value}" for name, value in options))
    assert done.exit_code in MENDABLE, done.stderr


@ANY
@given(st.sampled_from(["--dataset", "--out", "--canonical", "--source", "--recommender", "-l", "--group"]), WORDS)
def test_any_text_of_an_option(audited: Audit, name: str, value: str) -> None:
    done = audit("run", *([] if name == "--dataset" else ["--dataset", "synthetic:5x20"]), name, value)
    assert done.exit_code in MENDABLE, done.stderr


@ANY
@given(WORDS | st.from_regex(r"ndcg(@[0-9]{1,12})?(\|[a-z]{1,8}:[a-z0-9]{1,8}){0,2}", fullmatch=True))
def test_any_signature(text: str) -> None:
    assert audit("explain", "--", text).exit_code in MENDABLE


FORMS = ("text", "md", "latex", "csv", "json", "html", "contradictions", "findings")
READERS = [("compare",), *(("report", "--format", form) for form in FORMS)]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just([]) | st.just({})


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in children for place in _places(child, (*path, key)))]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the text of a result file, which is written once for all changes of it."""
    (written, *_) = write_report(result(), tmp_path_factory.mktemp("unchanged") / "report")
    return written.read_text()


@ANY
@given(st.data())
def test_any_change_of_a_result_file(tmp_path: Path, document: str, data: st.DataObject) -> None:
    changed = json.loads(document)
    written = tmp_path / "report" / "audit.json"
    written.parent.mkdir(exist_ok=True)
    place = data.draw(st.sampled_from(_places(changed)[1:]))
    inside = changed
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = data.draw(LEAVES)
    written.write_text(json.dumps(changed))
    for words in data.draw(st.lists(st.sampled_from(READERS), min_size=2, max_size=2, unique=True)):
        done = audit(words[0], str(written.parent), *(words[1:] or [str(written.parent)]))
        assert done.exit_code in MENDABLE, (place, done.stderr)
