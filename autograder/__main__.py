"""Entry point of the command `dimred`.

Ctrl-C prints one line instead of a traceback, even while modules are being imported.
"""

import signal
import sys

INTERRUPTED_STATUS = 130


def main() -> int:
    """Run the command line."""
    try:
        from autograder.cli import main as run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("dimred: stopped\n")
        code = INTERRUPTED_STATUS
    if code == INTERRUPTED_STATUS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore a second Ctrl-C during interpreter shutdown
    return code


if __name__ == "__main__":
    sys.exit(main())
