"""`QuotaShareValidation`: what the CDK runs on the synthesised templates."""

from __future__ import annotations

import glob
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path

import aws_cdk as cdk
import jsii

from quota_shares._source import caller
from quota_shares.validation.findings import Blamed, Finding, report
from quota_verifier.errors import InputError

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
        self._step = ""

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
        """Check the app's templates. What nobody foresaw fails synth too, with a traceback on standard error."""
        findings: list[Finding] = []
        try:
            self._check(context, findings)
        except Exception as error:  # noqa: BLE001 (the CDK's command line passes over a plugin that raises)
            traceback.print_exc(file=sys.stderr)
            findings.append(_bug(self._step, error))
        return report(findings, self.version)

    def _check(self, context: cdk.IPolicyValidationContext, findings: list[Finding]) -> None:
        """Add every finding on the app's templates; `_step` says what is being done."""
        self._step = "loading the verifier"
        # Here, so that an app that imports the constructs and is not synthesised does not pay for it.
        from quota_shares.validation.assembly import Assembly
        from quota_shares.validation.loading import load_stacks
        from quota_shares.validation.policies import Assignment
        from quota_shares.validation.rules import rule_findings
        from quota_shares.validation.verification import verified

        self._step = "looking through the construct tree"
        assembly = Assembly(context)
        self._step = "reading the templates"
        stacks, unreadable = load_stacks(assembly)
        findings += unreadable
        for loaded in stacks:
            self._step = f"checking the rules on {loaded.stack.file}"
            findings += rule_findings(loaded, assembly, informational=self._informational)
        self._step = "reading the policy files"
        assignment = Assignment(assembly, stacks)
        assignment.registered()
        assignment.given(self._policies)
        findings += assignment.findings
        for queue in assignment.queues:
            self._step = f"checking {queue.label} against its policies"
            findings += verified(queue, stacks, assembly)


def _bug(step: str, error: Exception) -> Finding:
    """What says that the plugin itself failed: it blames no construct, so it fails whatever stack is chosen."""
    return Finding(
        rule="internal-error",
        severity="fatal",
        description=(
            f"quota-shares failed while {step}: {type(error).__name__}: {error}\n"
            "   This is a bug in quota-shares, not in your app; the traceback is on standard error"
        ),
        blamed=Blamed(""),
    )


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
