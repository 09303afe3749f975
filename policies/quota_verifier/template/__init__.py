"""CloudFormation templates and queue files, read into queues."""
