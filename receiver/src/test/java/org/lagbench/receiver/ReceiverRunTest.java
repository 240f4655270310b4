package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;

/** Checks what an offer requests from the receiving engine. */
class ReceiverRunTest {
    @TempDir
    Path directory;

    @Test
    void announcesFloodToTransport() throws Exception {
        assertThat(expectedFloods(true)).containsExactly(true);
    }

    @Test
    void announcesNoFloodForPacedRun() throws Exception {
        assertThat(expectedFloods(false)).containsExactly(false);
    }

    private List<Boolean> expectedFloods(boolean flood) throws Exception {
        FakeTransport transport = new FakeTransport();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ControlConnection connection =
                        ControlConnection.ofSender(new Socket(listening.getInetAddress(), listening.getLocalPort()))) {
            ControlSession conversation = new ControlSession(
                    connection,
                    LocalEnd.ANY,
                    new ChronyClient(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT)));
            ReceiverRun.open(conversation, offer(flood), new Transports(List.of(transport)), Engines.load(), directory)
                    .close();
        }
        return transport.floods;
    }

    private static ControlMessage.Offer offer(boolean flood) {
        return ReceiverUnderTest.offer(
                new Point(
                        FakeTransport.NAME,
                        24,
                        1_000,
                        50,
                        flood ? Pace.flood() : new Pace(Pace.Mode.SPIN, 1_000),
                        TrafficSpec.ONE_WAY,
                        new Settings(Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.DEFAULT),
                "run");
    }

    /** A transport whose receiver records its configuration. */
    private static final class FakeTransport implements PacketTransport {
        static final String NAME = "fake";

        final List<Boolean> floods = new ArrayList<>();

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public String title() {
            return NAME;
        }

        @Override
        public Wire wire() {
            return Wire.ETHERNET;
        }

        @Override
        public List<Parameter<?>> settings() {
            return List.of();
        }

        @Override
        public int maximumPacketBytes(Settings settings) {
            return 24;
        }

        @Override
        public PacketSender openSender(SideConfig run) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PacketReceiver openReceiver(SideConfig run) {
            floods.add(run.isFlood());
            return new PacketReceiver() {
                @Override
                public Map<String, String> announce() {
                    return Map.of();
                }

                @Override
                public int receive(PacketAccounting arrivals) {
                    return END;
                }

                @Override
                public Map<String, Object> metadata() {
                    return Map.of();
                }

                @Override
                public void close() {}
            };
        }
    }
}
