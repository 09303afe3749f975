"""Which policies each queue must satisfy: those registered with it, and those given to the plugin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from quota_shares.validation.assembly import Assembly, StackTemplate, shown
from quota_shares.validation.findings import Blamed, Finding, rule_name
from quota_verifier.errors import InputError
from quota_verifier.policy.policy import Policy, read_policy
from quota_verifier.template import Resource, Template
from quota_verifier.words import did_you_mean


@dataclass(frozen=True, slots=True)
class LoadedStack:
    """A stack whose template was read, and the quota-managed job queues in it."""

    stack: StackTemplate
    template: Template
    queues: tuple[Resource, ...]


@dataclass(frozen=True, slots=True)
class QueueUnderPolicy:
    """A job queue and the policies that it must satisfy, by file."""

    loaded: LoadedStack
    resource: Resource
    blamed: Blamed
    policies: dict[Path, Policy] = field(default_factory=dict[Path, Policy])

    @property
    def label(self) -> str:
        """What messages call it: the construct path, else the logical id."""
        return self.blamed.construct_path.removesuffix("/Resource") or self.resource.label

    @property
    def names(self) -> tuple[str, ...]:
        """What a policy may call it: its name, logical id or construct path."""
        known = (self.resource.name, self.resource.logical_id, self.label, self.blamed.construct_path)
        return tuple(name for name in known if isinstance(name, str))


class Assignment:
    """Gives policies to queues, and collects what is wrong with the files."""

    def __init__(self, assembly: Assembly, stacks: Sequence[LoadedStack]) -> None:
        self.findings: list[Finding] = []
        self.queues: list[QueueUnderPolicy] = [
            QueueUnderPolicy(loaded, resource, assembly.blamed(loaded.stack, resource.logical_id))
            for loaded in stacks
            for resource in loaded.queues
        ]
        self._assembly = assembly
        self._read: dict[Path, Policy | InputError] = {}

    def registered(self) -> None:
        """Give each queue the files of `QuotaManagedQueue.verify`."""
        for queue in self.queues:
            for file in self._assembly.policy_files(queue.loaded.stack, queue.resource.logical_id):
                policy = self._policy(file, queue.blamed)
                if policy is None:
                    continue
                if policy.queue is not None and policy.queue not in queue.names:
                    error = InputError(
                        f"the policy is for the job queue {policy.queue!r}, and was registered with {queue.label}",
                        where="queue",
                        remedy="leave out `queue`, or register the file with that queue",
                    )
                    self.findings.append(bad_input(file, error, queue.blamed))
                    continue
                self._give(queue, file, policy)

    def given(self, files: Iterable[Path]) -> None:
        """Give the plugin's own files to the queues that they name; one that names none needs a single queue."""
        for file in files:
            policy = self._policy(file, self._anywhere())
            if policy is None:
                continue
            chosen = [queue for queue in self.queues if policy.queue is None or policy.queue in queue.names]
            if not chosen or (policy.queue is None and len(chosen) > 1):
                self.findings.append(bad_input(file, self._astray(policy), self._anywhere()))
                continue
            for queue in chosen:
                self._give(queue, file, policy)

    def _policy(self, file: Path, blamed: Blamed) -> Policy | None:
        """The policy in a file; None for a bad one, which is a finding each time."""
        if file not in self._read:
            try:
                self._read[file] = read_policy(shown(file))
            except InputError as error:
                self._read[file] = error
        found = self._read[file]
        if isinstance(found, Policy):
            return found
        self.findings.append(bad_input(file, found, blamed))
        return None

    def _give(self, queue: QueueUnderPolicy, file: Path, policy: Policy) -> None:
        """Findings are acknowledged by the file's name, so one queue takes one file of a name."""
        for other in queue.policies:
            if other != file and rule_name(other.stem) == rule_name(file.stem):
                error = InputError(
                    f"{shown(other)} has the same name, and findings are acknowledged by the name of the file",
                    remedy="rename one of the two",
                )
                self.findings.append(bad_input(file, error, queue.blamed))
                return
        queue.policies[file] = policy

    def _astray(self, policy: Policy) -> InputError:
        labels = [queue.label for queue in self.queues]
        if not labels:
            return InputError(
                "there is no quota-managed job queue in the app to check", remedy="leave the file out, or add the queue"
            )
        if policy.queue is None:
            problem = f"the app has {len(labels)} quota-managed job queues, and the policy names none"
            return InputError(problem, where="queue", remedy=f"write `queue:` with one of {', '.join(labels)}")
        problem = f"no quota-managed job queue is called {policy.queue!r}"
        return InputError(problem, where="queue", remedy=did_you_mean(policy.queue, labels))

    def _anywhere(self) -> Blamed:
        """What to blame for a file of the plugin: the only queue, else nothing, so that every stack fails."""
        return self.queues[0].blamed if len(self.queues) == 1 else Blamed("")


def bad_input(file: Path, error: InputError, blamed: Blamed) -> Finding:
    """A policy that cannot be used. It cannot be acknowledged either, for nothing was checked."""
    problem = InputError(error.problem, source=error.source or shown(file), where=error.where)
    return Finding(
        rule=rule_name(file.stem, "bad-input"),
        severity="fatal",
        description=f"{problem}; {shown(file)} was not checked",
        blamed=blamed,
        fix=error.remedy,
        metadata={"policy": shown(file)},
    )
