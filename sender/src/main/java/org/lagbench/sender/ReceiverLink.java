package org.lagbench.sender;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.Refusal;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;

/** How a sender gets its control connection to the receiver. */
interface ReceiverLink {
    /**
     * Opens the connection and performs the handshake. Called once.
     *
     * @throws LagbenchException if there is no receiver, or it does not have the key
     */
    ControlConnection open() throws LagbenchException;

    /**
     * Returns whether the receiver has requested this sender. Then it keeps the files of both sides, and the packets go
     * only to its address on the control connection.
     */
    boolean isRequested();

    /** Returns whether the run is a probe: nothing is printed, and the receiver deletes its files. */
    default boolean isProbe() {
        return false;
    }

    /** Closes the connection of an interrupted run; a receiver that requested the sender gets the reason. */
    default void interrupt(ControlConnection connection) {
        ReceiverConnection.interrupt(
                connection,
                isRequested() ? new ControlMessage.Refused(Refusal.INTERRUPTED, "The sender was interrupted") : null);
    }

    /**
     * Closes the connection of a failed run if the receiver requested the sender. The receiver, which may have caused
     * the failure, gets the reason.
     */
    default void refuse(ControlConnection connection, LagbenchException failure) {
        if (!isRequested()) {
            return;
        }
        try {
            connection.refuseAndClose(
                    new ControlMessage.Refused(Refusal.of(failure.exitCode()), "On the sender: " + failure.sentence()));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** A link that connects to a receiver, and introduces a probe as such. */
    record Connecting(Endpoint receiver, @Nullable SharedKey key, boolean isProbe) implements ReceiverLink {
        @Override
        public ControlConnection open() throws LagbenchException {
            ControlConnection connection = ReceiverConnection.open(receiver, key);
            try {
                if (isProbe) {
                    connection.write(new ControlMessage.Probe());
                }
            } catch (IOException e) {
                throw ExitCode.PEER.failure(
                        "The receiver at " + receiver + " has closed the connection: " + IoErrors.reason(e) + ".", e);
            }
            return connection;
        }

        @Override
        public boolean isRequested() {
            return false;
        }
    }
}
