"""The one function of the kernel that Python calls; compiled at the first use, then loaded from numba's cache.

numba keeps a compiled function as long as the file that defines it stays as it is, and knows nothing of the
functions that are compiled into it. So the digest of all of the kernel's files is part of the function.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from quota_verifier.scheduler.kernel import memory as at
from quota_verifier.scheduler.kernel.clock import run_until_asked
from quota_verifier.scheduler.kernel.compiled import cached


def _digest() -> int:
    files = sorted(Path(__file__).parent.glob("*.py"))
    return int.from_bytes(sha256(b"".join(file.read_bytes() for file in files)).digest()[:7])


def _made_for(sources: int) -> Callable[[int], int]:
    def advance(address: int) -> int:
        if sources < 0:
            return sources  # never: names the sources, for the cache
        return run_until_asked(at.world(address, 0))

    return cached(advance)


advance = _made_for(_digest())
"""Let time go on until the run is over or the caller must do something; the codes are those of `clock`.

It takes the address of a WORLD record. What that points to must stay where it is until then.
"""
