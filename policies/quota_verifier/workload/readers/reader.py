"""What a format of job files is: a name, how its files are known, the options it takes, and its reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quota_verifier.errors import InputError
from quota_verifier.model import Queue
from quota_verifier.workload.options import EVERY_GROUP, TraceOptions
from quota_verifier.workload.workload import Workload

OPTIONS = tuple(TraceOptions.model_fields)


@dataclass(frozen=True, slots=True)
class Reader:
    """One format. `needs` says why an option cannot be left out; `takes` names those that may be given.

    `endings` are those of files that need no format named.
    """

    name: str
    summary: str
    read: Callable[[Path, TraceOptions, Queue | None], Workload]
    needs: tuple[tuple[str, str], ...] = ()
    takes: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def check_options(self, options: TraceOptions, source: str) -> None:
        """Raise InputError for an option that is missing, or that this format has no use for."""
        given = {name for name in OPTIONS if getattr(options, name) is not None}
        for name, why in self.needs:
            if name not in given:
                raise InputError(f"the format {self.name} needs {name}: {why}", source=source, remedy=EXAMPLES[name])
        taken = (*(name for name, _ in self.needs), *self.takes)
        foreign = [name for name in OPTIONS if name in given and name not in taken]
        if foreign:
            raise InputError(
                f"the format {self.name} has no use for {foreign[0]}",
                source=source,
                remedy=f"leave it out; known are {', '.join(name for name in OPTIONS if name in taken)}",
            )


def need_group(name: str, options: TraceOptions, fields: tuple[str, ...], source: str) -> None:
    """Raise InputError where `shares` tells groups apart and `group_by` does not say what a group is."""
    if options.group_by is None and set(options.shares or ()) != {EVERY_GROUP}:
        raise InputError(
            f"the format {name} needs group_by: shares tells groups apart",
            source=source,
            remedy=f"{EXAMPLES['group_by']} ({', '.join(fields)})",
        )
    if options.group_by is not None and options.group_by not in fields:
        problem = f"the format {name} has no field {options.group_by}"
        raise InputError(problem, source=source, where="group_by", remedy=f"say one of {', '.join(fields)}")


EXAMPLES = {
    "timezone": "name it, such as timezone: America/Los_Angeles",
    "shares": "map them, such as shares: {groupA: QS1, '*': QS2}",
    "gpus_per_instance": "say it, such as gpus_per_instance: 8",
    "processors_per_instance": "say it, such as processors_per_instance: 1",
    "group_by": "say it, such as group_by: user",
}

LOCAL_DATES = ("timezone", "its dates are local and name no zone")
GROUPS = ("shares", "it names groups, not shares")
GPUS = ("gpus_per_instance", "it counts GPUs, not instances")
WINDOW = ("since", "until")
