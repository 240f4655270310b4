package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.RunParameters;

/**
 * The transfers of a run.
 *
 * @param bytes size of each transfer; a multiple of the packets' size
 * @param count number of transfers, one at a time
 * @param keepsConnection whether all transfers use one connection; else each has a new one
 * @param compression how the pieces are compressed; null if they are packets
 */
public record TransferSpec(long bytes, int count, boolean keepsConnection, @Nullable CompressionSpec compression) {
    /** The transfers of an experiment that says nothing about them. */
    public static final TransferSpec DEFAULT = new TransferSpec(
            RunParameters.TRANSFER_BYTES.defaultValue(), RunParameters.TRANSFERS.defaultValue(), false);

    /** Creates transfers whose pieces are packets. */
    public TransferSpec(long bytes, int count, boolean keepsConnection) {
        this(bytes, count, keepsConnection, null);
    }

    public TransferSpec {
        RunParameters.TRANSFER_BYTES.check(bytes);
        RunParameters.TRANSFERS.check(count);
    }

    /**
     * Returns the transfers of a run that sends this many packets.
     *
     * @throws IllegalArgumentException if the packets are not a whole number of transfers
     */
    public static TransferSpec of(
            long bytes, long packets, int packetBytes, boolean keepsConnection, @Nullable CompressionSpec compression) {
        if (bytes % packetBytes != 0 || packets % (bytes / packetBytes) != 0) {
            throw new IllegalArgumentException(
                    packets + " packets of " + packetBytes + " bytes are not whole transfers of " + bytes + " bytes.");
        }
        return new TransferSpec(bytes, Math.toIntExact(packets / (bytes / packetBytes)), keepsConnection, compression);
    }

    public long pieces(int packetBytes) {
        return bytes / packetBytes;
    }
}
