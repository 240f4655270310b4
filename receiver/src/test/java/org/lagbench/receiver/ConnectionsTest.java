package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;

class ConnectionsTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final AtomicLong nowNs = new AtomicLong();
    private final Connections connections = new Connections(nowNs::get);
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

    /** An address that fills all places, however it behaves, only replaces its own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replacesStrangerOfAddressWithMost(boolean areIntroduced) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            ControlConnection other = connected(listening);
            connections.add(other, address(1));
            for (int i = 0; i < 3 * Connections.MAXIMUM_STRANGERS; i++) {
                ControlConnection stranger = connected(listening);
                if (areIntroduced) {
                    introduce(stranger);
                }
                close(connections.add(stranger, address(2)));
                nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            }

            assertThat(connections.open()).contains(other);
        }
    }

    /** One host has all addresses of such a network. */
    @Test
    void countsIpv6NetworkAsOneAddress() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            ControlConnection other = connected(listening);
            connections.add(other, InetAddress.getByName("2001:db8:0:1::1"));
            for (int i = 0; i < 2 * Connections.MAXIMUM_STRANGERS; i++) {
                ControlConnection stranger = connected(listening);
                introduce(stranger);
                close(connections.add(stranger, InetAddress.getByName("2001:db8:0:2::" + Integer.toHexString(i))));
            }

            assertThat(connections.open()).contains(other);
        }
    }

    /**
     * Behind a NAT, a peer has the address of the strangers. They introduced themselves, which the peer has not yet.
     */
    @Test
    void sparesNewPeerOfSameAddressForSecond() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, LOOPBACK)) {
            for (int i = 0; i < Connections.MAXIMUM_STRANGERS; i++) {
                ControlConnection stranger = connected(listening);
                introduce(stranger);
                connections.add(stranger, LOOPBACK);
            }
            ControlConnection peer = connected(listening);
            close(connections.add(peer, LOOPBACK));
            for (int i = 0; i < 10; i++) {
                nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                ControlConnection stranger = connected(listening);
                introduce(stranger);
                close(connections.add(stranger, LOOPBACK));
            }
            assertThat(connections.open()).contains(peer);

            nowNs.addAndGet(1);
            assertThat(connections.add(connected(listening), LOOPBACK)).isSameAs(peer);
            peer.close();
        }
    }

    /** Reads a message of its peer, as a handshake does. */
    private void introduce(ControlConnection stranger) throws Exception {
        Socket peer = peers.get(peers.size() - 1);
        ControlConnection sender = ControlConnection.ofSender(peer);
        sender.write(new ControlMessage.Introduction(ControlMessage.PROTOCOL, "0123456789abcdef"));
        stranger.read(ControlMessage.Introduction.class);
    }

    private static void close(@Nullable ControlConnection replaced) throws Exception {
        if (replaced != null) {
            replaced.close();
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
