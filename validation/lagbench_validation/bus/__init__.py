"""The cost of the virtual bus (scripts/measure-bus)."""
