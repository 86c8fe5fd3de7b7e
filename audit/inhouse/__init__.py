"""In-house functions: what a plain Python function computes, asked one user at a time or on DataFrames."""
