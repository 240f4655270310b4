"""lagbench beside other programs for the same job (scripts/validate peers)."""
