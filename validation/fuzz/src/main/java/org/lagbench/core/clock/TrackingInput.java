package org.lagbench.core.clock;

import java.nio.ByteBuffer;

/** Exposes the package-private reader of chronyd's replies to the fuzz targets. */
public final class TrackingInput {
    private TrackingInput() {}

    /**
     * Reads a reply to the request with sequence number 1.
     *
     * @throws ChronyClient.ChronyException if it is not one
     */
    public static ChronyTracking read(byte[] reply) throws ChronyClient.ChronyException {
        return TrackingMessage.reply(ByteBuffer.wrap(reply), 1);
    }
}
