"""The published JSON schema of queue files (docs/schemas/queue-file.schema.json)."""

from __future__ import annotations

import json


def queue_file_schema() -> dict[str, object]:
    """The JSON schema of queue files, for editors."""
    from quota_verifier.template.queue_file import QueueFile  # pydantic is slow to load

    schema = QueueFile.model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Queue file"}


def schema_text() -> str:
    """The schema as the published file holds it."""
    return json.dumps(queue_file_schema(), indent=2) + "\n"
