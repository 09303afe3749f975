"""Workloads: the jobs and updates that a queue is tried on, from files, traces or generators.

Reading and generating load on first use, so that a verifier of given data does not pay for them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from quota_verifier.workload.workload import Skipped, Workload

if TYPE_CHECKING:
    from quota_verifier.workload.build import workload_from_data
    from quota_verifier.workload.check import check_workload
    from quota_verifier.workload.files import read_trace, read_workload
    from quota_verifier.workload.generate import generate_workload
    from quota_verifier.workload.generate_spec import GenerateSpec
    from quota_verifier.workload.load import UnitLoad, instance_seconds, load_warnings, offered_load
    from quota_verifier.workload.options import TraceOptions, TraceSpec
    from quota_verifier.workload.readers.service_jobs import workload_from_service_jobs
    from quota_verifier.workload.readers.table_of_formats import FORMATS
    from quota_verifier.workload.schema import WorkloadFile, workload_file_schema
    from quota_verifier.workload.write import write_workload

__all__ = [
    "FORMATS",
    "GenerateSpec",
    "Skipped",
    "TraceOptions",
    "TraceSpec",
    "UnitLoad",
    "Workload",
    "WorkloadFile",
    "check_workload",
    "generate_workload",
    "instance_seconds",
    "load_warnings",
    "offered_load",
    "read_trace",
    "read_workload",
    "workload_file_schema",
    "workload_from_data",
    "workload_from_service_jobs",
    "write_workload",
]

_HOMES = {
    "FORMATS": "readers.table_of_formats",
    "GenerateSpec": "generate_spec",
    "TraceOptions": "options",
    "TraceSpec": "options",
    "UnitLoad": "load",
    "WorkloadFile": "schema",
    "check_workload": "check",
    "generate_workload": "generate",
    "instance_seconds": "load",
    "load_warnings": "load",
    "offered_load": "load",
    "read_trace": "files",
    "read_workload": "files",
    "workload_file_schema": "schema",
    "workload_from_data": "build",
    "workload_from_service_jobs": "readers.service_jobs",
    "write_workload": "write",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
