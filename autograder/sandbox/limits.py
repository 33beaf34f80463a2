"""What a submission may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a submission may use."""

    cell_seconds: float = 30.0
    notebook_seconds: float = 300.0
    cpu_seconds: int = 600
    memory_bytes: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    processes: int = 32
    open_files: int = 128
