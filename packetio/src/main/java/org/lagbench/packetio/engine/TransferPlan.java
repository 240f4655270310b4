package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.socket.TransferRecorder;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The transfers of a run, as both sides need them.
 *
 * @param pieces number of packets in each transfer; the recorded packets of the run are a multiple of it
 * @param keepsConnection whether all transfers use one connection; else each has a new one
 * @param compression how the pieces are compressed; null if they are packets
 */
public record TransferPlan(long pieces, boolean keepsConnection, @Nullable CompressionSpec compression) {
    /** The key of {@link #CHUNKS} in the sender's announcement. */
    private static final String FORM = "transfer-form";

    private static final String CHUNKS = "chunks";

    /** The key of the pieces of each transfer in the sender's announcement. */
    private static final String PIECES = "transfer-pieces";

    /** Returns the plan of a sending side. */
    public static TransferPlan of(SideConfig config) {
        TransferSpec transfer = config.traffic().transfer();
        if (transfer == null) {
            throw new IllegalArgumentException("there are no transfers");
        }
        return new TransferPlan(
                transfer.pieces(config.packetBytes()), transfer.keepsConnection(), transfer.compression());
    }

    /** Returns what the receiving side needs. */
    public Map<String, String> announce() {
        return compression == null
                ? Map.of(PIECES, Long.toString(pieces))
                : Map.of(PIECES, Long.toString(pieces), FORM, CHUNKS);
    }

    /** Returns whether a sender announced that the pieces are chunks. */
    public static boolean announcesChunks(SideConfig config) {
        return config.announced().getOrDefault(FORM, "").equals(CHUNKS);
    }

    /** Creates the files of the transfers next to a sender's capture. */
    public static TransferRecorder createRecorder(SideConfig config) throws IOException {
        return TransferRecorder.of(
                config.captureFile(), config.point().packets() / of(config).pieces());
    }

    /** Creates the capture of received bytes next to a receiver's capture. */
    public static ReceivedBytesCapture createCapture(SideConfig config) throws IOException {
        return ReceivedBytesCapture.create(
                config.captureFile().resolveSibling(ReceivedBytesCapture.FILE_NAME),
                config.point().packets(),
                config.packetBytes());
    }

    /**
     * Returns the pieces of each transfer that a sender announced.
     *
     * @throws LagbenchException if it announced none, or the packets of the run are not whole transfers
     */
    public static long announcedPieces(SideConfig config) throws LagbenchException {
        String text = config.announced().getOrDefault(PIECES, "");
        long pieces = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
        if (pieces < 1 || config.point().packets() % pieces != 0) {
            throw ExitCode.USAGE.failure(config.point().packets() + " packets are not a whole number of transfers.");
        }
        return pieces;
    }
}
