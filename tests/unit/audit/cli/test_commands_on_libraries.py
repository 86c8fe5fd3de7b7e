"""Hold the commands on libraries: list, lock, new, try, probes, accept."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments.locking import check_lock
from recsys_metric_audit.audit.libraries.discovery import adapters_dir
from recsys_metric_audit.audit.libraries.function import Takes
from recsys_metric_audit.audit.libraries.manifest import load
from tests.support import drifting_library
from tests.support.adapter_distribution import install_distribution
from tests.support.command_line import audit, audit_mine
from tests.support.drifting_library import Audits, Environments
from tests.support.installed_library import FILES, install

# ``audit list``: every library and version, and those that ``--adapters`` adds.


def test_list_names_every_library_and_version() -> None:
    entries = json.loads(audit("list", "--format", "json").stdout)
    names = sorted(path.parent.name for path in adapters_dir().glob("*/library.toml"))
    assert [entry["library"] for entry in entries] == names
    found = next(entry for entry in entries if entry["library"] == "rs_metrics")
    assert found["versions"][0] == {
        "version": "0.6.0", "python": "3.11", "environment": "missing", "usual": True, "heavy": None,
        "unavailable": None,
    }  # fmt: skip
    lines = audit("list").stdout.splitlines()
    assert len(lines) == 1 + sum(len(entry["versions"]) for entry in entries)
    assert lines[0].split() == ["library", "version", "python", "environment", "functions"]


def test_adapters_adds_and_replaces(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "rs_metrics"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copytree(mine, mine.with_name("mine"))
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('title = "rs_metrics"', 'title = "My own"'))
    entries = json.loads(audit("list", "--format", "json", "--adapters", "more").stdout)
    titles = {entry["library"]: entry["title"] for entry in entries}
    assert titles["rs_metrics"] == "My own"
    assert titles["mine"] == "rs_metrics"
    assert "recbole" in titles


def test_installed_adapters_are_listed_and_a_broken_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    shutil.copytree(adapters_dir() / "rs_metrics", tmp_path / "ours" / "adapters" / "ourlib")
    install_distribution(tmp_path, "our-lib", {"here": "ours.adapters", "gone": "ours.nowhere"})
    done = audit("list", "--format", "json")
    assert done.exit_code == 0
    assert {"ourlib", "rs_metrics"} <= {entry["library"] for entry in json.loads(done.stdout)}
    said = "our-lib 1.0 (entry point gone = ours.nowhere): left out: there is no folder of a package ours.nowhere\n"
    assert done.stderr == said


# ``audit lock --check``: which lock is stale, and which belongs to no version.


@pytest.mark.slow
def test_locking_leaves_out_what_cannot_be_had(mine: list[str]) -> None:
    done = audit("lock", "mine==1", *mine)
    assert (done.exit_code, "no lock: it was taken back" in done.stderr) == (0, True)
    assert "0 locks are in order" in audit("lock", "--check", "mine==1", *mine).stdout


def test_lock_check_names_the_stale_lock(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    assert audit("lock", "--check", "mine", "--adapters", "more").exit_code == 0
    text = (mine / "library.toml").read_text()
    (mine / "library.toml").write_text(text.replace('"pandas<3"', '"pandas<2"'))
    done = audit("lock", "--check", "mine==0.6.0", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.6.0.txt: stale" in done.stderr
    assert "audit lock" in done.stderr


def test_lock_check_names_a_lock_of_no_pinned_version(tmp_path: Path) -> None:
    mine = tmp_path / "more" / "mine"
    shutil.copytree(adapters_dir() / "rs_metrics", mine)
    shutil.copy(mine / "locks" / "0.6.0.txt", mine / "locks" / "0.7.0.txt")
    assert audit("lock", "--check", "mine==0.6.0", "--adapters", "more").exit_code == 0
    done = audit("lock", "--check", "mine", "--adapters", "more")
    assert done.exit_code == 2
    assert "0.7.0.txt: of a version that library.toml does not pin" in done.stderr


# The command that writes a first adapter: what it writes is whole and tried, and nothing is left of a failure.

USUAL = ("mine", "--package", "newlib", "--like", "per-list")


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
def test_an_adapter_is_replaced_where_that_is_asked(adapters: Path) -> None:
    (adapters / "mine").mkdir()
    (adapters / "mine" / "old.txt").write_text("")
    done = audit("new", *USUAL, "--to", "adapters", "--force")
    assert done.exit_code == 0, done.output
    assert (adapters / "mine" / "library.toml").is_file() and not (adapters / "mine" / "old.txt").exists()
    assert [path.name for path in adapters.iterdir()] == ["mine"]


@pytest.mark.slow
def test_a_package_without_metrics_leaves_nothing(adapters: Path) -> None:
    for name in FILES:
        if name.endswith(".py"):
            (adapters.parent / "site" / name).write_text("")
    done = audit("new", *USUAL, "--to", "adapters")
    assert done.exit_code == 2, done.output
    assert "no function of newlib that is named after a metric" in done.stderr
    assert list(adapters.iterdir()) == []


# The command that tries an adapter says what it returned, and ends by whether it is sane.


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    drifting_library.write(tmp_path / "mine" / "drifting", "2.0")
    Environments(tmp_path, monkeypatch)
    return tmp_path / "mine" / "drifting" / "adapter.py"


@pytest.mark.slow
def test_all_functions_of_a_sane_adapter(adapter: Path) -> None:
    done = audit_mine("try", "drifting")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "drifting 2.0: 3 of 3 functions"
    assert [line.split() for line in lines[1:4]] == [
        ["statistics.mean", "10", "of", "10", "precision@k|denominator:shown"],
        ["statistics.median", "10", "of", "10", "hit_rate@k"],
        ["statistics.mode", "10", "of", "10", "recall@k"],
    ]


def test_one_function_is_shown_case_by_case(adapter: Path) -> None:
    done = audit_mine("try", "drifting==2.0:mean")
    assert done.exit_code == 0, done.output
    row = next(line for line in done.stdout.splitlines() if line.startswith("list shorter"))
    assert row.split()[-4:] == ["6", "0.500000", "0.333333", "0.500000"]  # 2 hits: of 4 shown, of 6 places


@pytest.mark.slow
def test_an_adapter_that_passes_lists_the_wrong_way_round_is_not_sane(adapter: Path) -> None:
    text = adapter.read_text()
    assert text.count("append((-score") == 1
    adapter.write_text(text.replace("append((-score", "append((score"))
    done = audit_mine("try", "drifting")
    assert done.exit_code == 1, done.output
    assert "NOT SANE: a hit at the end counts for more than one at the top: the order is ascending" in done.stdout


@pytest.mark.slow
def test_an_adapter_that_raises_has_no_number(adapter: Path) -> None:
    adapter.write_text(adapter.read_text().replace("def prepare(case):", "def prepare(case):\n    case.recs"))
    done = audit_mine("try", "drifting")
    assert done.exit_code == 3, done.output
    assert "no function returned a number" in done.stdout
    assert "recs" in done.stdout


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("drifting:men", "it may be statistics.me"),
        ("drifting==9", "pinned are 2.0"),
        ("driftin", "did you mean drifting?"),
    ],
)
def test_what_is_not_there_is_met_with_what_is(adapter: Path, subject: str, said: str) -> None:
    done = audit_mine("try", subject)
    assert done.exit_code == 2
    assert said in done.stderr


# ``audit probes`` writes a folder of cases, and never over answers.


@pytest.mark.parametrize(
    ("form", "files"),
    [
        ("csv", {"predictions.csv", "truth.csv", "answers.csv"}), ("json", {"probes.json", "answers.csv"}),
        ("trec", {"probes.run", "probes.qrels", "answers.csv"}),
    ],
)  # fmt: skip
def test_a_folder_is_written_once(tmp_path: Path, form: str, files: set[str]) -> None:
    words = ["probes", str(tmp_path / "cases"), "--format", form, "-k", "7"]
    done = audit(*words)
    assert done.exit_code == 0 and "cases in" in done.stdout
    assert {path.name for path in (tmp_path / "cases").iterdir()} == files
    ks = {line.split(",")[1] for line in (tmp_path / "cases" / "answers.csv").read_text().splitlines()[1:]}
    assert ks == {"7"}
    again = audit(*words)
    assert again.exit_code == 2 and "it may hold answers" in again.stderr + str(again.exception)


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "cases").write_text("mine")
    done = audit("probes", str(tmp_path / "cases"))
    assert done.exit_code == 2 and (tmp_path / "cases").read_text() == "mine"


def test_answers_need_a_metric_and_no_function(tmp_path: Path) -> None:
    for words in ([], ["own.py:f", "--answers", "a.csv"], ["--answers", "a.csv"]):
        done = audit("identify", *words)
        assert done.exit_code == 2


# ``audit accept`` as a user types it: nothing is written without --yes, and never by anything automatic.


@pytest.fixture
def audits(monkeypatch: pytest.MonkeyPatch) -> Audits:
    return Audits(monkeypatch)


def pins(folder: Path, version: str = "1.0") -> Path:
    return folder / "mine" / "drifting" / "expected" / f"{version}.json"


def test_without_yes_nothing_is_written(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "mine" / "drifting", "1.0")
    done = audit_mine("accept", "-l", "drifting")
    assert done.exit_code == 1
    assert "drifting 1.0: nothing was accepted before\n  statistics.mean  " in done.stdout, "what would be accepted"
    assert "precision@k\n  statistics.median  hit_rate@k\n  statistics.mode    not offered\n" in done.stdout
    assert "--yes" in done.stderr
    assert not pins(tmp_path).parent.exists()


def test_nothing_is_accepted_into_an_installed_package(audits: Audits, tmp_path: Path) -> None:
    drifting_library.write(tmp_path / "site-packages" / "drifting", "1.0")
    done = audit("accept", "-l", "drifting", "--yes", "--adapters", "site-packages")
    assert done.exit_code == 2
    assert "belongs to an installed package" in done.stderr
    assert audits.built == []


def test_a_library_in_development_accepts_into_its_working_tree(
    audits: Audits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an editable install has it: the metadata in site-packages, the package in the working tree."""
    drifting_library.write(tmp_path / "tree" / "theirs" / "drifting", "1.0")
    install_distribution(tmp_path / "site-packages", "their-lib", {"adapters": "theirs"})
    for place in ("tree", "site-packages"):
        monkeypatch.syspath_prepend(tmp_path / place)
    done = audit("accept", "-l", "drifting", "--yes")
    assert (done.exit_code, done.stderr.count("left out")) == (0, 0), done.stderr
    assert (tmp_path / "tree" / "theirs" / "drifting" / "expected" / "1.0.json").is_file()


def test_nothing_automatic_accepts() -> None:
    root = adapters_dir().parent
    automatic = [root / "Makefile", *root.glob(".ci/*"), *root.glob(".github/**/*.y*ml"), *root.glob("action.yml")]
    assert len(automatic) > 1
    for path in automatic:
        assert "audit accept" not in path.read_text(), path
