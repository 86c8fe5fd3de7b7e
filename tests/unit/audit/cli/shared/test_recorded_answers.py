"""What was recorded is shown before libraries are asked, and a version is marked ✓ only if it answers so today."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from recsys_metric_audit.audit.cli.shared import recorded_answers
from recsys_metric_audit.audit.cli.shared.progress import ending_in_words
from recsys_metric_audit.audit.cli.shared.recorded_answers import RecordedAnswers
from recsys_metric_audit.audit.data import load as load_dataset
from recsys_metric_audit.audit.libraries.manifest import load
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run import Request
from recsys_metric_audit.reference.definitions.definition import parse
from recsys_metric_audit.reports.model.result import Finding, Result
from recsys_metric_audit.reports.model.result_file import LoadedRun
from tests.support.one_metric_library import TOML
from tests.support.result_samples import differing, finding, library, lost
from tests.support.result_samples import result as sample

DATA = load_dataset("synthetic:5x20")
OTHERWISE = differing("ndcg", "alpha", "gain", "exp2", 0.3)


def recorded_of(folder: Path, monkeypatch: pytest.MonkeyPatch, *findings: Finding, **asked: object) -> RecordedAnswers:
    """Return the recorded answers of alpha 1.0 on the data, where they are asked for at k = 20."""
    found = maybe_recorded(folder, monkeypatch, *findings, **asked)
    assert found is not None
    return found


def maybe_recorded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *findings: Finding, **asked: object
) -> RecordedAnswers | None:
    row = sample().dataset.model_copy(update={"name": DATA.name, "digest": f"sha256:{DATA.digest}"})
    made: Result = sample(dataset=row, libraries=(library(),), findings=findings, k=(20,))
    monkeypatch.setattr(recorded_answers, "packaged_run", lambda: LoadedRun(made, "made here"))
    own = folder / "alpha"
    own.mkdir()
    (own / "library.toml").write_text(TOML)
    (own / "adapter.py").touch()
    manifest = load(own)
    given = {"dataset": DATA, "ks": (20,), **asked}
    request = Request(chosen=((manifest, manifest.versions[0]),), jobs=1, limits=Limits(), command="audit run", **given)
    return RecordedAnswers.of(request)


def ending(recorded: RecordedAnswers, *findings: Finding, status: str = "audited") -> list[str]:
    return ending_in_words("alpha", "1.0", status, 2.0, findings, recorded)


def test_a_version_that_answers_as_recorded_is_marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ending(recorded_of(tmp_path, monkeypatch, finding()), finding()) == [
        "✓ alpha 1.0: 1 function as recorded, in 2.0 s"
    ]


@pytest.mark.parametrize(
    "today",
    [
        (OTHERWISE,),
        (finding(value=0.25),),
        (lost("ndcg", "alpha", "crashed", "took more than 60 s"),),
        (),
    ],
    ids=["another formula", "another value", "hangs", "no function"],
)
def test_what_changed_is_printed_and_never_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: tuple[Finding, ...]
) -> None:
    first, *changes = ending(recorded_of(tmp_path, monkeypatch, finding()), *today)
    assert first == "! alpha 1.0: not as recorded, in 2.0 s"
    assert len(changes) == 1 and changes[0].startswith("    alpha.") and "→" in changes[0]


def test_a_function_that_was_not_recorded_is_counted_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = recorded_of(tmp_path, monkeypatch, finding())
    assert ending(recorded, finding(), finding("recall")) == [
        "✓ alpha 1.0: 1 function as recorded, 1 not recorded, in 2.0 s"
    ]


def test_both_formulas_of_a_change_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, change) = ending(recorded_of(tmp_path, monkeypatch, finding()), OTHERWISE)
    assert "ndcg@k → ndcg@k|gain:exp2" in change


def test_a_version_that_could_not_be_asked_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = recorded_of(tmp_path, monkeypatch, finding())
    assert ending(recorded, lost("ndcg", "alpha", "failed", "no network"), status="unavailable") == [
        "? alpha 1.0: unavailable in 2.0 s: what was recorded is not verified"
    ]


def test_the_first_changes_are_printed_and_the_others_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = ("ndcg", "recall", "precision", "average_precision", "hit_rate")
    recorded = recorded_of(tmp_path, monkeypatch, *map(finding, metrics))
    lines = ending(recorded, *(finding(each, value=0.9) for each in metrics))
    assert len(lines) == 5 and lines[-1] == "    and 2 more"


def test_the_recorded_table_says_of_which_day_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = recorded_of(tmp_path, monkeypatch, finding(value=0.1234))
    screen = io.StringIO()
    recorded.print(Console(file=screen, width=100), None)
    text = " ".join(screen.getvalue().split())
    assert f"Recorded on {recorded.result.time:%Y-%m-%d}" in text and "Table 1." in text and "0.123" in text


@pytest.mark.parametrize(
    "asked",
    [
        {"dataset": load_dataset("synthetic:5x21")},
        {"ks": (10,)},
        {"ks": (20, 10)},
        {"sources": {"alpha": Path()}},
        {"canonical": {"ndcg": parse("ndcg@k|gain:exp2")}},
    ],
    ids=["data", "cut-off", "one more cut-off", "another source", "another canonical definition"],
)
def test_nothing_is_shown_that_was_recorded_of_another_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: dict[str, object]
) -> None:
    assert maybe_recorded(tmp_path, monkeypatch, finding(), **asked) is None


def test_a_version_that_was_not_recorded_is_shown_as_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded = recorded_of(tmp_path, monkeypatch, finding())
    first, *_ = ending_in_words("beta", "2.0", "audited", 2.0, [finding()], recorded)
    assert first.startswith("beta 2.0: audited in 2.0 s; 1 function")
