"""Entry point of the command line, whatever name it is called by.

Ctrl-C and a package that is not installed print one line instead of a traceback, even while modules are imported.
"""

import signal
import sys

from autograder.program import ENGINE, program_name, remember_name

INTERRUPTED_STATUS = 130


def main() -> int:
    """Run the command line."""
    remember_name(sys.argv[0])
    try:
        from autograder.cli import main as run

        code = run()
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package == __package__:  # a fault of the engine itself
            raise
        sys.stderr.write(f"{program_name()}: {_describe_missing(package)}\n")
        code = 1
    except KeyboardInterrupt:
        sys.stderr.write(f"{program_name()}: stopped\n")
        code = INTERRUPTED_STATUS
    if code == INTERRUPTED_STATUS:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # ignore a second Ctrl-C during interpreter shutdown
    return code


def _describe_missing(package: str) -> str:
    """Say what to install; the distribution alone holds what a notebook needs, extras hold the rest."""
    return (
        f"the package {package} is not installed here: python -m pip install '{ENGINE}[check]' to check notebooks, "
        f"'{ENGINE}[grade,book]' to make a course and to grade"
    )


if __name__ == "__main__":
    sys.exit(main())
