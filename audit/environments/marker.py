"""Names the file that is written last into an environment: a folder that holds it was built in full."""

MARKER = "ready.json"
