"""Runs the command line as ``python -m audit``, and as the installed command."""

import signal


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until it listens there is nothing to tidy up
    from audit.cli import main as command_line

    command_line()


if __name__ == "__main__":
    main()
