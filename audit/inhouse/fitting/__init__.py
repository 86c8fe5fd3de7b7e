"""Fits definitions to the answers of in-house functions where the search would have too little, or too much, to try.

Labels of rows asked at one cut-off, and thresholds of relevance of a function's own. Imports ``audit.identification``.
"""
