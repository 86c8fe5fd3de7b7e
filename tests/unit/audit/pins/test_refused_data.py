"""A library of which every function refuses the data of pins: it is accepted for what it computes, without a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.audit.process.protocol import Errored, Measured, NotOffered, Outcome, TimedOut
from recsys_metric_audit.audit.run.asking import without_refused_data
from tests.support.command_line import audit
from tests.support.one_metric_library import GOOD, TOML, ensure

REFUSES = GOOD.replace(
    "    values = []\n",
    "    if any(len(items) != 1 for items in relevant.values()):\n"
    "        raise ValueError('one relevant item for each user')\n"
    "    values = []\n",
)
"""Precision of users who have exactly one relevant item: no user of the data of pins has."""
TYPED = ("-l", "one", "--adapters", "adapters")


def write(folder: Path, adapter: str) -> None:
    (folder / "adapters" / "one").mkdir(parents=True, exist_ok=True)
    (folder / "adapters" / "one" / "library.toml").write_text(TOML)
    (folder / "adapters" / "one" / "adapter.py").write_text(adapter)


@pytest.mark.slow
def test_it_is_accepted_and_checked_for_what_it_computes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(environment, "ensure", ensure)
    write(tmp_path, REFUSES)
    done = audit("accept", "--yes", *TYPED)
    assert done.exit_code == 0, done.output
    assert "  statistics.mean  precision@k\n" in done.stdout
    assert "  no value on synthetic:100x200: ValueError: one relevant item for each user\n" in done.stdout
    assert audit("check", *TYPED).exit_code == 0
    write(tmp_path, REFUSES.replace("/ k)", "/ len(top or [0]))"))
    changed = audit("check", *TYPED)
    assert changed.exit_code == 1
    assert "denominator: k → shown" in changed.stdout
    write(tmp_path, GOOD)
    valued = audit("check", *TYPED)
    assert valued.exit_code == 1
    assert "one 1.0 refuses the data of pins, or does no more\n" in valued.stdout
    assert "  found     a value\n" in valued.stdout


# Which answers on the data are left out: those of a library that refuses them with every function.

VALUE, NO = Measured(0.5, None, None, "float64", 0.0), Errored("ValueError", "no\nthanks", "")


def observed(*data: Outcome) -> dict[str, Observation]:
    return {f"f{number}": Observation(f"f{number}", {"a": VALUE}, {20: each}) for number, each in enumerate(data)}


def test_what_all_refuse_is_left_out_with_its_words() -> None:
    left = without_refused_data(observed(NO, NO, NotOffered("not in this version")))
    assert [(each.data, each.refusal) for each in left.values()][:2] == [({}, "ValueError: no thanks")] * 2
    assert left["f2"].data and not left["f2"].refusal


@pytest.mark.parametrize("data", [(NO, VALUE), (TimedOut(1.0), NO), (VALUE,), ()])
def test_what_one_answers_or_may_answer_stays(data: tuple[Outcome, ...]) -> None:
    given = observed(*data)
    assert without_refused_data(given) == given
