"""Seeded faults: is what identification says of them right?"""
