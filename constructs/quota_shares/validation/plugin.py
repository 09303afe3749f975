"""`QuotaShareValidation`: what the CDK runs on the synthesised templates."""

from __future__ import annotations

import glob
import sys
import traceback
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aws_cdk as cdk
import jsii

from quota_shares._source import caller
from quota_verifier.errors import InputError

if TYPE_CHECKING:
    from quota_shares.validation.findings import Finding

NAME = "quota-shares"


@jsii.implements(cdk.IPolicyValidationPlugin)
class QuotaShareValidation:
    """Checks every quota-managed queue of an app when it is synthesised: `cdk synth`, `cdk deploy`, tests.

    The static rules look at each template with such a queue. Policies are judged on the queues as
    the templates declare them: the files of `QuotaManagedQueue.verify`, and `policies`. An error-level finding or a
    claim that is not proven fails synth, and so deploy. Register it once:

        cdk.Validations.of(app).add_plugins(QuotaShareValidation())

    A finding is accepted with the name that the report shows, on the construct or one around it:

        cdk.Validations.of(share).acknowledge(
            cdk.Acknowledgment(id="quota-shares::urgent.QS3.wait-p95", reason="until the new machines are there")
        )

    Template parameters count with their defaults. A policy file that cannot be used fails synth and cannot be
    acknowledged. An app without quota-managed queues has nothing to report.

    :param policies: Policy files or globs, relative to the working directory. A policy is judged on the job queue
        that its `queue` names (name, logical id or construct path), or else on the only one of the app. InputError
        for a file that does not exist or a glob that matches none. Default: only what queues register with `verify`.
    :param informational: Whether the rules of severity INFO are reported too. Default: False, errors and warnings only.
    """

    def __init__(self, *, policies: Sequence[str | Path] = (), informational: bool = False) -> None:
        self._policies = _files(policies)
        self._informational = informational

    @property
    def name(self) -> str:
        """The first part of the ids that findings are acknowledged by."""
        return NAME

    @property
    def version(self) -> str:
        """The version of quota-shares."""
        from quota_verifier.report.provenance import version

        return version()

    @property
    def rule_ids(self) -> list[str] | None:
        """None: the CDK would write the ids into the template's metadata, for AWS's statistics."""
        return None

    def validate(self, context: cdk.IPolicyValidationContext) -> cdk.PolicyValidationPluginReport:
        """Check the app's templates. What nobody foresaw fails synth, with a traceback on standard error."""
        from quota_shares.validation.findings import report

        return report(self._findings(context), self.version)

    def _findings(self, context: cdk.IPolicyValidationContext) -> list[Finding]:
        with _step("looking through the construct tree"):
            from quota_shares.validation.assembly import Assembly

            assembly = Assembly(context)
        with _step("reading the templates"):
            from quota_shares.validation.loading import load_stacks

            stacks, findings = load_stacks(assembly)
        for loaded in stacks:
            with _step(f"checking the rules on {loaded.stack.file}"):
                from quota_shares.validation.rules import rule_findings

                findings += rule_findings(loaded, assembly, informational=self._informational)
        with _step("reading the policy files"):
            from quota_shares.validation.policies import Assignment

            assignment = Assignment(assembly, stacks)
            assignment.registered()
            assignment.given(self._policies)
            findings += assignment.findings
        for queue in assignment.queues:
            with _step(f"checking {queue.label} against its policies"):
                from quota_shares.validation.verification import verified

                findings += verified(queue, stacks, assembly)
        return findings


@contextmanager
def _step(what: str) -> Generator[None]:
    """Name the step in which something unforeseen happens; the CDK shows the message alone, so print the rest."""
    try:
        yield
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        raise RuntimeError(
            f"while {what}: {type(error).__name__}: {error}"
            " (a bug in quota-shares, not in your app; the traceback is on standard error)"
        ) from error


def _files(given: Iterable[str | Path]) -> tuple[Path, ...]:
    """The files that the paths and globs name, absolute, each once, in the order given."""
    if isinstance(given, str | Path):
        raise InputError(
            f"policies must be a list of files, got {str(given)!r}", source=caller(), remedy="put it in a list"
        )
    found: dict[Path, None] = {}
    for pattern in given:
        matches = [str(pattern)] if Path(pattern).is_file() else sorted(glob.glob(str(pattern), recursive=True))
        files = [Path(match).resolve() for match in matches if Path(match).is_file()]
        if not files:
            raise InputError(
                f"there is no policy file {str(pattern)!r}", source=caller(), remedy=f"looked in {Path.cwd()}"
            )
        found.update(dict.fromkeys(files))
    return tuple(found)
