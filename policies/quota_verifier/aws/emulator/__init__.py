"""AWS Batch's quota management on loopback, with the scheduler of the simulator behind it.

server      uvicorn, the clock's ticks      app         HTTP: routes, limits, AWS's errors
shapes      botocore's model as checks      operations  which function answers which operation
emulator    one request, one journal entry  account     what there is: policies, environments, queues, jobs
scheduler   the engine and its jobs         store       SQLite: what was acknowledged is there after a crash
"""
