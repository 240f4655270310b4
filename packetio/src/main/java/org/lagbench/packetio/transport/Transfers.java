package org.lagbench.packetio.transport;

import org.lagbench.core.capture.ReceivedBytesCapture;

/**
 * The transfers of a receiver.
 *
 * @param pieces number of packets in each transfer
 * @param bytes receives the bytes of each receive call; the caller closes it
 */
public record Transfers(long pieces, ReceivedBytesCapture bytes) {}
