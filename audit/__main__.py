"""Runs the command line as ``python -m audit``."""

from audit.cli import main

main()
