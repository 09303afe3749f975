"""The emulator without HTTP: a request in, an answer out, and the clock."""

from __future__ import annotations

import sqlite3

from quota_verifier.aws.emulator.account import Account
from quota_verifier.aws.emulator.clock import Clock, SteppedClock
from quota_verifier.aws.emulator.errors import SERVER, AwsError
from quota_verifier.aws.emulator.operations import OPERATIONS
from quota_verifier.aws.emulator.shapes import Answer, Request
from quota_verifier.aws.emulator.store import Entry, Store

ADVANCE = "_advance"
"""The journal's name for stepped time that goes on."""


class Emulator:
    """An account, its clock and, if the state is to survive, its journal."""

    def __init__(self, account: Account, clock: Clock, store: Store | None = None) -> None:
        self.account = account
        self.clock = clock
        self.store = store
        self._unwritten: str | None = None

    def call(self, operation: str, request: Request) -> Answer:
        """Answer a checked request at the present instant. Raises AwsError where AWS would refuse it."""
        self.tick()
        known = OPERATIONS[operation]
        if not known.changes:
            return known.act(self.account, request)
        if self._unwritten is not None:
            raise AwsError(f"the state file cannot be written: {self._unwritten}", code=SERVER, status=500)
        answer = known.act(self.account, request)
        self._write(Entry(self.account.now, operation, request))
        return answer

    def tick(self) -> None:
        """Let happen what the clock says is over by now."""
        now = max(self.clock.now(), self.account.now)
        self._settle(now)
        self.account.now = now

    def advance(self, ms: int, *, settle: bool = True) -> int:
        """Let stepped time go on; returns the new time (ms since 1970).

        With `settle` what is due at the new instant happens too and the scheduler decides on it; without, that waits,
        so that requests at the new instant are decided on together with what is due then.
        """
        if not isinstance(self.clock, SteppedClock):
            raise AwsError("time goes on by itself here; start the emulator with --stepped to advance it")
        self.clock.at += ms
        self._to(self.clock.at, settle=settle)
        self._write(Entry(self.account.now, ADVANCE, {"settle": settle}))
        return self.account.now

    def replay(self) -> int:
        """Do again what the journal says; returns the number of requests."""
        count = 0
        deliver, self.account.deliver = self.account.deliver, None  # delivered when it happened
        for entry in self.store.entries() if self.store else ():
            if entry.operation == ADVANCE:
                self._to(entry.at, settle=entry.members["settle"])
            else:
                self._to(entry.at, settle=False)
                OPERATIONS[entry.operation].act(self.account, entry.members)
            count += 1
        self.account.deliver = deliver
        return count

    def close(self) -> None:
        """Let go of the state file."""
        if self.store is not None:
            self.store.close()

    def _to(self, now: int, *, settle: bool) -> None:
        self._settle(now)
        self.account.now = now
        if settle:
            self._settle(now + 1)

    def _settle(self, before: int) -> None:
        """Let happen, in the order of time, all that happens before an instant."""
        schedulers = [queue.scheduler for queue in self.account.queues.values()]
        while True:
            due = [(at, n) for n, s in enumerate(schedulers) if (at := s.next_instant()) is not None and at < before]
            if not due:
                return
            at, number = min(due)
            schedulers[number].step(at)

    def _write(self, entry: Entry) -> None:
        if self.store is None:
            return
        try:
            self.store.append(entry)
        except sqlite3.Error as error:
            self._unwritten = str(error)
            raise AwsError(f"the state file cannot be written: {error}", code=SERVER, status=500) from None
