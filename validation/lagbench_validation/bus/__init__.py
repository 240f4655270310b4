"""What the virtual bus costs (scripts/measure-bus)."""
