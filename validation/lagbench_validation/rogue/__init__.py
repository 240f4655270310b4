"""A peer that speaks lagbench's protocol and then departs from it: scripts/validate rogue."""
