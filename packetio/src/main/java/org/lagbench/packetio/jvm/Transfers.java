package org.lagbench.packetio.jvm;

import java.io.IOException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.engine.TransferPlan;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransferSender;

/** Opens the sides of transfers that this process moves. */
public final class Transfers {
    private Transfers() {}

    /** Opens the sending side of each connection. */
    @FunctionalInterface
    public interface Connections {
        /**
         * Opens the sending side of a connection, not yet connected.
         *
         * @param introduces see {@link org.lagbench.packetio.transport.PacketTransport#openTransferSender}
         */
        TransferSender open(boolean introduces) throws LagbenchException;
    }

    /** Opens the receiving side of all connections. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens the receiving side.
         *
         * @param pieces the packets of each transfer
         * @param bytes receives the bytes of each receive call; the caller closes it
         */
        PacketReceiver open(long pieces, ReceivedBytesCapture bytes) throws LagbenchException;
    }

    /** Opens the sending side, and the files of its transfers beside the capture. */
    public static SendEngine openSender(EngineConfig config, SenderCapture capture, Connections connections)
            throws LagbenchException {
        try {
            return TransferLoop.open(config, capture, connections);
        } catch (IOException e) {
            throw IoErrors.toException("The files of the transfers cannot be created", e);
        }
    }

    /**
     * Opens the receiving side, and the capture of received bytes.
     *
     * @param threads creates the receiving thread
     */
    public static ReceiveEngine openReceiver(
            EngineConfig config,
            PacketAccounting accounting,
            Consumer<String> onFailure,
            ThreadFactory threads,
            Opener opener)
            throws LagbenchException {
        long pieces = TransferPlan.announcedPieces(config);
        try {
            ReceivedBytesCapture bytes = TransferPlan.createCapture(config);
            try {
                return new ReceiveLoop(opener.open(pieces, bytes), accounting, onFailure, threads, bytes);
            } catch (LagbenchException e) {
                bytes.close();
                throw e;
            }
        } catch (IOException e) {
            throw IoErrors.toException("the capture of received bytes cannot be created", e);
        }
    }
}
