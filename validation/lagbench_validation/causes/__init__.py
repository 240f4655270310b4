"""Causes that are planted at known times, and what lagbench's ledgers say about them."""
