"""In-house functions: the definition that a plain Python function of your own computes, for the CLI and for pytest.

May import ``audit.findings``, ``audit.identification`` and what they stand on; ``calling`` imports nothing of ours.
"""
