"""What the hooks of .pre-commit-hooks.yaml run: `python -m quota_verifier.cli.hooks lint|verify ...`.

pre-commit gives a hook many file names at once and expands no patterns; the commands take one template, and
policy files by name.
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Sequence

from quota_verifier.cli.main import main as command
from quota_verifier.errors import InputError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one hook; the highest exit code of the commands that it runs."""
    name, *rest = [*(sys.argv[1:] if argv is None else argv)] or [""]
    hooks = {"lint": _lint, "verify": _verify}
    if name not in hooks:
        print(f"error: {InputError(f'unknown hook {name!r}', remedy='it is lint or verify')}", file=sys.stderr)
        return 2
    return hooks[name](rest)


def _lint(words: Sequence[str]) -> int:
    """Lint each file by itself, with the options that come before them."""
    first = next((place for place in range(len(words), 0, -1) if words[place - 1].startswith("-")), 0)
    # An option of ours takes its value as --name=VALUE here, so that every bare word is a file.
    options, files = words[:first], [word for word in words[first:] if not word.startswith("-")]
    return max((command(["lint", file, *options]) for file in files), default=0)


def _verify(words: Sequence[str]) -> int:
    """Verify once, whichever file changed, with patterns such as `policies/*.yaml` expanded."""
    return command(["verify", *(found for word in words for found in _expanded(word))])


def _expanded(word: str) -> list[str]:
    return (sorted(glob.glob(word)) if glob.has_magic(word) else []) or [word]


if __name__ == "__main__":
    sys.exit(main())
