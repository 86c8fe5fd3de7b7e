"""The benchmark of identification: faults seeded into a fake library, and what is identified of them."""
