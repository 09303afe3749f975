"""The table of commands. To add one: a module beside this one, and a row here."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from quota_verifier.cli.parser import Parser


class CommandModule(Protocol):
    """What the module of a command provides. It imports what is heavy inside `run`."""

    USAGE: str
    """What follows the command's name on its usage line."""

    def add_arguments(self, parser: Parser) -> None:
        """Declare the arguments."""
        ...

    def run(self, args: Namespace) -> int:
        """Do it; return the exit code: 0 holds or clean, 1 violated. Raises InputError for bad input."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A row: the name, one line of help, and the module under `quota_verifier.cli` if its name differs."""

    name: str
    summary: str
    module: str = ""

    def load(self) -> CommandModule:
        """The command's module, imported only now so that the others cost nothing."""
        return cast("CommandModule", import_module(f"quota_verifier.cli.{self.module or self.name}"))

    def parser(self) -> Parser:
        """The parser of the command's arguments."""
        module = self.load()
        parser = Parser(f"quota-shares {self.name}", usage=module.USAGE, description=self.summary)
        module.add_arguments(parser)
        return parser


COMMANDS: tuple[Command, ...] = (
    Command("verify", "Check policy files against a queue; exit 1 where a claim does not hold."),
    Command("simulate", "Run a workload through a queue and report what happened to shares and jobs."),
    Command("explain", "Tell why a job waits at an instant, what would unblock it, and when it starts."),
    Command("try", "Try one more job: does it run now, until when does it wait, whom does it preempt.", "try_job"),
    Command("show", "Show a queue's shares in absolute numbers: limits, borrowing, largest jobs."),
    Command("bounds", "Tell what each share is sure of, whatever jobs come, without a simulation."),
    Command("check-jobs", "Check how jobs are set up for preemption; exit 1 where one cannot work.", "check_jobs"),
    Command("lint", "Check a template against the static rules; exit 1 where one finds an error."),
    Command("diff", "Tell what deploying NEW over OLD does to running work; exit 1 where it would fail."),
    Command("workload", "Read a trace or workload file, account for every row, and write it in one form."),
    Command("sweep", "Try changes to a queue on the same workloads; exit 1 where none meets the policies."),
    Command("search", "Look for a workload that breaks a policy's claim, and shrink it; exit 1 where one is found."),
    Command("emulate", "Serve AWS Batch's quota management on this computer, for boto3, the AWS CLI and SDKs."),
    Command("export", "Write a queue down for the AWS CLI, the console, boto3 or CloudFormation."),
    Command("import", "Write a deployed queue and its job history as template, workload and policy.", "import_queue"),
    Command("drift", "Compare a deployed queue with what is declared and verified; exit 1 where it differs."),
    Command("calibrate", "Replay a job history, and name the assumptions that tell it best."),
    Command("prices", "Ask AWS for the prices of training instances, and write them as a prices file."),
    Command("version", "Print the version."),
)
