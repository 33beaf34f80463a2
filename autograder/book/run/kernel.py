"""Run a notebook in a Jupyter kernel that is forked from this process.

An ordinary kernel spends a second on imports. A forked one has them already; apart from that it is the same program
(ipykernel) behind the same protocol, so outputs are the same. Forks are used on Linux only: system libraries of macOS
may not survive one.
"""

import asyncio
import ctypes
import importlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CAN_FORK = sys.platform == "linux"
PR_SET_PDEATHSIG = 1  # linux/prctl.h
STARTUP_SECONDS = 60


def die_with_parent() -> None:
    """Let the system kill this process when its parent ends."""
    if CAN_FORK:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def import_modules() -> None:
    """Import what every worker and every forked kernel needs."""
    for name in ("ipykernel.ipkernel", "ipykernel.kernelapp", "nbclient", "autograder.book.run.forked"):
        importlib.import_module(name)


def execute(notebook: Any, folder: Path, timeout: int | None) -> None:
    """Run the cells of a notebook in a folder; outputs are put into the notebook."""
    import nbclient

    # Times would become part of the notebook, and so of the key under which it is cached.
    options: dict[str, Any] = {"timeout": timeout, "allow_errors": False, "record_timing": False}
    options |= dict(notebook.metadata.get("execution", {}))
    resources = {"metadata": {"path": str(folder)}}
    if not CAN_FORK:
        nbclient.NotebookClient(notebook, resources=resources, **options).execute()
        return
    with tempfile.TemporaryDirectory(prefix="dimred-kernel-") as sockets:
        manager = _start_forked(Path(sockets), folder)
        try:
            nbclient.NotebookClient(
                notebook, km=manager, resources=resources, startup_timeout=STARTUP_SECONDS, **options
            ).execute()
        finally:
            manager.provisioner.end()


def _start_forked(sockets: Path, folder: Path) -> Any:
    """Fork a kernel and return the manager that nbclient talks to it through."""
    from jupyter_client.manager import AsyncKernelManager

    from autograder.book.run.forked import ForkedKernel

    connection = sockets / "connection.json"
    # Unix sockets: no other account reaches them, and two kernels never choose the same port
    manager = AsyncKernelManager(transport="ipc", ip=str(sockets / "s"), connection_file=str(connection))
    manager.write_connection_file()
    process = os.fork()
    if process == 0:
        _become(lambda: _serve(connection, folder))
    manager.provisioner = ForkedKernel(kernel_id=str(process), kernel_spec=None)
    return manager


def _become(work: Callable[[], None]) -> None:
    """Do some work in a forked process and end it without returning."""
    try:
        die_with_parent()
        work()
    finally:
        os._exit(0)


def _serve(connection: Path, folder: Path) -> None:
    """Be a kernel until it is asked to end."""
    from ipykernel.kernelapp import IPKernelApp

    os.chdir(folder)
    asyncio.set_event_loop(asyncio.new_event_loop())
    application = IPKernelApp.instance()
    application.initialize(["-f", str(connection), "--HistoryManager.hist_file=:memory:"])
    application.start()


def timed(work: Callable[[], None]) -> float:
    """Return the seconds that some work takes."""
    start = time.monotonic()
    work()
    return time.monotonic() - start
