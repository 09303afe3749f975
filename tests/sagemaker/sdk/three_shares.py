"""AWS's published scenario of three shares, through TrainingQueue: who runs after each step."""

from __future__ import annotations

from sagemaker.train.aws_batch.training_queue import TrainingQueue
from training import advance, tell, trainer

queue, model_trainer = TrainingQueue("q"), trainer()
jobs = {}


def submit(name, share, priority):
    jobs[name] = queue.submit(
        model_trainer, inputs=None, job_name=name, priority=priority, quota_share_name=share,
        tags={"quota-shares:work": "1h"},
    )  # fmt: skip


def statuses():
    return {name: job.describe()["status"] for name, job in jobs.items()}


for name, priority in (("high", 3), ("med", 2), ("low", 1)):
    submit(name, "QS1", priority)
advance(10)
steps = [statuses()]
submit("qs2_job_1", "QS2", 1)
advance(10)
steps.append(statuses())
updated = jobs["low"].update(4)
advance(0)
steps.append(statuses())
tell(
    steps=steps,
    updated=updated["jobName"],
    preemptions={name: job.describe().get("preemptionSummary") for name, job in jobs.items()},
)
