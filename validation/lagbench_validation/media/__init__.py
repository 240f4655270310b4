"""Media transports against the link, their libraries' counters and other programs."""
