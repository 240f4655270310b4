"""The cost of the virtual bus (scripts/validate bus)."""
