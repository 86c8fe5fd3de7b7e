"""Search for the definitions that give a printed number on given data.

May import ``cases``, ``catalogue``, ``evaluation`` and what stands below them.
"""
