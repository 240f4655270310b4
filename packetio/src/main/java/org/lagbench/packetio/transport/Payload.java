package org.lagbench.packetio.transport;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The payload behind the header: pseudo-random, so that compression or deduplication on the path gains nothing. */
public final class Payload {
    private Payload() {}

    /**
     * Fills {@code packets} packets of {@code packetSizeBytes} each, from the buffer's index 0, with bytes that depend
     * only on {@code seed}. Overwrites the headers too; does not change the position.
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
