"""Entry point of the command `coursewright`.

PyPI's project autograder has our import name. Installed beside this engine, it overwrites some of its files, so the
command looks for it before it imports anything.
"""

import sys
from importlib import metadata

OTHER = "autograder"


def main() -> int:
    """Run the command line, or say what is installed in its place."""
    if any(metadata.distributions(name=OTHER)):
        sys.stderr.write(
            "coursewright: the project autograder of PyPI is installed here, too, and has overwritten files of this "
            "one: python -m pip uninstall --yes autograder, then python -m pip install --force-reinstall --no-deps "
            "coursewright\n"
        )
        return 1
    from autograder.__main__ import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
