"""Runs of the bench with clocks, paths and faults that are known (scripts/truth)."""
