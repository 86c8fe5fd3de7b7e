"""Runs the command line as ``python -m recsys_metric_audit``, and as the installed command."""

import atexit
import os
import signal
import sys


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until it listens there is nothing to tidy up
    try:
        from recsys_metric_audit.audit.cli import main as command_line
    except Exception:
        from recsys_metric_audit.audit.shadowing import shadowing_file, shadowing_message

        if (shadow := shadowing_file()) is None:
            raise
        message, hint = shadowing_message(shadow)
        sys.stderr.write(f"audit: {ascii(message)[1:-1]}\n  → {hint}\n")
        raise SystemExit(2) from None
    try:
        command_line()
    except SystemExit as ended:
        if ended.code and "polars" in sys.modules:
            _leave(ended.code if isinstance(ended.code, int) else 1)
        raise


def _leave(code: int) -> None:
    """End the process at once, without shutting Python down.

    After a failure, threads of Polars may still write, and call Python for each new file. Python that is shut down
    under them aborts the process: the exit code would be that of a crash.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
