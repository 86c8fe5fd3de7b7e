"""Defines what each metric is, as a library of its own, on numpy alone at its core.

``recsys_metric_audit`` makes its functions public: ``reference.api`` evaluates, ``reference.printed_numbers`` goes from
a number back to definitions, ``reference.documented`` lists the definitions that are documented.
"""
