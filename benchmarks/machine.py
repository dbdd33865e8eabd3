"""The machine on which the figures were measured."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

from lxml import etree


def facts() -> dict[str, str]:
    """Return processor, memory, system and versions by their titles."""
    return {
        "Processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores"
        if hasattr(os, "sched_getaffinity")
        else f"{_processor()}, {os.cpu_count()} cores",
        "Memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB",
        "System": _system(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "lxml": f"{_dotted(etree.LXML_VERSION[:3])}, libxml2 {_dotted(etree.LIBXML_VERSION)}",
    }


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _processor() -> str:
    listed = Path("/proc/cpuinfo")
    text = listed.read_text("utf-8") if listed.exists() else ""
    model = re.search(r"^model name\s*: (.+)$", text, re.MULTILINE)
    return model[1] if model else platform.processor() or platform.machine()


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = platform.platform(terse=True)
    return f"{name}, kernel {platform.release()}"
