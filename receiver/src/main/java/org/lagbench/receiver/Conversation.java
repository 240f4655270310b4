package org.lagbench.receiver;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockStates;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.time.RealtimeClock;

/** The receiver's side of the control conversation: answers what the sender asks of the clock while it waits for more. */
final class Conversation {
    private final ControlConnection connection;
    private final ChronyClient chrony;

    Conversation(ControlConnection connection, ChronyClient chrony) {
        this.connection = connection;
        this.chrony = chrony;
    }

    /** The connection behind it. */
    ControlConnection connection() {
        return connection;
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
