"""Compressed transfers with fixed codecs, with policies that choose a codec, and with zstd, over emulated links."""
