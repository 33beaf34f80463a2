"""Accounts and roles: the owner of a course, its graders, and the group that shares its files.

Roles prevent mistakes, not attacks: an account that can read the classroom can read its secret. Only the file system
protects the classroom, through the permissions of the group.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from autograder.errors import CourseError
from autograder.program import program_name

NO_LOGIN_UID = 2**32 - 1  # value of /proc/self/loginuid outside of any login session
SHARED_UMASK = 0o007  # new files are accessible to the owner and the group
# Commands that change numbers or students, or hand out files, are for the owner.
OWNER_ONLY_VERBS = frozenset(
    {"regenerate", "compose", "exam", "retake", "distribute", "roster", "adopt", "gradescope", "cluster"}
)


def describe_account() -> str:
    """Name the account of this process and the account that logged in.

    The login account is read from the kernel, and from SUDO_USER.
    """
    account = account_name(os.getuid())
    candidates = [_login_account(), os.environ.get("SUDO_USER", "")]
    other_names = list(dict.fromkeys(name for name in candidates if name and name != account))
    return f"{account}, logged in as {' or '.join(other_names)}" if other_names else account


def account_name(number: int) -> str:
    """Return the name of an account, or "uid N" if it has none, as in a container."""
    try:
        import pwd  # Unix only: imported here, because students on other systems import this module

        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"uid {number}"


def _login_account() -> str:
    """Return the account of the login session, or an empty string.

    `sudo` and `su` do not change it.
    """
    with suppress(OSError, ValueError):
        number = int(Path("/proc/self/loginuid").read_text("ascii"))
        return "" if number == NO_LOGIN_UID else account_name(number)
    return ""


def require_role(settings: Mapping[str, Any], verb: str, account: str = "") -> None:
    """Raise CourseError if this account may not run the command.

    Every account may run every command if the settings name no owner.
    """
    owner, graders = str(settings["owner"]), list(settings["graders"])
    if not owner:  # do not call os.getuid, which Windows lacks
        return
    account = account or account_name(os.getuid())
    if account == owner:
        return
    if account not in graders:
        raise CourseError(
            f"{account} is neither owner nor grader of this course: {owner} adds graders in course.toml"
        )
    if verb in OWNER_ONLY_VERBS:
        raise CourseError(
            f"`{program_name()} {verb}` is for the owner of this course, {owner}; {account} is a grader"
        )


def share_with_group(settings: Mapping[str, object]) -> None:
    """Make new files of this process accessible to the course's group, if it has one."""
    if settings["group"]:
        os.umask(SHARED_UMASK)
