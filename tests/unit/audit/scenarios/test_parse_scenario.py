"""Scenarios as typed: what is understood, and what each mistake says."""

from __future__ import annotations

import pytest

from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.scenarios.held_out_items import LeaveOneOut, RelevanceThreshold
from recsys_metric_audit.audit.scenarios.kept_rows import TrainFiltered, UsersCapped
from recsys_metric_audit.audit.scenarios.parse_scenario import parse_scenario
from recsys_metric_audit.audit.scenarios.sampled_candidates import SampledCandidates
from recsys_metric_audit.audit.scenarios.scenario import Step


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("sampled:99", (SampledCandidates(99),)),
        ("sampled_popular:100", (SampledCandidates(100, by_popularity=True),)),
        ("users:1000", (UsersCapped(1000),)),
        ("threshold:3.5", (RelevanceThreshold(3.5),)),
        ("train_filtered", (TrainFiltered(),)),
        (" leave_one_out + sampled:99", (LeaveOneOut(), SampledCandidates(99))),
    ],
)
def test_each_form_is_understood(text: str, steps: tuple[Step, ...]) -> None:
    found = parse_scenario(text)
    assert found.steps == steps
    assert found.name == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("sample:99", "there is no scenario 'sample'", "did you mean sampled?"),
        ("", "there is no scenario ''", "sampled:N"),
        ("sampled", "a whole number", "try sampled:99"),
        ("users:0", "a whole number from 1", "try users:1000"),
        ("sampled:9.5", "a whole number", "try sampled:99"),
        ("sampled:²", "a whole number", "try sampled:99"),
        ("sampled:9999999999", "a whole number from 1 to 1,000,000", "try sampled:99"),
        ("threshold", "the gain from which items are relevant is missing", "try threshold:4"),
        ("threshold:nan", "the gain from which items are relevant is missing", "try threshold:4"),
        ("leave_one_out:2", "leave_one_out takes no number", "try --scenario leave_one_out"),
        ("sampled:9+sampled_popular:9", "stands in it twice", "leave out one"),
    ],
)
def test_each_mistake_is_named_with_what_to_type(text: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as refusal:
        parse_scenario(text)
    assert refusal.value.message.startswith(f"--scenario {text}: ")
    assert message in refusal.value.message and hint in refusal.value.hint
