"""The exit codes of the command line; ``audit --help`` lists them for users."""

DRIFTED = 1
"""Says that findings differ from the expected ones, or a report from what was returned."""
BAD_INPUT = 2
"""Says that usage or input is wrong, also of :class:`audit.errors.UserError`."""
NOT_AUDITED = 3
"""Says that a library named by the user could not be run, or that none could."""
NOT_IDENTIFIED = 4
"""Says that no definition fits."""
FAULT = 70
"""Says that this tool has a fault."""
INTERRUPTED = 130
"""Says that Ctrl-C or a polite kill ended the command."""
