"""lagbench's analysis beside NumPy and DuckDB (scripts/compare-analysis)."""
