"""Options and ini settings of the plugin, and which files are policy files. Imports nothing that costs time."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from quota_verifier.errors import InputError

UNCONFIGURED = InputError(
    "no template is configured",
    source="quota-shares",
    remedy="give --quota-template FILE or --quota-app FILE, or set quota_template or quota_app in pytest's ini file",
)
_UNDER = ("default", "one-at-a-time", "all")
_KEYS = tuple(re.compile(rf"^[\"']?{key}[\"']?\s*:", re.MULTILINE) for key in ("workload", "expect"))
_LARGEST = 1_000_000
"""Bytes: no policy file is larger, and a larger YAML file would take long to look through."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user configured; paths are absolute. `explicit` says that the command line names the queue."""

    template: Path | None
    app: Path | None
    parameters: Mapping[str, str]
    queue: str | None
    under: str | None
    today: date | None
    patterns: tuple[str, ...]
    explicit: bool

    @property
    def configured(self) -> bool:
        """Whether there is a queue to judge on."""
        return self.template is not None or self.app is not None


_SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()


def add_options(parser: pytest.Parser) -> None:
    """`--quota-...` and the ini settings of the same names."""
    group = parser.getgroup("quota-shares", "AWS Batch quota shares: policy files as tests")
    template = "CloudFormation template, directory written by cdk synth, or queue file that policy files are judged on."
    app = "CDK app in Python to run for the template; needs quota-shares[cdk]."
    group.addoption("--quota-template", metavar="PATH", help=template)
    group.addoption("--quota-app", metavar="FILE", help=app)
    group.addoption(
        "--quota-param", metavar="NAME=VALUE", action="append", default=[], help="Value of a template parameter."
    )
    group.addoption("--quota-queue", metavar="NAME", help="The queue, where the template has more than one.")
    group.addoption("--quota-under", choices=_UNDER, help="Assumption profiles to judge under.")
    group.addoption("--quota-today", metavar="DATE", help="The day that decides which waivers have expired.")
    parser.addini("quota_template", template)
    parser.addini("quota_app", app)
    parser.addini("quota_param", "Values of template parameters, NAME=VALUE, one a line.", type="linelist")
    parser.addini("quota_queue", "The queue, where the template has more than one.")
    parser.addini("quota_under", "Assumption profiles to judge under: default, one-at-a-time or all.")
    parser.addini(
        "quota_policies",
        "Which files are policy files, as patterns from the root directory; by default every YAML file "
        "with the keys workload and expect. Not heeded where the command line names the template or the app.",
        type="linelist",
    )


def check_options(config: pytest.Config) -> None:
    """Read the settings once. Raises UsageError for a mistake in them."""
    try:
        config.stash[_SETTINGS] = _read(config)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None


def settings_of(config: pytest.Config) -> Settings:
    """The settings of this session."""
    return config.stash[_SETTINGS]


def is_wanted(path: Path, config: pytest.Config) -> bool:
    """Whether a file is a policy file to collect.

    Without a configured template only one that the command line names, by itself or by a folder, so that a
    plain `pytest` in a project that does not use this plugin collects what it always did.
    """
    if path.suffix not in (".yaml", ".yml"):
        return False
    settings = settings_of(config)
    if settings.configured:
        wanted = settings.explicit or not settings.patterns or _matches(path, config, settings.patterns)
    else:
        wanted = _is_named(path, config)
    return wanted and _looks_like_a_policy(path)


def _matches(path: Path, config: pytest.Config, patterns: tuple[str, ...]) -> bool:
    if not path.is_relative_to(config.rootpath):
        return False
    name = path.relative_to(config.rootpath).as_posix()
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _is_named(path: Path, config: pytest.Config) -> bool:
    here = config.invocation_params.dir
    words = (str(word) for word in config.invocation_params.args)
    named = [(here / word.split("::")[0]).resolve() for word in words if not word.startswith("-")]
    return any(place == path or (place in path.parents and place != config.rootpath) for place in named)


def _looks_like_a_policy(path: Path) -> bool:
    try:
        if path.stat().st_size > _LARGEST:
            return False
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    return all(key.search(text) for key in _KEYS)


def _read(config: pytest.Config) -> Settings:
    template, app = config.getoption("quota_template"), config.getoption("quota_app")
    explicit = template is not None or app is not None
    here = config.invocation_params.dir
    if not explicit:
        template, app = config.getini("quota_template"), config.getini("quota_app")
        here = config.inipath.parent if config.inipath is not None else config.rootpath
    if template and app:
        raise InputError("both a template and an app", source="quota-shares", remedy="configure one of the two")
    under = config.getoption("quota_under") or config.getini("quota_under") or None
    if under not in (None, *_UNDER):
        raise InputError(f"{under!r} is not known", source="quota_under", remedy=f"write one of {', '.join(_UNDER)}")
    return Settings(
        template=here / template if template else None,
        app=here / app if app else None,
        parameters=_parameters((*config.getini("quota_param"), *(config.getoption("quota_param") or []))),
        queue=config.getoption("quota_queue") or config.getini("quota_queue") or None,
        under=under,
        today=_day(config.getoption("quota_today")),
        patterns=tuple(config.getini("quota_policies")),
        explicit=explicit,
    )


def _parameters(words: tuple[str, ...]) -> dict[str, str]:
    """NAME=VALUE; the command line wins over the ini file."""
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise InputError(f"{word!r} is not NAME=VALUE", source="--quota-param", remedy="write it as Instances=4")
        found[name] = value
    return found


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is not a date", source="--quota-today", remedy="write it as 2026-12-31") from None
