"""lagbench's analysis compared with NumPy and DuckDB (scripts/validate analysis)."""
