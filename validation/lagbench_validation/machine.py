"""The machine of a measurement."""

import os
import platform
from pathlib import Path


def describe() -> str:
    """Returns processor, memory and kernel, for the line above a table."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown CPU")
    memory_gib = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{model}, {os.cpu_count()} CPUs, {memory_gib:.0f} GiB, Linux {platform.release()}"
