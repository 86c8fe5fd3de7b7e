"""Tests what is left out of the answers where no definition explains what some probes show."""

from __future__ import annotations

from audit.identification.hypotheses.proposal import Reading
from audit.libraries.function import Function
from audit.observations.observation import Observation
from audit.process.protocol import Measured
from audit.questions import generated_cases
from audit.questions.initial import INITIAL_PROBES
from reference.cases import Role


def test_what_shows_items_seen_in_training_is_left_out_with_its_probes() -> None:
    probes, features = generated_cases.pool()
    seen, other = (
        next(probe for probe, own in zip(probes, features, strict=True) if own == {feature})
        for feature in ("seen in training", "ties")
    )
    half = Measured(0.5, None, None, "float", 0.0)
    answers = {probe.name: half for probe in (*INITIAL_PROBES, seen, other)}
    observation = Observation("f", answers, {}, further_probes=(seen, other))
    function = Function(name="f", metric="recall")
    read = [
        {probe.name for probe in further.probes if probe.name in {seen.name, other.name}}
        for left_out in (frozenset[Role](), frozenset[Role]({"seen"}))
        if (further := Reading(left_out).of(function, observation).further) is not None
    ]
    assert read == [{seen.name, other.name}, {other.name}]
