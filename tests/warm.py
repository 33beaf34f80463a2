"""One warm Python for all nurseries of a test process, each a fork of it: imports take longer than most tests.

The fork is taken where a nursery of its own would go on after `warm_up`, before it builds any wall, so what is tested
is the same. Tests of the walls themselves start nurseries as a grader does.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys

from autograder.sandbox import fork_server_client, wire
from autograder.sandbox.fork_server import enter_private_namespaces, serve_fork_requests, warm_up


class Fork:
    """A process that is somebody else's child, as far as a nursery needs a `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.end = os.pidfd_open(pid)

    def wait(self, timeout: float | None = None) -> None:
        if not select.select([self.end], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired("a nursery", timeout or 0)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.end, signal.SIGKILL)

    def __del__(self) -> None:
        os.close(self.end)


class WarmPython:
    """Asked for a nursery, it forks one."""

    def __init__(self) -> None:
        self.process = None

    def _start(self) -> None:
        self.orders, its_orders = socket.socketpair()
        with its_orders:
            self.process = subprocess.Popen(
                [sys.executable, "-I", __file__, str(its_orders.fileno())],
                env=fork_server_client._server_environment(),
                cwd="/",
                pass_fds=[its_orders.fileno()],
                start_new_session=True,
            )

    def begin(self) -> tuple[socket.socket, Fork]:
        """What `fork_server_client._start_fork_server` returns."""
        if self.process is None:
            self._start()
        control, child = socket.socketpair()
        with child:
            order = json.dumps(fork_server_client._paths_to_hide()).encode()
            socket.send_fds(self.orders, [len(order).to_bytes(4, "big")], [child.fileno()])
            self.orders.sendall(order)
        return control, Fork(int.from_bytes(self.orders.recv(8, socket.MSG_WAITALL), "big"))

    def close(self) -> None:
        if self.process is not None:
            self.orders.close()
            self.process.wait()


def main() -> None:
    """Fork a nursery for each order until nobody gives any more."""
    orders = socket.socket(fileno=int(sys.argv[1]))
    runner = warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever ends is gone
    while True:
        size, descriptors, _, _ = socket.recv_fds(orders, 4, 1)
        if not size:
            return
        hidden = json.loads(orders.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            orders.close()
            os.setsid()
            with contextlib.suppress(wire.WireError, ConnectionError):
                serve_fork_requests(
                    socket.socket(fileno=descriptors[0]), runner, enter_private_namespaces(hidden)
                )
            os._exit(0)
        os.close(descriptors[0])
        orders.sendall(pid.to_bytes(8, "big"))


if __name__ == "__main__":
    main()
