"""Shows that the observer in the kernel agrees with others, needs only its rights, and leaves nothing behind."""
