"""The reference engine: the specification in plain Python, written to be read beside it.

state      what the scheduler knows          capacity   F, H and V of section 1
order      R9, A1-A3: who is looked at next  victims    R17, A7: who is preempted
passes     R12-R16, R19: one pass            attempts   R2-R8: the life of a job
changes    R10, R20: updates while jobs run  engine     R11: the clock
"""
