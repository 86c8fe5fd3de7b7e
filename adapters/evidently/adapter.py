"""Evidently: a report of one ranking metric on one table of users, items, targets and scores."""

from types import SimpleNamespace

import evidently.metrics
import pandas as pd
from audit_harness import Unaskable
from evidently import DataDefinition, Dataset, Recsys, Report

RANKING = DataDefinition(numerical_columns=["target", "prediction"], ranking=[Recsys()])


def prepare(case):
    gain = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    table = pd.DataFrame(case.recommended.named("user_id", "item_id", "prediction"))
    rows = list(zip(table["user_id"].tolist(), table["item_id"].tolist()))
    table["target"] = [gain.get(row, 0.0) for row in rows]
    return SimpleNamespace(table=table, unlisted=bool(set(gain) - set(rows)))


def ask(name):
    def answer(data, k):
        if data.unlisted:
            raise Unaskable(
                "one table holds targets and predictions: a relevant item that is not recommended has no row"
            )
        report = Report([getattr(evidently.metrics, name)(k=k)])
        found = report.run(Dataset.from_pandas(data.table, data_definition=RANKING), None)
        (by_rank,) = (result.value for result in found.metric_results.values())
        return float(by_rank.set_index("rank")["value"][k])

    return answer


NAMES = ("HitRate", "MAP", "RecallTopK", "PrecisionTopK", "FBetaTopK")
FUNCTIONS = {"evidently.metrics." + name: ask(name) for name in NAMES}
