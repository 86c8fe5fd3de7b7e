"""Progress of an audit as people see it: bars on a terminal, lines in a log.

May import ``audit.run`` and what stands below it.
"""
