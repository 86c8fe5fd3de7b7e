"""Known definitions that are tested before anything is searched.

May import what :mod:`audit.identification` may, and its stages and diagnoses.
"""
