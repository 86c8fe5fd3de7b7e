"""Help for authors of adapters: a quick trial of an adapter, and a first adapter written from an installed package.

May import ``audit.behaviours``, ``audit.questions``, ``audit.responders`` and every room below them, and ``reports``.
"""
