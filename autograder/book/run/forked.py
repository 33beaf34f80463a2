"""The process of a forked kernel, as jupyter_client asks about it."""

import asyncio
import contextlib
import os
import signal

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase


class ForkedKernel(KernelProvisionerBase):
    """A kernel that this process forked; its id is the id of the process."""

    status: int | None = None  # once it has ended

    @property
    def has_process(self) -> bool:
        """Return whether there is a process: there always was one."""
        return True

    async def poll(self) -> int | None:
        """Return the status of a kernel that has ended."""
        if self.status is None:
            ended, status = os.waitpid(int(self.kernel_id), os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if ended else None
        return self.status

    async def wait(self) -> int | None:
        """Wait until the kernel has ended."""
        while await self.poll() is None:
            await asyncio.sleep(0.05)
        return self.status

    async def send_signal(self, signum: int) -> None:
        """Send a signal to a kernel that runs."""
        if await self.poll() is None:
            os.kill(int(self.kernel_id), signum)

    async def kill(self, restart: bool = False) -> None:
        """Kill the kernel."""
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        """Ask the kernel to end."""
        await self.send_signal(signal.SIGTERM)

    async def launch_kernel(self, cmd: list[str], **options: object) -> KernelConnectionInfo:
        """Refuse: the process that could be forked again has moved on."""
        raise RuntimeError("a forked kernel cannot be started again")

    async def cleanup(self, restart: bool = False) -> None:
        """Leave everything to `end`."""

    def end(self) -> None:
        """Kill the kernel at once: its outputs have arrived."""
        if self.status is None:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(int(self.kernel_id), signal.SIGKILL)
                os.waitpid(int(self.kernel_id), 0)
