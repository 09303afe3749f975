"""A queue that must satisfy `policy.yaml`."""

from quota_shares import QuotaManagedQueue, QuotaShareValidation

# isort: split
import aws_cdk as cdk

app = cdk.App()
queue = QuotaManagedQueue(cdk.Stack(app, "Small"), "Training", capacity_limits={"ml.g5.xlarge": 1})
queue.add_share("QS3", capacity_limits={"ml.g5.xlarge": 1})
queue.verify("policy.yaml")
cdk.Validations.of(app).add_plugins(QuotaShareValidation())
app.synth()
