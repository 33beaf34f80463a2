"""The program `dimred`: Ctrl-C ends it in one line from here on, also while the rest is still being imported."""

import signal
import sys

STOPPED = 130


def main() -> int:
    """Run the command line."""
    try:
        from autograder.cli import main as run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("dimred: stopped\n")
        code = STOPPED
    if code == STOPPED:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever presses it twice need not see how we end
    return code


if __name__ == "__main__":
    sys.exit(main())
