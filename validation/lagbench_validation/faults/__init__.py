"""Faults of programs, peers, networks, disks and files: what the real programs do then, judged by rules."""
