"""Hold the words of a library.toml against the reference: each wrong one is met with the file and the nearest word."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.libraries.discovery import select
from recsys_metric_audit.audit.libraries.known_words import refuse_unknown_words
from recsys_metric_audit.audit.libraries.manifest import load
from tests.support import drifting_library
from tests.support.command_line import Audit, audit, audit_mine
from tests.support.own_libraries import own_libraries

METRIC = 'metric = "precision"'


def write(tmp_path: Path, said: str) -> Path:
    """Write the library of three functions, the first with `said` in the place of its metric."""
    folder = tmp_path / "mine" / "drifting"
    drifting_library.write(folder, "2.0")
    toml = folder / "library.toml"
    toml.write_text(toml.read_text().replace(METRIC, said))
    return toml


WRONG = {
    'metric = "ndgc"': "metric: there is no metric 'ndgc'; did you mean 'ndcg'?",
    'metric = "map"': "metric: there is no metric 'map'; did you mean 'average_precision'?",
    'metric = "MAP@10"': "metric: there is no metric 'MAP@10'; did you mean 'average_precision'?",
    'metric = "qqq"': "metric: there is no metric 'qqq'; there are hit_rate, ",
    METRIC + '\nwhere = "x"\nclaims = "precision@k|denominator:shwon"': (
        "claims: axis denominator has no value 'shwon', did you mean 'shown'?"
    ),
    METRIC + '\nwhere = "x"\nclaims = "precision@k|denominatr:k"': (
        "claims: precision has no axis 'denominatr', did you mean 'denominator'?"
    ),
    METRIC + '\nwhere = "x"\nclaims = "precison@k"': "claims: no metric 'precison', did you mean 'precision'?",
    METRIC + '\nwhere = "x"\nclaims = "prec@k"': "claims: 'prec@k' is no signature; did you mean 'precision@k'?",
    METRIC + '\nwhere = "x"\nclaim = [{ versions = ["2.0"], claims = "recall@k|nope:1" }]': (
        "claims: recall has no axis 'nope'"
    ),
    METRIC + '\ncalled_with = [{ what = "labels", decides = ["relevanze"] }]': (
        "called_with: decides: there is no axis 'relevanze'; did you mean 'relevance'?"
    ),
    METRIC + '\ncalled_with = [{ what = "labels", decides = ["relevance:at_leest_t"] }]': (
        "called_with: decides: axis relevance has no value 'at_leest_t'; did you mean 'at_least_t'?"
    ),
    METRIC + '\ncalled_with = [{ what = "labels", decides = ["gain:bynary"] }]': (
        "called_with: decides: axis gain has no value 'bynary'; did you mean 'binary'?"
    ),
    METRIC + '\ntakes = { input = "rankd" }': "takes: input: 'rankd' is not known; did you mean 'ranked'?",
    METRIC + '\ntakes = { inputs = "ranked" }': "takes: inputs: no such key; did you mean input?",
    METRIC + '\ntakes = { truth = "sets" }': "takes: truth: 'sets' is not known; did you mean 'set'?",
    METRIC + '\ntakes = { gains = "x" }': "takes: gains: 'x' is not known; it is one of 'any', 'whole'",
    METRIC + '\ndeparts_on = { "k above the item" = "it raises" }': (
        "departs_on: k above the item: 'k above the item' is not known; did you mean 'k above the items'?"
    ),
}
"""What is said of a function, and what is answered."""


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_word_is_named_before_anything_is_built(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    write(tmp_path, said)
    done = audit_mine("try", "drifting")
    assert done.exit_code == 2, done.output
    assert f"mine/drifting/library.toml: function statistics.mean: {WRONG[said]}" in done.stderr
    assert "→ " in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        "run -l drifting --dataset synthetic:5x20", "check -l drifting", "accept -l drifting", "history drifting",
        "badge drifting --metric recall", "bisect drifting mean --from 2.0 --to 2.0", "reproduce drifting:mean",
    ],
)  # fmt: skip
def test_every_command_that_asks_a_library_names_it(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    write(tmp_path, 'metric = "ndgc"')
    Audit(monkeypatch)
    done = audit_mine(*words.split())
    assert done.exit_code == 2, done.output
    assert "library.toml: function statistics.mean: metric: there is no metric 'ndgc'" in done.stderr


def test_a_word_that_several_functions_share_is_named_once(tmp_path: Path) -> None:
    toml = write(tmp_path, METRIC)
    shared = '[defaults]\ncalled_with = [{ what = "labels", decides = ["relevanze"] }]\n'
    toml.write_text(toml.read_text().replace("[source]", f"{shared}[source]"))
    with pytest.raises(UserError) as refused:
        refuse_unknown_words(load(toml.parent))
    assert refused.value.message == (
        f"{toml}: function statistics.mean and 2 more: called_with: decides: there is no axis 'relevanze'; "
        "did you mean 'relevance'?"
    )


def test_an_axis_that_only_others_have_may_be_decided(tmp_path: Path) -> None:
    toml = write(tmp_path, METRIC + '\ncalled_with = [{ what = "labels", decides = ["gain:binary", "gain"] }]')
    refuse_unknown_words(load(toml.parent))


def test_a_library_is_refused_only_where_it_is_chosen(tmp_path: Path) -> None:
    manifest = load(write(tmp_path, 'metric = "ndgc"').parent)
    whole = {"drifting": manifest, "rs_metrics": own_libraries()["rs_metrics"]}
    assert select(whole, ["rs_metrics"])
    with pytest.raises(UserError):
        select(whole)


def test_listing_goes_on(tmp_path: Path) -> None:
    write(tmp_path, 'metric = "ndgc"')
    assert audit("list", "--adapters", str(tmp_path / "mine")).exit_code == 0


def test_a_fault_in_a_version_is_not_told_as_a_missing_version(tmp_path: Path) -> None:
    toml = write(tmp_path, METRIC)
    toml.write_text(toml.read_text().replace('python = "3.11"', 'python = "3.11"\ntorch = "gpu"'))
    with pytest.raises(UserError) as refused:
        load(toml.parent)
    assert refused.value.message == f"{toml}: version 2.0: torch: 'gpu' is not known; did you mean 'cpu'?"


@pytest.mark.parametrize("name", own_libraries())
def test_the_tools_own_libraries_name_what_there_is(name: str) -> None:
    refuse_unknown_words(own_libraries()[name])
