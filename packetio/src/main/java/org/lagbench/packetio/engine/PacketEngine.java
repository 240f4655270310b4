package org.lagbench.packetio.engine;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Engine;
import org.lagbench.packetio.transport.SideConfig;

/**
 * An engine that this process can open. A new engine implements this interface with a {@link SendEngine} and a
 * {@link ReceiveEngine}; {@link Engine} describes how to register it.
 */
public interface PacketEngine extends Engine {
    /**
     * Opens the sending side.
     *
     * @param capture receives the records
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException;

    /**
     * Opens the receiving side.
     *
     * @param capture receives the records
     * @param onFailure called in another thread with the reason if no more packets can be received
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    ReceiveEngine openReceiver(SideConfig config, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException;

    /**
     * Returns the engine as a PacketEngine.
     *
     * @throws IllegalArgumentException if it is only a description
     */
    static PacketEngine of(Engine engine) {
        if (engine instanceof PacketEngine packetEngine) {
            return packetEngine;
        }
        throw new IllegalArgumentException("the engine " + engine.name() + " cannot be opened");
    }
}
