"""Rewrites the list of SageMaker training instance types from the SageMaker API model in botocore.

Run it with the dev extra installed: `python tools/refresh_instance_types.py`. A test compares the list
with the installed botocore, so an upgrade that brings new types fails until this has been run.
"""

from __future__ import annotations

import gzip
import json
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "policies/quota_verifier/data/training_instance_types.json"
MODEL = "data/sagemaker/2017-07-24/service-2.json.gz"


def main() -> None:
    """Write the enum `TrainingInstanceType`, sorted, with the version that it came from."""
    model: dict[str, Any] = json.loads(gzip.decompress((files("botocore") / MODEL).read_bytes()))
    types: list[str] = sorted(model["shapes"]["TrainingInstanceType"]["enum"])
    document = {
        "source": f"botocore {version('botocore')}, SageMaker API model, enum TrainingInstanceType",
        "instance_types": types,
    }
    TARGET.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(types)} types -> {TARGET}")


if __name__ == "__main__":
    main()
