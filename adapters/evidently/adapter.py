"""Evidently: a report of one ranking metric on one table of users, items, targets and predictions: scores, or ranks."""

from types import SimpleNamespace

import evidently.metrics
import pandas as pd
from audit_harness import Unaskable
from evidently import DataDefinition, Dataset, Recsys, Report


def prepare(case):
    gain = dict(zip(zip(case.relevant.user.tolist(), case.relevant.item.tolist()), case.relevant.gain.tolist()))
    table = pd.DataFrame(case.recommended.named("user_id", "item_id", "score"))
    rows = list(zip(table["user_id"].tolist(), table["item_id"].tolist()))
    table["target"] = [gain.get(row, 0.0) for row in rows]
    table["rank"] = table.groupby("user_id").cumcount() + 1
    return SimpleNamespace(table=table, unlisted=bool(set(gain) - set(rows)))


def ask(name, by="score"):
    ranking = Recsys(prediction=by, recommendations_type=by)
    definition = DataDefinition(numerical_columns=["target", by], ranking=[ranking])

    def answer(data, k):
        if data.unlisted:
            raise Unaskable(
                "one table holds targets and predictions: a relevant item that is not recommended has no row"
            )
        report = Report([getattr(evidently.metrics, name)(k=k)])
        found = report.run(Dataset.from_pandas(data.table, data_definition=definition), None)
        (by_rank,) = (result.value for result in found.metric_results.values())
        if k not in by_rank["rank"].tolist():
            raise Unaskable("the table that it returns has no row of rank %d" % k)
        return float(by_rank.set_index("rank")["value"][k])

    return answer


NAMES = ("HitRate", "MAP", "RecallTopK", "PrecisionTopK", "FBetaTopK")
FUNCTIONS = {"evidently.metrics." + name: ask(name) for name in NAMES}
FUNCTIONS.update(
    {"evidently.metrics.%s[recommendations_type=rank]" % name: ask(name, "rank") for name in ("NDCG", "MRR")}
)
