"""``audit paper``: judge what papers claim by what an audit found and by experiments."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recsys_metric_audit.audit.cli.shared.options import REPORT_FOLDER, Run
from recsys_metric_audit.audit.cli.shared.safe_text import say, show
from recsys_metric_audit.audit.cli.shared.standard_streams import make_console

if TYPE_CHECKING:
    from recsys_metric_audit.reference.input.case import Case


class Format(StrEnum):
    """The formats of the answers."""

    text = "text"
    md = "md"
    json = "json"


def paper(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY] [NUMBER]",
            help="A paper, and one of its claims to tell in full. Default: the paper of 2021, all claims.",
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--list", help="List the papers and end.")] = False,
    pages: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a page for each later paper into DIR and end. Default: none."),
    ] = None,
    source: Run = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.text,
) -> None:
    """Check what papers claim about metrics and libraries.

    Each claim of a paper, by default of Tamm, Damdinov & Vasilev (RecSys 2021), is judged by the definitions that an
    audit found, and by experiments on the reference and on data: yes; yes, but only in one way or setting; in part;
    no; or unknown. If the paper names the cause of a difference, that cause alone is changed to see its effect.

    \b
    Examples:
      audit paper
      audit paper 16
      audit paper --list
      audit paper manzhos2025 1
      audit run --all && audit paper --from audit-report
      audit paper --format md > paper.md
      audit paper --pages docs/papers
    """
    from recsys_metric_audit.audit.cli.shared.library_choice import all_libraries
    from recsys_metric_audit.audit.pins.pinned_findings import run_for_paper
    from recsys_metric_audit.reports.model.result_file import load_run, packaged_run
    from recsys_metric_audit.reports.paper.claims import paper_keys
    from recsys_metric_audit.reports.paper.published import RE_AUDITED
    from recsys_metric_audit.reports.paper.reaudit import reaudit
    from recsys_metric_audit.reports.renderers import reaudit_formats as formats
    from recsys_metric_audit.reports.writers.paper_pages import write_pages

    if every:
        show("\n".join(formats.list_lines()))
        return
    key, number = _chosen(words or [])
    libraries = partial(all_libraries, None)
    if pages is not None:
        # Not of a report that happens to lie here: pages are made of recorded data, wherever they are made.
        loaded = packaged_run() if source is None else load_run(source, REPORT_FOLDER)
        written = write_pages(pages, lambda each: run_for_paper(loaded, each, libraries), experiment_data)
        say(f"{len(written)} pages in {pages}")
        return
    loaded = run_for_paper(load_run(source, REPORT_FOLDER), key, libraries)
    found, console = reaudit(loaded.result, key, experiment_data, number), make_console()
    if form is not Format.text:
        show(formats.as_markdown(found, loaded.origin) if form is Format.md else formats.as_json(found, loaded.origin))
    elif number is None:
        others = [other for other in paper_keys() if other != key] if key == RE_AUDITED else []
        formats.print_screen(found, loaded.origin, console, others)
    else:
        formats.print_claim(found.told[0], console)
        if (key, number) == (RE_AUDITED, formats.SURVEY):
            formats.print_rest(found, console)


def _chosen(words: list[str]) -> tuple[str, int | None]:
    """Return the key and the number that are named; without a key, that of the paper of 2021."""
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.reports.paper.claims import load_claims, paper_keys
    from recsys_metric_audit.reports.paper.published import RE_AUDITED

    named = list(words)
    key = named.pop(0) if named and not named[0].isdecimal() else RE_AUDITED
    if key not in paper_keys():
        raise UserError(f"there is no paper {key!r}", f"Choose one of: {', '.join(paper_keys())}.")
    if not named:
        return key, None
    last = load_claims(key).claim[-1].number
    if len(named) > 1 or not named[0].isdecimal() or not 1 <= int(named[0]) <= last:
        hint = f"Name one from 1 to {last}: audit paper {'' if key == RE_AUDITED else f'{key} '}{last}"
        raise UserError(f"{key} has no claim {' '.join(named)}", hint)
    return key, int(named[0])


@lru_cache(maxsize=16)
def experiment_data(dataset: str, recommender: str) -> Case:
    """Return a dataset with the predictions of a recommender, for experiments.

    ``dataset`` may name a scenario and a seed besides: ``ml-100k:global+leave_one_out+sampled:99#2``.
    """
    from recsys_metric_audit.audit.data import load
    from recsys_metric_audit.audit.errors import UserError
    from recsys_metric_audit.audit.scenarios import dataset_under, parse_scenario
    from recsys_metric_audit.reports.experiments.outcome import DataMissingError

    name, _, rest = dataset.partition("+")
    steps, _, seed = rest.partition("#")
    try:
        loaded = load(name, recommender or None)
        return dataset_under(loaded, parse_scenario(steps), int(seed or 1)).case if steps else loaded.case
    except UserError as error:
        raise DataMissingError(f"{error}".rstrip(".")) from error
