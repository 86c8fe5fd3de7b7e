"""Help that a newcomer reads: first lines that are not cut off, defaults and units of every option."""

from __future__ import annotations

import re
import shlex

import pytest
import typer
from typer.testing import CliRunner

from recsys_metric_audit.audit import cli

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
