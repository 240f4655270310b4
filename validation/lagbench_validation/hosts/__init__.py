"""Hosts with real systemd on this machine, set up by the Ansible collection."""
