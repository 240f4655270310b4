package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketSender;

/** How many packets of a flood over TCP are kept back to be handed over at once. */
@Timeout(60)
class StreamHandoverTest {
    @TempDir
    private Path directory;

    /** Until so many are made that are not pushed, none has a record. */
    @ParameterizedTest
    @CsvSource({"SYSTEM, 24, 16", "SYSTEM, 1024, 16", "SYSTEM, 5000, 3", "SYSTEM, 20000, 1", "CHANNEL, 24, 1"})
    void manySmallPacketsAreHandedOverAtOnceAndFewLargeOnes(Calls calls, int packetBytes, int atOnce) throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        try (ServerSocketChannel listening =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SenderCapture capture = SenderCapture.create(file, atOnce + 1, false);
                PacketSender sender = runs.sender(runs.run(packetBytes, Map.of(), calls))) {
            sender.connect(Map.of("port", Integer.toString(listening.socket().getLocalPort())));
            try (SocketChannel peer = listening.accept()) {
                for (int i = 0; i < atOnce; i++) {
                    assertThat(capture.records()).isZero();
                    sender.send(i, SenderCapture.UNSCHEDULED, capture);
                }
                assertThat(capture.records()).isEqualTo(atOnce);
                assertCome(peer, atOnce * packetBytes);
                sender.send(atOnce, SenderCapture.UNSCHEDULED, capture);
                sender.flush();
                assertThat(capture.records()).isEqualTo(atOnce + 1);
                assertCome(peer, packetBytes);
            }
        }
    }

    private static void assertCome(SocketChannel peer, int bytes) throws Exception {
        assertThat(peer.socket().getInputStream().readNBytes(bytes)).hasSize(bytes);
    }
}
