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

/**
 * The receiver's side of the control conversation: answers what the sender asks of the clock while it waits for more.
 */
final class ControlSession {
    private final ControlConnection connection;
    private final @Nullable String dataHost;
    private final ChronyClient chrony;

    /**
     * A conversation that has begun.
     *
     * @param dataHost the address that packets come to; null for that of the connection
     * @param chrony the time daemon that keeps this host's clock
     */
    ControlSession(ControlConnection connection, @Nullable String dataHost, ChronyClient chrony) {
        this.connection = connection;
        this.dataHost = dataHost;
        this.chrony = chrony;
    }

    /** The connection behind it. */
    ControlConnection connection() {
        return connection;
    }

    /** The address of this host that packets come to. */
    String dataHost() {
        return dataHost == null ? connection.localHost() : dataHost;
    }

    /** What a transport's receiver announces, and where packets go if that is elsewhere than this conversation. */
    Map<String, String> announcement(Map<String, String> ofTransport) {
        if (dataHost == null) {
            return ofTransport;
        }
        Map<String, String> both = new HashMap<>(ofTransport);
        both.put(DataPort.HOST, dataHost);
        return both;
    }

    /** Says something. */
    void say(ControlMessage message) throws IOException {
        connection.write(message);
    }

    /** Waits for the message that must come now. */
    <T extends ControlMessage> T await(Class<T> type) throws IOException {
        T message = awaitUnlessClosed(type);
        if (message == null) {
            throw new IOException("the sender has closed the control connection");
        }
        return message;
    }

    /** Waits for the message that may come now; null if the sender has closed in its stead. */
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
