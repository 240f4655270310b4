package org.lagbench.receiver;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockStates;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.socket.DataPort;

/** The receiver's side of a control connection. While it waits, it answers the sender's clock requests. */
final class ControlSession {
    private final ControlConnection connection;
    private final @Nullable String dataHost;
    private final ChronyClient chrony;

    /**
     * Creates a session on an open connection.
     *
     * @param dataHost this host's address for packets; null if it is that of the connection
     * @param chrony the daemon that synchronizes this host's clock
     */
    ControlSession(ControlConnection connection, @Nullable String dataHost, ChronyClient chrony) {
        this.connection = connection;
        this.dataHost = dataHost;
        this.chrony = chrony;
    }

    ControlConnection connection() {
        return connection;
    }

    /** Returns this host's address for packets. */
    String dataHost() {
        return dataHost == null ? connection.localHost() : dataHost;
    }

    /** Returns a transport's announcement with the address for packets, if it is not that of the connection. */
    Map<String, String> announcement(Map<String, String> ofTransport) {
        if (dataHost == null) {
            return ofTransport;
        }
        Map<String, String> both = new HashMap<>(ofTransport);
        both.put(DataPort.HOST, dataHost);
        return both;
    }

    void write(ControlMessage message) throws IOException {
        connection.write(message);
    }

    /** Reads the next message, which must be of a type. */
    <T extends ControlMessage> T await(Class<T> type) throws IOException {
        T message = awaitUnlessClosed(type);
        if (message == null) {
            throw new IOException("the sender has closed the control connection");
        }
        return message;
    }

    /** Reads the next message, which must be of a type; returns null if the sender has closed the connection. */
    <T extends ControlMessage> @Nullable T awaitUnlessClosed(Class<T> type) throws IOException {
        while (true) {
            ControlMessage message = connection.readUnlessClosed();
            if (message == null) {
                return null;
            } else if (message instanceof ControlMessage.Ping ping) {
                long receivedNs = connection.lastReadNs();
                connection.write(new ControlMessage.Pong(ping.sentNs(), receivedNs, RealtimeClock.nowNs()));
            } else if (message instanceof ControlMessage.AskClock) {
                connection.write(new ControlMessage.ClockIs(ClockStates.ask(chrony)));
            } else {
                return ControlConnection.expect(message, type);
            }
        }
    }
}
