"""Questions put to a library itself, beyond its formula: what it does when the input is changed in one way."""
