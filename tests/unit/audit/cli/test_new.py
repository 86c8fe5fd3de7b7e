"""The command that writes a first adapter: what it writes is whole and tried, and nothing is left of a failure."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.environments.locking import check_lock
from recsys_metric_audit.audit.libraries.contract import Takes
from recsys_metric_audit.audit.libraries.manifest import load
from tests.support.installed_library import FILES, install

USUAL = ("mine", "--package", "newlib", "--like", "per-list")


def audit(*words: str) -> Result:
    return CliRunner().invoke(cli.app, [*words], prog_name="audit")


@pytest.fixture
def adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    install(tmp_path, monkeypatch)
    (tmp_path / "adapters").mkdir()
    return tmp_path / "adapters"


@pytest.mark.slow
def test_an_adapter_is_written_locked_and_tried(adapters: Path) -> None:
    adapters.rmdir()
    done = audit("new", *USUAL, "--to", "adapters")
    assert done.exit_code == 0, done.output
    assert [line.split()[:5] for line in done.stdout.splitlines()[:5]] == [
        ["newlib.HitRate", "10", "of", "10", "hit_rate@k"],
        ["newlib.ranking.MAP", "3", "of", "10", "average_precision|mean:harmonic|cutoff:none"],  # always 1/2
        ["newlib.ranking.mrr", "10", "of", "10", "reciprocal_rank|cutoff:none"],
        ["newlib.ranking.precision_at_k", "10", "of", "10", "precision@k"],
        ["newlib.recall_at_k", "10", "of", "10", "recall@k"],
    ]
    assert [path.name for path in adapters.iterdir()] == ["mine"]
    manifest = load(adapters / "mine")
    version = manifest.versions[0]
    assert (version.version, manifest.about) == ("1.1", 'Counts "hits", and more.')
    assert check_lock(manifest, version) == []
    assert {each.takes for each in manifest.functions} == {Takes(input="ranked", truth="list")}
    assert set(manifest.out_of_scope) == {"newlib.ranking.rmse", "newlib.broken.ndcg"}
    again = audit("try", "mine:newlib.recall_at_k", "--adapters", "adapters")
    assert again.exit_code == 0, again.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("My-Lib", *USUAL[1:]), "cannot name a library"),
        (("mine", "--package", "newlib==1.0", "--like", "dicts"), "is no name of a package"),
        (("mine", "--package", "nothing-of-that-name", "--like", "dicts"), "cannot be looked up"),
        (("mine", "--package", "newlib", "--like", "sheets"), "'sheets' is not one of"),
        ((*USUAL, "--call", "ndcg=newlib.ndcg(relevant)"), "does not read recommended"),
    ],
)
def test_bad_input_leaves_nothing(adapters: Path, words: tuple[str, ...], said: str) -> None:
    done = audit("new", *words, "--to", "adapters")
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert list(adapters.iterdir()) == []


@pytest.mark.slow
def test_what_gives_no_number_is_out_of_scope_and_says_why(adapters: Path) -> None:
    module = adapters.parent / "site" / "newlib" / "ranking.py"
    module.write_text(module.read_text() + "\ndef f1(matrix):\n    return 0.0\n")
    done = audit("new", *USUAL, "--to", "adapters")
    assert done.exit_code == 0 and "1 of 6 functions returned no number" in done.stdout
    manifest = load(adapters / "mine")
    assert "takes 1 positional argument but 2 were given" in manifest.out_of_scope["newlib.ranking.f1"]
    assert "newlib.ranking.f1" not in {each.name for each in manifest.functions}
    assert "f1" not in (adapters / "mine" / "adapter.py").read_text()


@pytest.mark.slow
def test_a_metric_is_called_as_it_is_told(adapters: Path) -> None:
    told = (
        "recall=newlib.recall_at_k(recommended, relevant, k)",
        "hr=newlib.HitRate(k).compute(relevant, recommended)",
    )
    done = audit("new", *USUAL, "--to", "adapters", "--call", told[0], "--call", told[1])
    assert done.exit_code == 0, done.output
    assert [line.split() for line in done.stdout.splitlines()[:2]] == [
        ["newlib.recall_at_k[recall]", "10", "of", "10", "recall@k"],
        ["newlib.HitRate.compute[hr]", "10", "of", "10", "hit_rate@k"],
    ]
    unknown = audit("new", "other", *USUAL[1:], "--to", "adapters", "--call", "recall=oldlib.f(recommended, relevant)")
    assert unknown.exit_code == 2 and "oldlib.f cannot be imported: ModuleNotFoundError" in unknown.stderr
    assert [path.name for path in adapters.iterdir()] == ["mine"]


def test_nothing_is_replaced(adapters: Path) -> None:
    (adapters / "mine").mkdir()
    done = audit("new", *USUAL, "--to", "adapters")
    assert done.exit_code == 2
    assert "is there already" in done.stderr
    assert audit("new", *USUAL, "--to", "missing/elsewhere").exit_code == 2


def test_a_missing_folder_of_adapters_is_made_where_something_is_written(adapters: Path) -> None:
    unknown = audit("new", "mine", "--package", "nothing-of-that-name", "--like", "dicts", "--to", "elsewhere")
    assert unknown.exit_code == 2
    assert not (adapters.parent / "elsewhere").exists()


@pytest.mark.slow
def test_a_package_without_metrics_leaves_nothing(adapters: Path) -> None:
    for name in FILES:
        if name.endswith(".py"):
            (adapters.parent / "site" / name).write_text("")
    done = audit("new", *USUAL, "--to", "adapters")
    assert done.exit_code == 2, done.output
    assert "no function of newlib that is named after a metric" in done.stderr
    assert list(adapters.iterdir()) == []
