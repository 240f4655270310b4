"""lagbench's analysis beside NumPy and DuckDB (scripts/validate analysis)."""
