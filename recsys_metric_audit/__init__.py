"""Says what a recommender metric really computes: the audit, the reference and the reports."""
