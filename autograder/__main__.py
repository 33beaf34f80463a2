"""Entry point of the command line, whatever name it is called by.

Ctrl-C prints one line instead of a traceback, even while modules are being imported.
"""

import signal
import sys

from autograder.program import program_name, remember_name

INTERRUPTED_STATUS = 130


def main() -> int:
    """Run the command line."""
    remember_name(sys.argv[0])
    try:
        from autograder.cli import main as run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write(f"{program_name()}: stopped\n")
        code = INTERRUPTED_STATUS
    if code == INTERRUPTED_STATUS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore a second Ctrl-C during interpreter shutdown
    return code


if __name__ == "__main__":
    sys.exit(main())
