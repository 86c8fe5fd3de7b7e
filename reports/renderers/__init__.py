"""The forms in which results are told: one file each, printing the same view models."""
