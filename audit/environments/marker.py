"""Names the files that are written last into an environment: a folder that holds both was built in full."""

MARKER = "ready.json"
FILES = "files.json"
"""Holds the SHA-256 of every installed file by its path."""
