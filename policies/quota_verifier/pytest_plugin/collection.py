"""Policy files as test files: one test for each claim, one simulation for the claims of a file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from quota_verifier.errors import InputError
from quota_verifier.policy.names import claim_names
from quota_verifier.policy.places import Spots
from quota_verifier.policy.policy import Policy, read_policy
from quota_verifier.policy.verdicts import PolicyVerdicts, SkippedPolicy, Verdict
from quota_verifier.policy.verifier import verify
from quota_verifier.pytest_plugin.queues import queues_of
from quota_verifier.pytest_plugin.settings import UNCONFIGURED, settings_of
from quota_verifier.report.text import rendered
from quota_verifier.report.verify_text import claim_report
from quota_verifier.scheduler.assumptions import Profiles


class QuotaWarning(pytest.PytestWarning):
    """A remark on a policy: what makes its figures less telling, or a waiver that is no longer needed."""


def policy_file(parent: pytest.Collector, path: Path) -> pytest.Collector:
    """The collector of a policy file's claims."""
    return cast("Any", PolicyFile).from_parent(parent, path=path)


class PolicyFile(pytest.File):
    """A policy file. Its claims are judged together when the first of them is run."""

    policy: Policy
    _found: PolicyVerdicts | SkippedPolicy | InputError | None = None

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each claim; one line that says what is wrong for a file that cannot be used."""
        try:
            if not settings_of(self.config).configured:
                raise UNCONFIGURED
            self.policy = read_policy(self.path)
        except InputError as error:
            raise self.CollectError(self.shown(error)) from None
        spots = Spots(self.policy)
        names = claim_names(self.policy.claims)
        seen: dict[str, int] = {}
        for index, (claim, name) in enumerate(zip(self.policy.claims, names, strict=True)):
            seen[claim.text] = seen.get(claim.text, 0) + 1
            title = claim.text if seen[claim.text] == 1 else f"{claim.text} ({seen[claim.text]})"
            item = cast("Any", ClaimItem).from_parent(self, name=title)
            item.index, item.claim_name, item.line = index, name, spots.of(claim).line
            if self.config.pluginmanager.hasplugin("xdist"):  # --dist loadgroup then simulates once
                item.add_marker(pytest.mark.xdist_group(name=self.nodeid))
            yield item

    def verdicts(self) -> PolicyVerdicts | SkippedPolicy:
        """What became of the claims. Raises InputError, for each claim alike, where they cannot be judged."""
        if self._found is None:
            self._found = self._judged()
        if isinstance(self._found, InputError):
            raise self._found
        return self._found

    def shown(self, text: object) -> str:
        """A message with files as they are named from the root directory."""
        return str(text).replace(f"{self.config.rootpath}{os.sep}", "")

    def _judged(self) -> PolicyVerdicts | SkippedPolicy | InputError:
        settings = settings_of(self.config)
        under = cast("Profiles | None", settings.under)
        try:
            found = verify(queues_of(self.config).find, self.policy, under=under, today=settings.today)
        except InputError as error:
            return error
        if found.skipped:
            return found.skipped[0]
        for text in found.policies[0].remarks:
            self.warn(QuotaWarning(self.shown(text)))
        return found.policies[0]


class ClaimItem(pytest.Item):
    """A claim as a test: it passes where the claim holds, and is an expected failure where it is waived."""

    parent: PolicyFile
    index: int
    claim_name: str
    line: int

    def runtest(self) -> None:
        """Judge the claim; a failure shows what was measured, and the timeline."""
        __tracebackhide__ = True
        try:
            found = self.parent.verdicts()
        except InputError as error:
            pytest.fail(self.parent.shown(error), pytrace=False)
        if isinstance(found, SkippedPolicy):
            pytest.skip(self.parent.shown(found.reason))
        verdict = found.verdicts[self.index]
        self.user_properties += [
            ("claim", self.claim_name),
            ("verdict", verdict.verdict),
            ("measured", verdict.measured.text),
        ]
        if verdict.waived:
            pytest.xfail(f"{verdict.waiver_note} (measured {verdict.measured.text})")
        if not verdict.ok:
            pytest.fail(self._failure(found, verdict), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the claim stands in its file."""
        return self.path, self.line - 1, f"{self.path.name}: {self.name}"

    def _failure(self, found: PolicyVerdicts, verdict: Verdict) -> str:
        head = f"{found.policy.description}\n" if found.policy.description else ""
        place = self.parent.shown(f"Claimed at {self.path}:{self.line}")
        return f"{head}{rendered(claim_report(verdict, found.run.assumptions), width=100)}{place}"
