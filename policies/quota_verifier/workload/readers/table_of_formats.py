"""The table of formats. A new format is a module of its own and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from quota_verifier.workload.readers import (
    acme,
    alibaba_pods,
    alibaba_spot,
    helios,
    philly,
    philly_json,
    service_jobs,
    slurm,
    swf,
    workload_files,
)
from quota_verifier.workload.readers.reader import Reader

FORMATS: Mapping[str, Reader] = {
    reader.name: reader
    for reader in (
        *workload_files.READERS,
        philly.READER,
        philly_json.READER,
        swf.READER,
        helios.READER,
        acme.READER,
        alibaba_pods.READER,
        alibaba_spot.READER,
        slurm.READER,
        service_jobs.READER,
    )
}
