"""Runs the command line as ``python -m recsys_metric_audit``, and as the installed command."""

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
    command_line()


if __name__ == "__main__":
    main()
