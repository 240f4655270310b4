package org.lagbench.packetio.engine;

import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.failure.LagbenchException;

/**
 * An engine that this process can open. One implementation, with its {@link SendEngine} and {@link ReceiveEngine}, is
 * all a new engine needs; it is registered as {@link Engine} says.
 */
public interface PacketEngine extends Engine {
    /**
     * Opens what sends.
     *
     * @param capture gets the records
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    SendEngine openSender(EngineConfig config, SenderCapture capture) throws LagbenchException;

    /**
     * Opens what receives.
     *
     * @param capture gets the records
     * @param failed is notified, in a separate thread, if no more packets can be received: why
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    ReceiveEngine openReceiver(EngineConfig config, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException;

    /**
     * Returns an engine as one that can be opened.
     *
     * @throws IllegalArgumentException if it only describes one
     */
    static PacketEngine of(Engine engine) {
        if (engine instanceof PacketEngine opens) {
            return opens;
        }
        throw new IllegalArgumentException("the engine " + engine.name() + " cannot be opened");
    }
}
