"""Checks that lagbench's numbers are correct."""
