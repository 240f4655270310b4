package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The transfers of a run.
 *
 * @param bytes size of each transfer, from {@link #MINIMUM_BYTES} to {@link #MAXIMUM_BYTES}; a multiple of the packets'
 *     size
 * @param count number of transfers, one after the other, from 1 to {@link #MAXIMUM_COUNT}
 * @param keepsConnection whether all transfers use one connection; else each has a new one
 * @param compression how the pieces are compressed; null if they are packets
 */
public record TransferSpec(long bytes, int count, boolean keepsConnection, @Nullable CompressionSpec compression) {
    public static final long MINIMUM_BYTES = RunSpec.MINIMUM_PACKET_BYTES;
    public static final long MAXIMUM_BYTES = 1L << 40;
    public static final int MAXIMUM_COUNT = 10_000;

    /** The size that the Network Weather Service transfers. */
    public static final long DEFAULT_BYTES = 1 << 16;

    public static final int DEFAULT_COUNT = 10;

    /** The transfers of an experiment that says nothing about them. */
    public static final TransferSpec DEFAULT = new TransferSpec(DEFAULT_BYTES, DEFAULT_COUNT, false);

    /** The values of {@code connection} as users write them. */
    public static final String CONNECTION_ACCEPTED = "new or kept";

    private static final String NEW = "new";
    private static final String KEPT = "kept";

    /** Creates transfers whose pieces are packets. */
    public TransferSpec(long bytes, int count, boolean keepsConnection) {
        this(bytes, count, keepsConnection, null);
    }

    public TransferSpec {
        if (bytes < MINIMUM_BYTES || bytes > MAXIMUM_BYTES || count < 1 || count > MAXIMUM_COUNT) {
            throw new IllegalArgumentException(count + " transfers of " + bytes + " bytes; a run makes 1 to "
                    + MAXIMUM_COUNT + " of " + MINIMUM_BYTES + " to " + MAXIMUM_BYTES + " bytes");
        }
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

    /**
     * Reads whether the connection is kept.
     *
     * @throws IllegalArgumentException if the text is not accepted
     */
    public static boolean parseConnection(String text) {
        return switch (text) {
            case NEW -> false;
            case KEPT -> true;
            default ->
                throw new IllegalArgumentException(
                        "connection: \"" + text + "\" is not accepted; it takes " + CONNECTION_ACCEPTED + ".");
        };
    }

    /** Returns the kind of connection as text, which {@link #parseConnection} reads. */
    public String connectionText() {
        return keepsConnection ? KEPT : NEW;
    }

    public long pieces(int packetBytes) {
        return bytes / packetBytes;
    }
}
