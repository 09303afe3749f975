"""What holds for every test run.

Property tests draw the same examples in every run; `make test-long` draws far more. And Ctrl-C works: a shell
starts background jobs with SIGINT ignored, which the commands that tests interrupt would inherit.
"""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("the-same-every-time", derandomize=True, deadline=None)
settings.load_profile("the-same-every-time")

signal.signal(signal.SIGINT, signal.default_int_handler)
