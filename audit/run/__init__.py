"""A whole audit: ask each chosen library version, identify its functions, test them, and make the result.

May import every room of ``audit`` except ``cli`` and ``pins``.
"""

from recsys_metric_audit.audit.run.all_versions import AuditInterrupted, run
from recsys_metric_audit.audit.run.request import Progress, Request

__all__ = ["AuditInterrupted", "Progress", "Request", "run"]
