"""Deployed queues, read through boto3: nothing here changes anything in AWS.

client     the client, and AWS's errors as one sentence      look_up    queues and policies by their exact name
deployed   a deployed queue in the model's terms             job_list   every job of a queue, described
past_jobs  jobs as the API remembers them                    replay     the same jobs for the simulator
measured   startup and stop times that a history shows       skeleton   a policy file to start from
calibrate  which answers to A1-A10 fit a history             likeness   predicted and real starts, compared
drift      declared, verified and deployed side by side      present    what a queue runs now, for a dry run
"""
