"""The exit codes of the command line; ``audit --help`` lists them for users."""

DRIFTED = 1
"""What was found is not what was expected."""
BAD_INPUT = 2
"""Bad usage or bad input, also of :class:`audit.errors.UserError`."""
NOT_AUDITED = 3
"""A library named by the user could not be run, or none could."""
NOT_IDENTIFIED = 4
"""No definition fits."""
FAULT = 70
"""A fault of this tool."""
INTERRUPTED = 130
"""Ended by Ctrl-C or a polite kill."""
