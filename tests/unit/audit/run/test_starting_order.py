"""The order in which the versions of a run start: RecBole installs torch, Cornac does not."""

from __future__ import annotations

from recsys_metric_audit.audit import data
from recsys_metric_audit.audit.libraries.discovery import adapters_dir, discover
from recsys_metric_audit.audit.process.protocol import Limits
from recsys_metric_audit.audit.run.all_versions import in_starting_order
from recsys_metric_audit.audit.run.request import Request


def test_frameworks_first_then_older_versions_then_what_is_slow() -> None:
    known = discover([adapters_dir()])
    named = ["mteb", "pykeen", "rs_metrics", "recbole", "cornac"]  # PyKEEN and the older MTEB are slow
    chosen = tuple((known[name], version) for name in named for version in known[name].versions[:2])
    request = Request(chosen, data.load("synthetic:20x30"), (20,), 1, Limits(), "audit run")
    order = [(manifest.name, manifest.versions.index(version)) for manifest, version in in_starting_order(request)]
    assert order == [
        *[("cornac", 0), ("recbole", 0), ("rs_metrics", 0), ("mteb", 0)],
        *[("cornac", 1), ("recbole", 1), ("rs_metrics", 1)],
        *[("pykeen", 0), ("mteb", 1)],
    ]
