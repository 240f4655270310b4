"""Compressed transfers by each codec, by policies that choose one, and by zstd, over emulated links."""
