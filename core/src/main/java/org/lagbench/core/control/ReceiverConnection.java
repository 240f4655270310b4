package org.lagbench.core.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Connects to receivers. */
public final class ReceiverConnection {
    /** A receiver's default address. */
    public static final Endpoint DEFAULT_RECEIVER = new Endpoint("127.0.0.1", 5394);

    private static final int TIMEOUT_MS = 10_000;

    private ReceiverConnection() {}

    /**
     * Connects to a receiver and performs the handshake.
     *
     * @throws LagbenchException if no receiver answers, or it refuses
     */
    public static ControlConnection open(Endpoint receiver, @Nullable SharedKey key) throws LagbenchException {
        InetSocketAddress address = receiver.resolve();
        try {
            Socket socket = new Socket();
            try {
                socket.connect(address, TIMEOUT_MS);
                ControlConnection connection = ControlConnection.ofSender(socket);
                connection.readTimeoutMs(TIMEOUT_MS);
                Handshake.introduce(connection, key);
                connection.readTimeoutMs(0);
                return connection;
            } catch (IOException | LagbenchException e) {
                socket.close();
                throw e;
            }
        } catch (ControlConnection.RefusedException e) {
            throw e.asFailure();
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.PEER,
                    "No receiver answers at " + receiver + " (" + e.getMessage()
                            + "); start one there with scripts/receiver.",
                    e);
        }
    }
}
