"""``python -m bench.scenarios``: what the same recommenders get under other protocols, on MovieLens-100K.

python -m bench.scenarios                              # the tables on the terminal: about two minutes
python -m bench.scenarios --write docs/scenarios.md
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.cli.evaluation.library_definitions import wanted_definitions
from recsys_metric_audit.audit.cli.evaluation.score_table import AS_GIVEN, scenario_scores, score_title
from recsys_metric_audit.audit.data.dataset import Dataset
from recsys_metric_audit.audit.data.recommenders import RECOMMENDERS, full_ranking
from recsys_metric_audit.audit.scenarios import parse_scenario
from recsys_metric_audit.reports.model.atomic_write import write_file

K = 10
SEEDS = (1, 2, 3, 4, 5)
SCENARIOS = (
    "sampled:99", "sampled_popular:99", "sampled:999", "leave_one_out", "leave_one_out+sampled:99",
    "leave_one_out+sampled_popular:99", "leave_one_out+sampled:999", "threshold:5", "users:100",
)  # fmt: skip
UNFILTERED = "train items kept"
ORDERED = ("HitRate@10", "NDCG@10")
"""The metrics by which recommenders are put in order."""

_HEAD = """\
# The same recommender under other protocols

Written by `python -m bench.scenarios --write docs/scenarios.md`: do not edit.

"0.15 here and 0.60 in the paper" is often no matter of the metric: the paper ranks one held-out item among 99 drawn
ones, and here it stands among all (`leave_one_out+sampled:99` below, and `leave_one_out`).

On {name} ({users} users, {items:,} items), by the canonical definitions. On your own data:

    audit evaluate p.csv t.csv -k 10 --train r.csv --scenario leave_one_out+sampled:99

[evaluating.md](evaluating.md) says what each scenario does. Where it draws, the mean over seeds {seeds} stands above
the lowest and the highest value. "{unfiltered}" ranks the items that a user has in the train data too, as if nobody
had left them out.

## EASE

"""
_ORDER = """
## Which recommender is best?

A number on drawn candidates compares with none on all of them, and does not even keep the order of recommenders
(Krichene & Rendle, On Sampled Metrics for Item Recommendation, KDD 2020: [re-audited](papers/krichene2020.md);
Dallmann, Zoller & Hotho, RecSys 2021: [re-audited](papers/dallmann2021.md); Cañamares & Castells, On Target Item
Sampling in Offline Recommender System Evaluation, RecSys 2020). Means over the seeds; the best of each row is bold.
"""


@dataclass(frozen=True)
class Cell:
    """Holds the values of one metric in one scenario, one a seed."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Return the mean over seeds."""
        return sum(self.values) / len(self.values)

    def text(self) -> str:
        """Return the mean, and below it the ends where there are several values."""
        ends = f"<br><sub>{min(self.values):.3f}–{max(self.values):.3f}</sub>" if len(self.values) > 1 else ""
        return f"{self.mean:.3f}{ends}"


Rows = Mapping[str, Mapping[str, Cell]]
"""The cells by scenario and metric."""


def rows_of(recommender: str) -> Rows:
    """Return the cells of a recommender: as given, with train items kept, and under each scenario."""
    given = data.load(data.DEFAULT, recommender)
    found = _cells(given, SCENARIOS)
    kept = full_ranking(given.case.train, given.case.truth.user, recommender, with_train_items=True)
    unfiltered = replace(given, case=replace(given.case, predictions=kept))
    return {AS_GIVEN: found[AS_GIVEN], UNFILTERED: _cells(unfiltered, ())[AS_GIVEN], **found}


def _cells(given: Dataset, names: Sequence[str]) -> Rows:
    made = scenario_scores(given, [parse_scenario(name) for name in names], SEEDS, wanted_definitions([]), [K])
    found: dict[str, dict[str, tuple[float, ...]]] = {}
    for row in made:
        for score in row.scores:
            assert score.values is not None and not row.end, f"{row.scenario}: full rankings leave nothing open"
            cells = found.setdefault(row.scenario, {})
            cells[score_title(score)] = (*cells.get(score_title(score), ()), score.values.mean)
    return {name: {title: Cell(values) for title, values in cells.items()} for name, cells in found.items()}


def page(given: Dataset, rows: Mapping[str, Rows]) -> str:
    """Return the page in Markdown.

    Args:
        given: The data of the first recommender.
        rows: The cells by recommender.
    """
    seeds = f"{SEEDS[0]} to {SEEDS[-1]}"
    head = _HEAD.format(
        name=given.name, users=given.shape.users, items=given.shape.items, seeds=seeds, unfiltered=UNFILTERED
    )
    first = next(iter(rows.values()))
    titles = list(first[AS_GIVEN])
    lines = [_line(["protocol", *titles]), _ruler(len(titles))]
    lines += [_line([_code(name), *(cells[title].text() for title in titles)]) for name, cells in first.items()]
    return head + "\n".join(lines) + "\n" + _ORDER + "".join(map("\n{}\n".format, _orders(rows)))


def _orders(rows: Mapping[str, Rows]) -> list[str]:
    """Return, for each metric, the table of recommenders under each protocol."""
    tables = []
    for title in ORDERED:
        lines = [_line([title, *rows]), _ruler(len(rows))]
        for name in next(iter(rows.values())):
            means = [each[name][title].mean for each in rows.values()]
            lines.append(_line([_code(name), *(_bold(mean, max(means)) for mean in means)]))
        tables.append("\n".join(lines))
    return tables


def _bold(mean: float, best: float) -> str:
    return f"**{mean:.3f}**" if mean == best else f"{mean:.3f}"


def _code(name: str) -> str:
    return name if " " in name else f"`{name}`"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ruler(values: int) -> str:
    return f"|---|{'---:|' * values}"


def main(words: list[str]) -> int:
    """Print or write the page; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench.scenarios", description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path, metavar="FILE")
    chosen = parser.parse_args(words)
    text = page(data.load(data.DEFAULT), {name: rows_of(name) for name in RECOMMENDERS})
    if chosen.write is None:
        print(text)
    else:
        write_file(text, chosen.write)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
