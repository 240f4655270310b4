"""Runs of lagbench with known clocks, paths and faults (scripts/validate truth)."""
