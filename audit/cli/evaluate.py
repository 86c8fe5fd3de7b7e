"""``audit evaluate``: the values of metrics on the user's own predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import typer

from recsys_metric_audit.audit.cli.shared import inputs
from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, RUN, SCENARIOS, SEEDS, THRESHOLD, TRAINING_ITEMS
from recsys_metric_audit.audit.cli.shared.output import make_console, said_while, say, show_wrapped


def evaluate(
    predictions: Path = typer.Argument(metavar="PREDICTIONS", help="Columns user, item, score."),
    truth: Path = typer.Argument(metavar="TRUTH", help="Held-out items: user, item and, if wanted, gain."),
    k: list[int] | None = typer.Option(None, "-k", metavar="N", help="Cut-off. Can be repeated. Default: 10."),
    metrics: list[str] | None = typer.Option(
        None, metavar="NAME,...", help="Metrics (ndcg,map,recall) or signatures. Default: the usual six."
    ),
    library: list[str] | None = typer.Option(
        None,
        "--as",
        metavar="LIBRARY[==VERSION]",
        help="Compute what this library computes; it need not be installed. Can be repeated. Default: canonical "
        "definitions.",
    ),
    train: Path | None = TRAINING_ITEMS,
    threshold: float | None = THRESHOLD,
    columns: str | None = typer.Option(
        None,
        metavar="user=NAME,...",
        help="What the columns user, item, score and gain are called in all files. Default: so.",
    ),
    interval: float | None = typer.Option(
        None, metavar="LEVEL", help="Confidence intervals over users, such as 0.95. Default: none."
    ),
    against: Path | None = typer.Option(
        None, metavar="FILE", help="Predictions of another recommender: a paired test. Default: none."
    ),
    scenario: list[str] | None = SCENARIOS,
    seed: list[int] | None = SEEDS,
    source: Path | None = RUN,
    out: Path | None = typer.Option(
        None,
        "--out",
        metavar="FILE",
        help="Write the table too: .csv, .parquet, .md, .tex or .html; .svg draws it. Default: only printed.",
    ),
    by_user: Path | None = typer.Option(
        None, "--by-user", metavar="FILE", help="Write the values of users: .csv or .parquet. Default: not written."
    ),
) -> None:
    """Compute metrics on your own predictions.

    A name alone is the canonical definition; a signature names another. With --as, the definitions are those that were
    found for a library, in the run of --from or else as accepted: its functions of these names, computed here.

    Predictions may also be a folder of Parquet files, or a Parquet file larger than memory: these are read in batches.

    Intervals are bootstrapped over users; --against compares with another recommender by a randomization test. Where
    several rows are compared, the column p (Holm) corrects for their number.

    --scenario shows what the same predictions get where the protocol is another one: candidates sampled, one item held
    out of each user, fewer users. Where it draws, the mean, the lowest and the highest value of all seeds are shown.

    \b
    Examples:
      audit evaluate p.parquet t.parquet -k 10 -k 20 --metrics ndcg,map,recall
      audit evaluate p.csv t.csv -k 10 --metrics 'ndcg|gain:exp2' --out values.csv
      audit evaluate p.csv t.csv --metrics ndcg,map --as recbole --as rectools
      audit evaluate p.csv t.csv -k 10 --columns user=customer_id,item=product_id
      audit evaluate p.csv t.csv --interval 0.95 --against other.csv --out t.md
      audit evaluate p.csv t.csv --train r.csv --scenario sampled:99 \\
        --scenario leave_one_out+sampled:99
    """
    from recsys_metric_audit.audit.cli.evaluation import library_definitions as asked
    from recsys_metric_audit.audit.cli.evaluation import score_table, scores
    from recsys_metric_audit.audit.cli.evaluation.score_documents import SUFFIXES, score_file
    from recsys_metric_audit.reports.model.atomic_write import write_file
    from recsys_metric_audit.reports.model.result_file import load_run, packaged_run

    inputs.check_level("--interval", interval)
    cutoffs, names = inputs.check_cutoffs(k or [10]), asked.split_names(metrics or [])
    score_table.check_suffix("--out", out, score_table.DATA_SUFFIXES if scenario else SUFFIXES)
    score_table.check_suffix("--by-user", by_user)
    protocols = inputs.choose_scenarios(
        scenario, seed, {"--interval": interval, "--against": against, "--by-user": by_user}
    )
    console = make_console()
    runs = [lambda: load_run(source, REPORT_FOLDER), packaged_run]
    found = [asked.library_definitions(each, asked.metric_names(names), runs) for each in dict.fromkeys(library or [])]
    wanted = asked.side_by_side(found) if found else asked.wanted_definitions(names)
    files = inputs.UserFiles(predictions, truth, train, threshold, inputs.parse_columns(columns))
    written: list[tuple[Path, str | bytes]] = []
    if protocols.scenarios:
        data = inputs.load_dataset(None, files)
        rows = score_table.scenario_scores(data, protocols.scenarios, protocols.seeds, wanted, cutoffs)
        told = scores.described(data)
        written += [(out, score_table.scenario_file(rows, told, out))] if out else []
    else:
        made, told = scores.file_scores(files, wanted, cutoffs)
        if interval is not None:
            with said_while("resampling users"):
                made = scores.with_score_intervals(made, interval)
        if against is not None:
            other, _ = scores.file_scores(replace(files, predictions=against), wanted, cutoffs)
            made = scores.with_comparisons(made, other, interval or 0.95)
        made = scores.with_corrected_p_values(scores.joined(made))
        written += [(out, score_file(made, told, out))] if out else []
        written += [(by_user, score_table.by_user_file(made, by_user))] if by_user else []
    for path, content in written:
        write_file(content, path)
        say(f"Written: {path}", err=True)
    lines = [*told.splitlines(), *(f"as {own.library} {own.version} computes them, from {own.origin}" for own in found)]
    show_wrapped("\n".join(lines))
    if protocols.scenarios:
        score_table.print_scenarios(rows, protocols.scenarios, console)
    else:
        score_table.print_scores(made, console)
    for line in (line for each in found for line in each.left_out):
        show_wrapped(f"! left out: {line}")
