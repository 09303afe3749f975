"""A queue for two teams in a stack of your own: shares, permissions, a notice of preemptions, and a policy."""

# The CDK's classes name some arguments otherwise than its own protocols do.
# pyright: reportArgumentType=false

from pathlib import Path

from quota_shares import QuotaManagedQueue, QuotaShareValidation, ResourceSharing  # first: it finds Node.js

# isort: split
import aws_cdk as cdk
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from constructs import Construct

HERE = Path(__file__).resolve().parent
UNIT = "ml.g5.2xlarge"


class ResearchStack(cdk.Stack):
    """Six machines: four belong to the vision team, two to the language team, and both lend what is idle."""

    def __init__(self, scope: Construct, id: str) -> None:
        super().__init__(scope, id)
        queue = QuotaManagedQueue(self, "Gpus", capacity_limits={UNIT: 6})
        vision = queue.add_share(
            "vision",
            capacity_limits={UNIT: 4},
            resource_sharing=ResourceSharing.lend_and_borrow(borrow_limit_percent=50),
            in_share_preemption=True,
        )
        queue.add_share("language", capacity_limits={UNIT: 2}, resource_sharing=ResourceSharing.lend())

        # Members of the vision team may submit to their share, and to no other.
        team = iam.Role(self, "VisionTeam", assumed_by=iam.AccountRootPrincipal())
        vision.grant_submit(team)

        # Tells of every preemption in this account and Region: the events name the job, not its queue.
        notices = sns.Topic(self, "Preemptions")
        queue.on_preemption("OnPreemption", target=targets.SnsTopic(notices))

        queue.verify(HERE / "policies" / "research.yaml")


app = cdk.App()
ResearchStack(app, "Research")
cdk.Validations.of(app).add_plugins(QuotaShareValidation())
app.synth()
