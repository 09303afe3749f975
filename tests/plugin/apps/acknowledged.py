"""A queue that breaks its policy, which is accepted until the new machines are there."""

from quota_shares import QuotaManagedQueue, QuotaShareValidation

# isort: split
import aws_cdk as cdk

app = cdk.App()
stack = cdk.Stack(app, "Small")
queue = QuotaManagedQueue(stack, "Training", capacity_limits={"ml.g5.xlarge": 1})
share = queue.add_share("QS3", capacity_limits={"ml.g5.xlarge": 1})
queue.verify("policy.yaml")
cdk.Validations.of(share).acknowledge(
    cdk.Acknowledgment(id="quota-shares::policy.QS3.wait", reason="until the new machines are there")
)
cdk.Validations.of(app).add_plugins(QuotaShareValidation())
app.synth()
