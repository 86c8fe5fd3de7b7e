"""Says what a recommender metric really computes: definitions to evaluate, to compare, to find and to explain.

>>> from recsys_metric_audit import evaluate
>>> found = evaluate({"ann": ["tea", "rye"], "bob": ["rye"]}, {"ann": ["rye"], "bob": ["ale"]}, 2)
>>> found
signature             value  users
hit_rate@2           0.5000      2
average_precision@2  0.2500      2
reciprocal_rank@2    0.2500      2
ndcg@2               0.3155      2
precision@2          0.2500      2
recall@2             0.5000      2
>>> found["map"].by_user()
{'ann': 0.5, 'bob': 0.0}

``evaluate`` computes definitions on tables of predictions and truth, ``compare`` tests two recommenders, ``which``
finds the definitions that give a printed number, ``impossible_together`` those that cannot have given the numbers of a
table together; ``convert_means`` and ``convert_ranks`` tell what follows for others. ``identify`` says what a function
of your own computes. ``explain`` writes the formula of a definition and works it by hand, ``parse`` reads a signature,
``definitions`` lists the documented ones, ``differing`` names the axes on which two differ. Everything is imported
when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recsys_metric_audit.audit.errors import UserError as UserError
    from recsys_metric_audit.audit.inhouse.telling.identification_here import Identification as Identification
    from recsys_metric_audit.audit.inhouse.telling.identification_here import identify as identify
    from recsys_metric_audit.reference.api import compare as compare
    from recsys_metric_audit.reference.api import evaluate as evaluate
    from recsys_metric_audit.reference.catalogue.variants import Variant as Variant
    from recsys_metric_audit.reference.definitions.definition import Definition as Definition
    from recsys_metric_audit.reference.definitions.definition import SignatureError as SignatureError
    from recsys_metric_audit.reference.documented import definitions as definitions
    from recsys_metric_audit.reference.documented import differing as differing
    from recsys_metric_audit.reference.documented import parse as parse
    from recsys_metric_audit.reference.engines.disk_buckets import DiskSpaceError as DiskSpaceError
    from recsys_metric_audit.reference.engines.user_block import NotUserByUserError as NotUserByUserError
    from recsys_metric_audit.reference.evaluation.prepared import InputRefusedError as InputRefusedError
    from recsys_metric_audit.reference.evaluation.prepared import Values as Values
    from recsys_metric_audit.reference.input.conversion import Columns as Columns
    from recsys_metric_audit.reference.input.in_common import FewInCommonWarning as FewInCommonWarning
    from recsys_metric_audit.reference.input.in_common import NothingInCommonError as NothingInCommonError
    from recsys_metric_audit.reference.input.parquet_rows import UnreadableRowsError as UnreadableRowsError
    from recsys_metric_audit.reference.input.table_kinds import Table as Table
    from recsys_metric_audit.reference.placement.tie_ranks import TooManyOrdersError as TooManyOrdersError
    from recsys_metric_audit.reference.printed_numbers import convert_means as convert_means
    from recsys_metric_audit.reference.printed_numbers import convert_ranks as convert_ranks
    from recsys_metric_audit.reference.printed_numbers import impossible_together as impossible_together
    from recsys_metric_audit.reference.printed_numbers import which as which
    from recsys_metric_audit.reference.results import Comparisons as Comparisons
    from recsys_metric_audit.reference.results import Results as Results
    from recsys_metric_audit.reference.uncertainty.paired_comparison import PairedComparison as PairedComparison
    from recsys_metric_audit.reference.value_search.by_value import Found as Found
    from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedNumbers as CheckedNumbers
    from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedPair as CheckedPair
    from recsys_metric_audit.reference.value_search.impossible_pairs import CheckedTable as CheckedTable
    from recsys_metric_audit.reference.value_search.number_conversion import ConversionError as ConversionError
    from recsys_metric_audit.reference.value_search.number_conversion import Interval as Interval
    from recsys_metric_audit.reference.value_search.printed_number import PrintedNumberError as PrintedNumberError
    from recsys_metric_audit.reports.handbook.explanation import Explanation as Explanation
    from recsys_metric_audit.reports.handbook.explanation import explain as explain

_HOMES = {
    "audit.errors": ("UserError",),
    "audit.inhouse.telling.identification_here": ("Identification", "identify"),
    "reference.api": ("compare", "evaluate"),
    "reference.catalogue.variants": ("Variant",),
    "reference.definitions.definition": ("Definition", "SignatureError"),
    "reference.engines.disk_buckets": ("DiskSpaceError",),
    "reference.engines.user_block": ("NotUserByUserError",),
    "reference.evaluation.prepared": ("InputRefusedError", "Values"),
    "reference.input.conversion": ("Columns",),
    "reference.input.in_common": ("FewInCommonWarning", "NothingInCommonError"),
    "reference.input.parquet_rows": ("UnreadableRowsError",),
    "reference.input.table_kinds": ("Table",),
    "reference.documented": ("definitions", "differing", "parse"),
    "reference.placement.tie_ranks": ("TooManyOrdersError",),
    "reference.printed_numbers": ("convert_means", "convert_ranks", "impossible_together", "which"),
    "reference.results": ("Comparisons", "Results"),
    "reference.uncertainty.paired_comparison": ("PairedComparison",),
    "reference.value_search.by_value": ("Found",),
    "reference.value_search.number_conversion": ("ConversionError", "Interval"),
    "reference.value_search.impossible_pairs": ("CheckedNumbers", "CheckedPair", "CheckedTable"),
    "reference.value_search.printed_number": ("PrintedNumberError",),
    "reports.handbook.explanation": ("Explanation", "explain"),
}
"""The public names by the module that defines them: what is imported above, where types are checked."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}
__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
