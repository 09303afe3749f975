"""The validation plugin: rules and policies checked on the synthesised templates, before anything is deployed."""

from __future__ import annotations

from quota_shares.validation.plugin import QuotaShareValidation

__all__ = ["QuotaShareValidation"]
