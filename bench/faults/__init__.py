"""Tries the tool with bad input, libraries that fail in every way, damaged files, kills at any time."""
