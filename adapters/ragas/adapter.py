"""Ragas: metrics of one question's retrieved and reference ids, or texts that are equal or not."""

import logging
import os
from types import SimpleNamespace

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

from ragas import SingleTurnSample, metrics  # noqa: E402

logging.disable(logging.WARNING)  # it logs every user without items


def prepare(case):
    users = sorted(set(case.relevant.users) | set(case.recommended.users))
    truth, shown = (
        {user: list(map(str, items.tolist())) for user, items in table.by_user("item", users=users).items()}
        for table in (case.relevant, case.recommended)
    )
    return SimpleNamespace(users=users, judged=case.relevant.users, truth=truth, shown=shown)


def by_ids(name):
    def answer(data, k):
        metric = getattr(metrics, name)()
        samples = (
            SingleTurnSample(retrieved_context_ids=data.shown[user][:k], reference_context_ids=data.truth[user])
            for user in data.users
        )
        return None, data.users, [metric.single_turn_score(sample) for sample in samples]

    return answer


def average_precision(data, k):
    metric = metrics.NonLLMContextPrecisionWithReference(distance_measure=metrics.ExactMatch())
    samples = (
        SingleTurnSample(retrieved_contexts=data.shown[user][:k], reference_contexts=data.truth[user])
        for user in data.judged
    )
    return None, data.judged, [metric.single_turn_score(sample) for sample in samples]


PLACE = "ragas.metrics."
FUNCTIONS = {PLACE + name: by_ids(name) for name in ("IDBasedContextPrecision", "IDBasedContextRecall")}
FUNCTIONS[PLACE + "NonLLMContextPrecisionWithReference[distance_measure=ExactMatch()]"] = average_precision
