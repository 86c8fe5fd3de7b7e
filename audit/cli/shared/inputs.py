"""Checks of what the user typed, made before anything is built: libraries, cut-offs, data, definitions, scenarios."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recsys_metric_audit.audit.errors import UserError

if TYPE_CHECKING:
    from recsys_metric_audit.audit.data.dataset import Dataset
    from recsys_metric_audit.audit.libraries.function import Function
    from recsys_metric_audit.audit.libraries.manifest import Manifest, Version
    from recsys_metric_audit.audit.scenarios import Scenario
    from recsys_metric_audit.audit.sources.checkout import Checkouts, GivenFolder
    from recsys_metric_audit.reference.definitions.definition import Definition
    from recsys_metric_audit.reference.input.conversion import Columns


_LARGEST_CUTOFF = 1_000_000
_LARGEST_LIMIT = 1_000_000  # seconds, processes
_PROOF = 4096  # bytes that have to fit on the disk of a report before an audit begins


@dataclass(frozen=True)
class UserFiles:
    """The user's own files, each None if it was not given.

    ``threshold`` is the gain from which an item is relevant, ``columns`` are the names of columns if they are others.
    """

    predictions: Path | None
    truth: Path | None
    train: Path | None
    threshold: float | None
    columns: Columns | None = None

    def given_options(self) -> list[str]:
        """Return the options that were given, as typed."""
        return [f"--{name}" for name, value in vars(self).items() if value is not None]


def check_cutoffs(ks: list[int]) -> tuple[int, ...]:
    """Return each cut-off once, in the order given.

    Raises:
        UserError: for one below 1, or larger than any list.
    """
    for k in ks:
        if k < 1:
            raise UserError(f"-k {k}: a cut-off is a number of places, 1 or more", "try -k 20")
        if k > _LARGEST_CUTOFF:
            raise UserError(f"-k {k}: a cut-off is at most {_LARGEST_CUTOFF:,}", "try -k 20")
    return tuple(dict.fromkeys(ks))


def check_positive(option: str, value: float) -> None:
    """Refuse the value of an option unless it is a number above 0, and not larger than makes sense.

    Raises:
        UserError: if it is not.
    """
    if math.isnan(value) or value <= 0:
        raise UserError(f"{option} {value:g}: must be more than 0", f"{option} can be left out")
    if value > _LARGEST_LIMIT:
        raise UserError(f"{option} {value:g}: must be {_LARGEST_LIMIT:,} or less", f"{option} can be left out")


def check_workers(jobs: int | None, timeout: float) -> int:
    """Return how many libraries are audited at a time: by default as many as there are CPU cores.

    Raises:
        UserError: if ``jobs`` or ``timeout`` is not above 0.
    """
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    check_positive("--jobs", workers)
    check_positive("--timeout", timeout)
    return workers


def check_level(option: str, level: float | None) -> None:
    """Refuse a level that is given and no probability between 0 and 1.

    Raises:
        UserError: if it is not.
    """
    if level is not None and not 0 < level < 1:
        raise UserError(f"{option} {level:g}: a level is between 0 and 1", f"try {option} 0.95")


def load_dataset(
    name: str | None, files: UserFiles, recommender: str | None = None, archive: Path | None = None
) -> Dataset:
    """Return a built-in dataset, or the one in the user's files if any were given.

    Args:
        name: the built-in dataset; None for the default one.
        files: the user's own files.
        recommender: the recommender whose predictions the built-in dataset has; None for the default one.
        archive: the user's copy of a built-in dataset that is not downloaded.

    Raises:
        UserError: for options that exclude each other, and for files that cannot be read or contradict each other.
    """
    from recsys_metric_audit.audit import data
    from recsys_metric_audit.audit.cli.shared.output import said_while

    given = files.given_options()
    if not given:
        with said_while(f"preparing the data {name or data.DEFAULT}"):
            return data.load(name or data.DEFAULT, recommender, archive)
    if archive is not None:
        raise UserError(f"--archive and {given[0]} exclude each other", "leave out one of them")
    if name is not None:
        raise UserError(f"--dataset and {given[0]} exclude each other", "leave out one of them")
    if files.predictions is None or files.truth is None:
        missing = "--truth" if files.predictions else "--predictions"
        raise UserError(
            f"{given[0]} was given without {missing}",
            "own data needs both: audit run --predictions FILE --truth FILE [--train FILE]",
        )
    if files.threshold is not None and not math.isfinite(files.threshold):
        raise UserError(f"--threshold {files.threshold:g}: must be a number", "try --threshold 1")
    threshold = 1.0 if files.threshold is None else files.threshold
    read = [str(path) for path in (files.predictions, files.truth, files.train) if path]
    with said_while(f"reading {', '.join(read)}"):
        return data.read_case(files.predictions, files.truth, files.train, threshold=threshold, columns=files.columns)


def parse_columns(text: str | None) -> Columns | None:
    """Return the names of columns in a text such as ``user=customer_id,item=product_id``; None for None.

    Raises:
        UserError: for a text of another form, and a column that is none of user, item, score and gain.
    """
    if text is None:
        return None
    from recsys_metric_audit.reference.input.conversion import Columns

    pairs = [part.partition("=") for part in text.split(",")]
    named = {ours.strip(): theirs.strip() for ours, _, theirs in pairs}
    if len(named) < len(pairs) or not all(named.values()) or not named.keys() <= vars(Columns()).keys():
        hint = "try --columns user=customer_id,item=product_id"
        raise UserError(f"--columns {text}: not of the form user=NAME,item=NAME,score=NAME,gain=NAME", hint)
    try:
        return Columns(**named)
    except ValueError as error:
        raise UserError(
            f"--columns {text}: {error}", f"in pandas: table['score'] = -table[{named['score']!r}]"
        ) from None


def parse_recommenders(text: str | None, files: UserFiles) -> tuple[str, ...]:
    """Return the names in ``ease,itemknn``, each once; none for None.

    Raises:
        UserError: for a recommender that does not exist, and if there are own predictions.
    """
    if text is None:
        return ()
    from recsys_metric_audit.audit.data.recommenders import RECOMMENDERS

    if given := files.given_options():
        raise UserError(
            f"--recommender and {given[0]} exclude each other", "own predictions have been made by their recommender"
        )
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in RECOMMENDERS:
            known = ",".join(RECOMMENDERS)
            raise UserError(f"--recommender {text}: there is no recommender {name!r}", f"try --recommender {known}")
    return names


def recommenders_to_rank(named: Sequence[str], files: UserFiles, dataset: str | None) -> tuple[str, ...]:
    """Return the recommenders that a run ranks by definitions: those named, or if they are fewer than two, all.

    None are ranked on data whose predictions no built-in recommender makes.

    Args:
        named: the recommenders that the user named.
        files: the user's own files.
        dataset: the built-in dataset; None for the default one.
    """
    from recsys_metric_audit.audit.data.builtin import DEFAULT
    from recsys_metric_audit.audit.data.recommenders import RECOMMENDERS

    if files.given_options() or (dataset or DEFAULT).partition(":")[0] != DEFAULT:
        return ()
    return tuple(named) if len(named) > 1 else tuple(dict.fromkeys((*named, *RECOMMENDERS)))


def refuse_unwritable(out: Path) -> None:
    """Refuse a folder into which no report can be written, before the audit takes its time.

    The folder is made, written into, and removed again if it was not there.

    Raises:
        UserError: if a file is in the way, a folder in the way of one of the files, or nothing can be written.
    """
    from recsys_metric_audit.reports.writers.report_folder import FILES

    hint = "choose another folder: --out DIR"
    missing: list[Path] = []
    try:
        here = out.absolute()
        while not here.exists() and here != here.parent:
            missing.append(here)
            here = here.parent
        if not here.is_dir():
            raise UserError(f"--out {out}: {here} is a file, not a folder", hint)
        for name in FILES:
            if (out / name).is_dir():
                raise UserError(f"--out {out}: {out / name} is a folder, and a file of the report is to be there", hint)
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out) as file:
            file.write(b"x" * _PROOF)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"--out {out}: it cannot be written: {why}", hint) from error
    finally:
        for made in missing:
            with suppress(OSError):
                made.rmdir()


def parse_sources(texts: list[str]) -> tuple[GivenFolder, ...]:
    """Return the checkouts that texts of the form ``NAME[==VERSION]=DIR`` name.

    Raises:
        UserError: for a text of another form.
    """
    from recsys_metric_audit.audit.sources.checkout import GivenFolder

    given = []
    for text in texts:
        parts = re.fullmatch(r"(?P<name>[^=]+)(?:==(?P<version>[^=]+))?=(?P<folder>[^=].*)", text)
        if parts is None:
            raise UserError(f"--source {text}: not of the form NAME=DIR", "try --source NAME[==VERSION]=DIR")
        given.append(GivenFolder(parts["name"].strip(), parts["version"], Path(parts["folder"])))
    return tuple(given)


def folders_in_place(
    texts: list[str] | None, chosen: Sequence[tuple[Manifest, Version]], *, unpinned: bool = False
) -> Checkouts:
    """Return the folders of ``--source``, by library and version.

    Raises:
        UserError: for a text of another form, and as :func:`audit.sources.checkout.resolve`.
    """
    from recsys_metric_audit.audit.sources.checkout import resolve

    return resolve(parse_sources(texts or []), chosen, unpinned=unpinned)


def parse_typed(text: str, where: str, hint: str) -> Definition:
    """Return the definition that a signature or an everyday name stands for.

    Args:
        text: What the user typed.
        where: The option or word that it stands in, for the message.
        hint: What to type instead where it does not parse.

    Raises:
        UserError: if it does not.
    """
    from recsys_metric_audit.reference.catalogue.everyday_names import parse_named
    from recsys_metric_audit.reference.definitions.definition import SignatureError

    try:
        return parse_named(text)
    except SignatureError as error:
        raise UserError(f"{where}: {error}", hint) from None


def parse_canonical(texts: list[str]) -> dict[str, Definition]:
    """Return, by metric, the definitions that texts of the form ``METRIC=SIGNATURE`` name.

    Raises:
        UserError: for a text of another form, a signature of another metric, one with a cut-off of its own (``-k``
            chooses that), or a metric named twice.
    """
    from recsys_metric_audit.reference.catalogue.everyday_names import metric_named

    out: dict[str, Definition] = {}
    for text in texts:
        name, equals, signature = text.partition("=")
        where = f"--canonical {text}"
        metric = metric_named(name)
        if not equals or metric is None:
            wrong = f"there is no metric {name!r}" if equals else "not of the form METRIC=SIGNATURE"
            raise UserError(f"{where}: {wrong}", "try --canonical 'map=average_precision|denominator:r'")
        definition = parse_typed(signature, where, f"audit explain {metric} lists its axes and values")
        if definition.metric != metric:
            hint = f"audit definitions --metric {metric}"
            raise UserError(f"{where}: this is a definition of {definition.metric}, not of {metric}", hint)
        if isinstance(definition.k, int):
            raise UserError(f"{where}: the cut-off is chosen with -k", f"leave out @{definition.k}")
        if metric in out:
            raise UserError(f"{where}: {metric} has a canonical definition already", "give one for each metric")
        out[metric] = definition
    return out


def all_libraries(adapters: list[Path] | None) -> dict[str, Manifest]:
    """Return every library by name; say which adapters of installed distributions are left out or replace others.

    Args:
        adapters: folders of adapters beside those that come with the tool or are installed.

    Raises:
        UserError: for a folder that is missing, or a library.toml with a mistake.
    """
    from recsys_metric_audit.audit.cli.shared.output import say
    from recsys_metric_audit.audit.libraries.discovery import discover_all

    libraries, remarks = discover_all(adapters or [])
    for remark in remarks:
        say(remark, err=True)
    return libraries


def one_library(adapters: list[Path] | None, name: str) -> Manifest:
    """Return the library called `name`.

    Raises:
        UserError: if there is none, or if a version is named.
    """
    from recsys_metric_audit.audit.libraries.discovery import select

    return select(all_libraries(adapters), [name])[0][0]


def choose_versions(
    adapters: list[Path] | None, named: list[str] | None, every: bool
) -> list[tuple[Manifest, Version]]:
    """Return the versions that a command audits.

    Args:
        adapters: folders of adapters beside those that come with the tool.
        named: libraries and versions that the user named. If there are none, all usual versions that are not slow.
        every: True for all versions if none is named.

    Raises:
        UserError: for a library or version that does not exist.
    """
    from recsys_metric_audit.audit.libraries.discovery import select

    chosen = select(all_libraries(adapters), named or ())
    return [pair for pair in chosen if named or every or (pair[1].usual and _is_quick(*pair))]


def function_of(manifest: Manifest, version: Version, name: str) -> Function:
    """Return the function of ``version`` that is called ``name``, in full or by the last part of its name.

    Raises:
        UserError: if there is none or more than one, with the nearest names.
    """
    from difflib import get_close_matches

    functions = {each.name: each for each in manifest.functions_of(version)}
    found = [each for each in functions if each == name] or [each for each in functions if each.endswith(f".{name}")]
    if len(found) == 1:
        return functions[found[0]]
    near = found or get_close_matches(name, functions, n=3, cutoff=0.1)
    meant = f"it may be {' or '.join(near)}" if near else "`audit list --format json` shows its functions"
    raise UserError(f"{manifest.name} has {len(found) or 'no'} function{'s' * (len(found) > 1)} {name!r}", meant)


def _is_quick(manifest: Manifest, version: Version) -> bool:
    """Return True unless a slow library has to be run: replaying a recording is quick."""
    from recsys_metric_audit.audit.sources.checkout import fetched_folder

    if version.heavy is None:
        return True
    recorded = version.git is not None and manifest.recording_path(version).is_file()
    return recorded and not fetched_folder(manifest, version).exists()


SEEDS = (1, 2, 3, 4, 5)
"""The seeds where none is named."""
_LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class ScenarioChoice:
    """Holds the scenarios, each once, and the seeds under which those are evaluated that draw."""

    scenarios: tuple[Scenario, ...]
    seeds: tuple[int, ...]

    def applied(self, dataset: Dataset) -> Dataset:
        """Return the data set under each scenario in turn, with the first seed.

        Raises:
            UserError: if the data cannot carry one, or carry it only with bounds.
        """
        from recsys_metric_audit.audit.scenarios import dataset_under

        for scenario in self.scenarios:
            dataset = dataset_under(dataset, scenario, self.seeds[0])
        return dataset


def choose_scenarios(
    names: Sequence[str] | None, seeds: Sequence[int] | None, excluded: Mapping[str, object]
) -> ScenarioChoice:
    """Return the scenarios that are named; none if none is.

    Args:
        names: as typed.
        seeds: as typed; None for the usual ones.
        excluded: the values of options that cannot be used with a scenario, by option.

    Raises:
        UserError: for a scenario that does not parse, a seed that cannot be one, seeds without a scenario that draws,
            and options that exclude each other.
    """
    from recsys_metric_audit.audit.scenarios import parse_scenario

    found = tuple({each.name: each for each in map(parse_scenario, names or [])}.values())
    if found and (given := [option for option, value in excluded.items() if value is not None]):
        raise UserError(f"--scenario and {given[0]} exclude each other", "leave out one of them")
    if seeds and not any(each.drawn for each in found):
        raise UserError(
            f"--seed {seeds[0]}: no scenario is named that draws", "try --scenario sampled:99, or leave it out"
        )
    for seed in seeds or ():
        if not 0 <= seed <= _LARGEST_SEED:
            raise UserError(f"--seed {seed}: a seed is a number from 0 to {_LARGEST_SEED:,}", "try --seed 1")
    return ScenarioChoice(found, tuple(dict.fromkeys(seeds or SEEDS)))


def choose_scenario(name: str | None, seed: int | None) -> ScenarioChoice:
    """Return the one scenario that libraries are asked under; none if none is named.

    Args:
        name: as typed.
        seed: as typed; None for the first of the usual ones.

    Raises:
        UserError: for a scenario that does not parse, and a seed that cannot be one or that nothing draws with.
    """
    chosen = choose_scenarios([] if name is None else [name], None if seed is None else [seed], {})
    return ScenarioChoice(chosen.scenarios, chosen.seeds[:1])
