"""Evidence that lagbench's numbers are true."""
