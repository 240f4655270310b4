package org.lagbench.packetio.linux;

/**
 * A place in a TCP stream.
 *
 * @param sequence the sequence number of a byte
 * @param offset the number of the stream's bytes before it
 */
public record StreamPlace(int sequence, long offset) {}
