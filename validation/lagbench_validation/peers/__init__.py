"""lagbench compared with other programs for the same job (scripts/validate peers)."""
