package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lagbench.control.ControlConnection;

class ConnectionsTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final Connections connections = new Connections();
    private final List<Socket> peers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Socket peer : peers) {
            peer.close();
        }
        for (ControlConnection connection : connections.open()) {
            connection.close();
        }
    }

    @Test
    void replacesOldestStrangerOfAddress() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            ControlConnection oldest = connected(listening);
            assertThat(connections.add(oldest, LOOPBACK)).isNull();
            for (int i = 1; i < Connections.MAXIMUM_STRANGERS; i++) {
                assertThat(connections.add(connected(listening), LOOPBACK)).isNull();
            }

            try (ControlConnection gone = connections.add(connected(listening), LOOPBACK)) {
                assertThat(gone).isSameAs(oldest);
            }
            assertThat(connections.open())
                    .hasSize(Connections.MAXIMUM_STRANGERS)
                    .doesNotContain(oldest);
        }
    }

    @Test
    void replacesOldestStrangerOfAll() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            ControlConnection oldest = connected(listening);
            assertThat(connections.add(oldest, address(0))).isNull();
            for (int i = 1; i < Connections.MAXIMUM_STRANGERS; i++) {
                assertThat(connections.add(connected(listening), address(i))).isNull();
            }

            try (ControlConnection gone =
                    connections.add(connected(listening), address(Connections.MAXIMUM_STRANGERS))) {
                assertThat(gone).isSameAs(oldest);
            }
        }
    }

    private ControlConnection connected(ServerSocket listening) throws Exception {
        peers.add(new Socket(LOOPBACK, listening.getLocalPort()));
        return ControlConnection.ofReceiver(listening.accept());
    }

    private static InetAddress address(int host) throws Exception {
        return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) host});
    }
}
