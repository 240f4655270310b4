package org.lagbench.packetio.packet;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The bytes behind the header: pseudo-random, so that a path that compresses or deduplicates cannot flatter itself. */
public final class Payload {
    private Payload() {}

    /**
     * Fills {@code packets} packets of {@code packetSizeBytes} each, beginning at the buffer's index 0, with bytes that
     * follow from {@code seed} alone. Touches the whole of each packet, header included; the position stays.
     */
    public static void fill(ByteBuffer buffer, int packetSizeBytes, int packets, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] packet = new byte[packetSizeBytes];
        for (int i = 0; i < packets; i++) {
            random.nextBytes(packet);
            buffer.put(i * packetSizeBytes, packet);
        }
    }
}
