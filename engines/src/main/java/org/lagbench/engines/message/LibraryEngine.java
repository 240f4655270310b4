package org.lagbench.engines.message;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/** An engine whose interface needs {@link Libraries}. */
public abstract class LibraryEngine extends InterfaceEngine {
    private final Libraries libraries;

    /**
     * Describes an engine.
     *
     * @param transportSettings names of the settings of transports that the interface supports
     * @param implementation the simple name of the {@link Sides} in the engine's package
     */
    protected LibraryEngine(String name, int tableOrder, Set<String> transportSettings, String implementation) {
        this(name, tableOrder, transportSettings, implementation, name);
    }

    /**
     * Describes an engine that shares its libraries with another one.
     *
     * @param directory the name of the directory of the libraries
     */
    protected LibraryEngine(
            String name, int tableOrder, Set<String> transportSettings, String implementation, String directory) {
        super(name, tableOrder, transportSettings);
        this.libraries = new Libraries(getClass(), name, directory, implementation);
    }

    @Override
    public final @Nullable LagbenchException unavailableReason(Transport transport) {
        try {
            libraries.load();
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    @Override
    public final void checkMachine(Transport transport, Settings settings) throws LagbenchException {
        libraries.load().checkMachine(settings);
    }

    @Override
    protected final PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException {
        return libraries.load().openSender(transport, run);
    }

    @Override
    protected final PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        return libraries.load().openReceiver(transport, run);
    }

    @Override
    protected final TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces)
            throws LagbenchException {
        return libraries.load().openTransferSender(transport, run, introduces);
    }

    @Override
    protected final PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        return libraries.load().openTransferReceiver(transport, run, pieces, bytes);
    }
}
