"""Running one adapter: protocol, control directory, harness, child, session, worker, call queue.

May import ``audit.environments``, ``audit.errors`` and ``reference``; the harness imports nothing of ours.
"""
