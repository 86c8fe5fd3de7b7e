"""The comparison: environments, adapter processes, identification, and the command line on top."""
