"""A whole audit: ask each chosen library version, identify its functions, test them, and make the result.

May import every room of ``audit`` except ``cli`` and ``pins``.
"""

from audit.run.all_versions import AuditInterrupted, run
from audit.run.progress import Progress
from audit.run.request import Request

__all__ = ["AuditInterrupted", "Progress", "Request", "run"]
