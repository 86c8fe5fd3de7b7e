"""Says how long a call may take, given how long those before it took."""

from __future__ import annotations

from dataclasses import replace

from recsys_metric_audit.audit.process.protocol import Conversation, Limits, Measured, TimedOut
from recsys_metric_audit.audit.process.worker import MAX_TIMEOUTS

_SHORTEST, _TIMES, _STARTS = 2.0, 20, 5
"""Bounds of how long a call is waited for after too many late ones: seconds, the slowest calls, the start-ups."""


class Patience:
    """Says how long a call may take: less where calls were late ``MAX_TIMEOUTS`` times and all others are quick.

    Each conversation waits for so many late calls, and there are dozens of conversations. The first one says how long
    the process takes to start: after a late call it starts again, within the same limit.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.slowest, self.late, self.start = limits, 0.0, 0, 0.0

    def heed(self, said: Conversation) -> None:
        """Note how long the calls of a conversation took."""
        outcomes = [each.outcome for each in said.answers]
        late = [each.seconds for each in outcomes if isinstance(each, TimedOut) and each.asked]
        self.start = self.start or max(said.seconds - sum(late), 0.0)
        self.slowest = max([self.slowest, *(each.seconds for each in outcomes if isinstance(each, Measured))])
        self.late += len(late)
        if self.late >= MAX_TIMEOUTS and self.slowest:
            enough = max(_SHORTEST, _TIMES * self.slowest, _STARTS * self.start)
            self.limits = replace(self.limits, seconds=min(self.limits.seconds, enough))
