"""Names of functions taken apart: path, options, and the call between brackets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recsys_metric_audit.audit.environments import environment
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.audit.findings.issue_script import FunctionName, add_script, render_script, template_name
from recsys_metric_audit.audit.libraries.manifest import Manifest, Version, load
from recsys_metric_audit.audit.observations.observation import Observation
from recsys_metric_audit.reference.cases import PROBES
from recsys_metric_audit.reports.model.result import Finding, Witness, WitnessUser
from recsys_metric_audit.reports.model.result_file import write_result
from tests.support.command_line import audit
from tests.support.result_samples import differing, finding, library, result

# Names of functions taken apart: path, options, and the call between brackets.


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("a.b.ndcg", FunctionName("ndcg", "", (), "", {}, "")),
        ("a.MAP[k_first=True,handling=exclude]",
         FunctionName("MAP", "k_first=True,handling=exclude", (), "", {"k_first": "True", "handling": "exclude"},
              'k_first=True, handling="exclude"')),
        ("a.calc[MAP(beta=2.0)]", FunctionName("calc", "MAP(beta=2.0)", (), "MAP", {"beta": "2.0"}, "beta=2.0")),
        ("a.calc[MAP()]", FunctionName("calc", "MAP()", (), "MAP", {}, "")),
        ("a.Offline[MAP,polars]", FunctionName("Offline", "MAP,polars", ("MAP", "polars"), "", {}, "")),
    ],
)  # fmt: skip
def test_names_are_taken_apart(function: str, name: FunctionName) -> None:
    assert FunctionName.parse(function) == name


# Scripts of witnesses: what they hold, that they run by themselves, and what is said where there is none.


TOML = """\
title = "Statistics"
about = "It has two metrics."
homepage = "https://example.org"

[source]
package = "a-library"

[[version]]
version = "1.0"
python = "3.11"
requires = ["numpy<3"]

[[function]]
name = "statistics.mean[of=hits]"
metric = "precision"

[[function]]
name = "statistics.fmean"
metric = "precision"

[[function]]
name = "statistics.median"
metric = "recall"
"""

ADAPTER = """\
import statistics


def prepare(case):
    listed, relevant = {}, {}
    recommended = case.recommended
    rows = zip(recommended.user.tolist(), recommended.item.tolist(), recommended.score.tolist())
    for user, item, _ in sorted(rows, key=lambda row: -row[2]):
        listed.setdefault(user, []).append(item)
    for user, item in zip(case.relevant.user.tolist(), case.relevant.item.tolist()):
        relevant.setdefault(user, set()).add(item)
    return listed, relevant


def shares(prepared, k):
    listed, relevant = prepared
    lists = [(listed.get(user, [])[:k], hits) for user, hits in relevant.items()]
    return [statistics.mean([float(item in hits) for item in items] or [0.0]) for items, hits in lists]


FUNCTIONS = {
    "statistics.mean[of=hits]": lambda prepared, k: statistics.mean(shares(prepared, k)),
    "statistics.fmean": lambda prepared, k: statistics.fmean(shares(prepared, k)),
    "statistics.median": lambda prepared, k: statistics.median([]),
}
"""

SCRIPT = """\
{% extends "base.py.txt" %}
{% block imports %}
import statistics
{% endblock %}
{% block call %}
listed, relevant = {}, {}
for user, item, score in sorted(RECOMMENDED, key=lambda row: -row[2]):
    listed.setdefault(user, []).append(item)
for user, item, gain in RELEVANT:
    relevant.setdefault(user, set()).add(item)
lists = [(listed.get(user, [])[:K], hits) for user, hits in relevant.items()]
return statistics.{{ name }}([statistics.mean([float(i in hits) for i in items] or [0.0]) for items, hits in lists])
{% endblock %}
"""


@pytest.fixture
def adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def ensure(manifest: Manifest, version: Version, **_: object) -> environment.Environment:
        return environment.Environment(Path(sys.executable), manifest.folder)

    monkeypatch.setattr(environment, "ensure", ensure)
    folder = tmp_path / "own" / "fake"
    folder.mkdir(parents=True)
    (folder / "library.toml").write_text(TOML)
    (folder / "adapter.py").write_text(ADAPTER)
    (folder / "script.py.txt").write_text(SCRIPT)
    return folder.parent


def said(*arguments: str) -> tuple[int, str, str]:
    done = audit("reproduce", *arguments)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.slow  # a process of its own, or a whole audit
def test_a_script_runs_by_itself_and_shows_what_it_states(adapters: Path, tmp_path: Path) -> None:
    code, script, errors = said("fake:mean[of=hits]", "--adapters", str(adapters))
    assert code == 0, errors
    assert 'pip install a-library==1.0 "numpy<3"\n' in script
    assert "audit" not in [word for line in script.splitlines() if "import " in line for word in line.split()]
    path = tmp_path / "elsewhere" / "issue.py"
    path.parent.mkdir()
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, "-I", str(path)], capture_output=True, text=True, check=True, cwd=path.parent
    )
    now, seen, canonical = (float(line.split()[-1]) for line in done.stdout.splitlines())
    # the smallest input on which a share of what is shown is no precision: one item, relevant, for two places
    assert (now, seen, canonical) == (1.0, 1.0, 0.5)


@pytest.mark.slow  # a process of its own, or a whole audit
@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("fake:mode", "fake has no function 'mode'"),
        ("fake", "'fake' names no function"),
        ("nobody:mean", "no library is called 'nobody'"),
        ("fake==2:fmean", "fake 2 is not pinned"),
        ("fake:median", "fake 1.0 statistics.median has no value to show: failed"),
    ],
)
@pytest.mark.slow  # a process of its own, or a whole audit
def test_what_cannot_be_reproduced_is_said(adapters: Path, subject: str, words: str) -> None:
    code, script, errors = said(subject, "--adapters", str(adapters))
    assert (code, script) == (2, "")
    assert words in errors


@pytest.mark.slow  # a process of its own, or a whole audit
def test_a_version_that_another_adapter_calls_has_a_template_of_its_own(adapters: Path) -> None:
    folder = adapters / "fake"
    (folder / "adapter.py").rename(folder / "old.py")
    (folder / "library.toml").write_text(TOML.replace('python = "3.11"', 'python = "3.11"\nadapter = "old.py"'))
    code, _, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 2
    assert "fake 1.0 has no script.py.txt" in errors
    (folder / "old_script.py.txt").write_text(SCRIPT.replace("import statistics", "import {{ module }}  # the old one"))
    code, script, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 0, errors
    assert "import statistics  # the old one\n" in script


def test_a_script_of_a_report_is_told_to_be_from_there(adapters: Path, tmp_path: Path) -> None:
    """Whoever wrote the file wrote the script."""
    given = {"function": "statistics.fmean", "script": "print(1)\n", "version": "1.0"}
    written = differing("precision", "fake", "denominator", "min", 0.5, **given)
    made = result(libraries=(library("fake", "1.0"),), findings=(written,), reference=())
    write_result(made, tmp_path / "report")
    code, script, errors = said("fake:fmean", "--from", str(tmp_path / "report"), "--adapters", str(adapters))
    assert (code, script) == (0, "print(1)\n"), errors
    assert f"The script is from {tmp_path / 'report'}: read it before you run it" in errors


@pytest.mark.slow  # a process of its own, or a whole audit
def test_without_a_template_the_place_for_it_is_named(adapters: Path) -> None:
    (adapters / "fake" / "script.py.txt").unlink()
    code, _, errors = said("fake:fmean", "--adapters", str(adapters))
    assert code == 2
    assert "script.py.txt" in errors


def witness_of(probe: str, **changes: object) -> Witness:
    """Return a witness on a probe, with a mean of 0.5."""
    given = {"case": probe, "k": 2, "users": (), "library_value": 0.5, "canonical_value": 1.0, "text": "It differs."}
    return Witness.model_validate(given | changes)


def rendered(adapters: Path, witness: Witness) -> str:
    """Return the script of ``statistics.fmean`` on the first probe."""
    manifest = load(adapters / "fake")
    text = render_script(manifest, manifest.versions[0], manifest.functions[1], witness, PROBES[0])
    assert text is not None
    return text


@pytest.mark.parametrize(
    ("adapter", "template"), [("adapter.py", "script.py.txt"), ("spark.py", "spark_script.py.txt")]
)
def test_each_adapter_has_a_template_of_its_own(adapters: Path, adapter: str, template: str) -> None:
    version = load(adapters / "fake").versions[0].model_copy(update={"adapter": adapter})
    assert template_name(version) == template


def test_the_script_holds_every_row_of_the_probe_and_compiles(adapters: Path) -> None:
    text = rendered(adapters, witness_of(PROBES[0].name))
    compile(text, "script.py", "exec")
    variables: dict[str, object] = {}
    exec(text[: text.index("def ask")].replace("import statistics", ""), variables)  # the data without the call
    case = PROBES[0].case
    assert variables["K"] == PROBES[0].k
    assert variables["RECOMMENDED"] == [
        *zip(case.predictions.user, case.predictions.item, case.predictions.score, strict=True)
    ]
    assert variables["RELEVANT"] == [*zip(case.truth.user, case.truth.item, case.truth.gain, strict=True)]


@pytest.mark.parametrize(
    ("changes", "answer"),
    [
        ({}, '"0.5"'),
        ({"library_value": None}, '"It differs."'),
        ({"library_value": None, "users": (WitnessUser(user="7", items=(), r=1, library_value=0.25),)}, '"{7: 0.25}"'),
    ],
)
def test_the_script_prints_the_answer_that_the_audit_got(
    adapters: Path, changes: dict[str, object], answer: str
) -> None:
    lines = rendered(adapters, witness_of(PROBES[0].name, **changes)).splitlines()
    assert next(line for line in lines if "seen by the audit:" in line).endswith(f", {answer})")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{ options.gain }}", "script.py.txt: 'dict object' has no attribute 'gain' (for statistics."),
        ("{% if k %}", "script.py.txt, line "),
    ],
)
def test_a_template_that_cannot_be_filled_in_is_named(adapters: Path, text: str, words: str) -> None:
    path = adapters / "fake" / "script.py.txt"
    path.write_text(SCRIPT.replace("listed, relevant = {}, {}", text))
    with pytest.raises(UserError) as raised:
        rendered(adapters, witness_of(PROBES[0].name))
    assert words in raised.value.message


def test_a_script_is_added_to_a_finding_whose_witness_is_a_known_probe(adapters: Path) -> None:
    manifest = load(adapters / "fake")

    def added(found: Finding) -> Finding:
        return add_script(found, manifest, manifest.versions[0], manifest.functions[1], Observation("f", {}, {}))

    bare = finding()
    assert added(bare) is bare
    assert added(finding(witness=witness_of("no such probe"))).script is None
    assert (added(finding(witness=witness_of(PROBES[0].name))).script or "").startswith('"""statistics.fmean of Stat')
