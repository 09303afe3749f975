"""The syrupy extension behind `quota_shares.testing.BatchSnapshotExtension`."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import assertions
from syrupy.extensions.json import JSONSnapshotExtension
from syrupy.types import SerializedData

from quota_shares.testing import batch_resources


class BatchSnapshotExtension(JSONSnapshotExtension):
    """Snapshots a stack or a template by its AWS::Batch resources alone; other data as it is.

    assert stack == snapshot.use_extension(BatchSnapshotExtension)
    """

    def serialize(self, data: Any, **options: Any) -> SerializedData:  # noqa: ANN401 (syrupy's own signature)
        """The resources as JSON text; `exclude`, `include` and `matcher` work as in syrupy."""
        kept = batch_resources(data) if isinstance(data, assertions.Template | cdk.Stack) else data
        return super().serialize(kept, **options)
