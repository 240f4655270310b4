package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadDeadlineTest {
    private static final long MS_NS = 1_000_000;

    @SuppressWarnings("NullAway.Init") // JUnit calls connect() before each test
    private ControlConnection sender;

    @SuppressWarnings("NullAway.Init") // JUnit calls connect() before each test
    private ControlConnection receiver;

    @BeforeEach
    void connect() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            sender = ControlConnection.ofSender(new Socket(listening.getInetAddress(), listening.getLocalPort()));
            receiver = ControlConnection.ofReceiver(listening.accept());
        }
    }

    @AfterEach
    void close() throws Exception {
        sender.close();
        receiver.close();
    }

    /** Each message of a peer may come in time, and all of them too late. */
    @Test
    void readsNothingAfterDeadline() throws Exception {
        receiver.write(new ControlMessage.Ping(1));
        sender.readDeadlineNs(System.nanoTime() - 1);
        assertThatThrownBy(() -> sender.read(ControlMessage.Ping.class)).isInstanceOf(SocketTimeoutException.class);
        sender.readTimeoutMs(0);
        assertThat(sender.read(ControlMessage.Ping.class)).isEqualTo(new ControlMessage.Ping(1));
    }

    @Test
    void silentPeerEndsReadAtDeadline() throws Exception {
        sender.readDeadlineNs(System.nanoTime() + 20 * MS_NS);
        for (int message = 0; message < 3; message++) {
            assertThatThrownBy(() -> sender.read(ControlMessage.Ping.class)).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
