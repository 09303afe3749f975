"""The demo: one queue of three ml.g5.xlarge, divided between three teams, and what must hold of it."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "constructs"), str(HERE / "policies")]  # a bare clone synthesises, installed or not

from quota_shares import QuotaManagedQueue, QuotaShareValidation, ResourceSharing  # first: it finds Node.js

# isort: split
import aws_cdk as cdk
from constructs import Construct

UNIT = "ml.g5.xlarge"


class QuotaSharesDemo(cdk.Stack):
    """Three quota shares of one instance each, as in AWS's published example."""

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        queue = QuotaManagedQueue(self, "Training", capacity_limits={UNIT: 3})
        queue.add_share(
            "QS1",
            capacity_limits={UNIT: 1},
            resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=200),
            in_share_preemption=True,
        )
        queue.add_share("QS2", capacity_limits={UNIT: 1}, resource_sharing=ResourceSharing.lend())
        queue.add_share("QS3", capacity_limits={UNIT: 1}, resource_sharing=ResourceSharing.reserve())
        for policy in sorted((HERE / "policies").glob("*.yaml")):
            queue.verify(policy)


app = cdk.App()
QuotaSharesDemo(app, "QuotaSharesDemo")
cdk.Validations.of(app).add_plugins(QuotaShareValidation())
app.synth()
