package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

class BurstTest {
    @TempDir
    private Path directory;

    @Test
    void pushesPacketsThatAreDueTogether() throws Exception {
        assertThat(calls(new Pace(Pace.Mode.SPIN, 100_000, 3), 7))
                .containsExactly("push", "0", "1", "2", "push", "3", "4", "5", "push", "6", "push", "flush");
    }

    @Test
    void pushesEachPacedPacket() throws Exception {
        assertThat(calls(new Pace(Pace.Mode.SPIN, 100_000), 2))
                .containsExactly("push", "0", "push", "1", "push", "push", "flush");
    }

    @Test
    void pushesAFloodOnlyAtItsEnd() throws Exception {
        assertThat(calls(Pace.flood(), 3)).containsExactly("push", "0", "1", "2", "push", "flush");
    }

    private List<String> calls(Pace pace, int packets) throws Exception {
        Recorder recorder = new Recorder();
        SideConfig run =
                new SideBuilder("udp", 1, 24, Map.of()).phases(0, packets, 0).build();
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), packets, false);
                SendLoop loop = new SendLoop(recorder, run, capture)) {
            loop.send(0, packets, pace);
        }
        return recorder.calls;
    }

    /** A transport that sends nothing. */
    private static final class Recorder implements PacketSender {
        private final List<String> calls = new ArrayList<>();

        @Override
        public Map<String, String> announce() {
            return Map.of();
        }

        @Override
        public void connect(Map<String, String> receiverAnnounced) {}

        @Override
        public void send(long sequence, long scheduledNs, SenderCapture capture) {
            calls.add(Long.toString(sequence));
        }

        @Override
        public void push() {
            calls.add("push");
        }

        @Override
        public void flush() {
            calls.add("flush");
        }

        @Override
        public Map<String, Object> metadata() {
            return Map.of();
        }

        @Override
        public void close() {}
    }
}
