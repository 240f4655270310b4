package org.lagbench.compression.chunk;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/** Sends chunks over a connection that keeps their bytes. */
class ChunkEncoderTest {
    private static final long TAG = 0x0246_8ace_1357_9bdfL;
    private static final int CHUNK_BYTES = 1 << 12;
    private static final int HEADER_BYTES = 40;
    private static final int CHUNKS = 20;
    private static final int TRANSFERS = 2;
    private static final int QUEUE_CHUNKS = 8;
    private static final int GZIP = 1;

    /** The generated data have the seed 22. */
    private static final CompressionSpec TEXT_AND_RANDOM = new CompressionSpec("gzip-6", "text+random");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final StubChooser chooser = new StubChooser();
    private final long[] stamps = new long[2];
    private final Path directory;
    private long failingSequence = Long.MAX_VALUE;
    private boolean hasState;

    ChunkEncoderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Chooses gzip, and keeps the threads that asked. */
    private static final class StubChooser implements ChunkChooser {
        private final List<Codec.Choice> codecs = Codecs.load().choices(List.of("gzip-6"));
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private boolean isWorthThread;
        private @Nullable CodecEstimate estimate;
        private double bitsPerS = UNKNOWN;

        @Override
        public List<Codec.Choice> codecs() {
            return codecs;
        }

        @Override
        public int choose(ByteBuffer chunk) {
            threads.add(Thread.currentThread());
            return 0;
        }

        @Override
        public boolean mayUseThread() {
            return isWorthThread;
        }

        @Override
        public boolean isWorthThread() {
            return isWorthThread;
        }

        /** Replaces the estimates on which the choice was based. */
        @Override
        public void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {
            estimate = null;
            bitsPerS = UNKNOWN;
        }

        @Override
        public @Nullable CodecEstimate estimate() {
            return estimate;
        }

        @Override
        public double estimatedBandwidthBitsPerS() {
            return bitsPerS;
        }
    }

    private final TransferSender connection = (TransferSender) Proxy.newProxyInstance(
            TransferSender.class.getClassLoader(),
            new Class<?>[] {TransferSender.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("sendPiece")) {
                    long[] stamps = (long[]) arguments[2];
                    int from = (int) arguments[3];
                    stamps[from] = RealtimeClock.nowNs();
                    write(((ByteBuffer) arguments[0]).position((int) arguments[1]));
                    stamps[from + 1] = RealtimeClock.nowNs();
                    return null;
                }
                if (hasState) {
                    putState((long[]) arguments[0]);
                }
                return hasState;
            });

    private void write(ByteBuffer frame) throws IOException {
        long sequence = PacketLayout.sequence(frame, 0);
        if (chooser.isWorthThread) {
            awaitFullQueue(sequence);
        }
        if (sequence == failingSequence) {
            throw new IOException("the connection is broken");
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        written.writeBytes(bytes);
    }

    /** Waits until the thread has compressed all chunks for which there is room while this one is sent. */
    private void awaitFullQueue(long sequence) {
        long inTransfer = sequence % CHUNKS;
        long compressed = sequence - inTransfer + Math.min(CHUNKS, Math.max(1, inTransfer) + QUEUE_CHUNKS);
        List<Thread> threads = chooser.threads;
        await().atMost(60, SECONDS)
                .pollInterval(1, MILLISECONDS)
                .until(() -> threads.size() >= compressed
                        && threads.get(threads.size() - 1).getState() == Thread.State.WAITING);
    }

    /** 1,700 bytes were sent once, 1,000 of them acknowledged, and 50 not yet sent. */
    private static void putState(long[] values) {
        values[SocketState.index("acked_bytes")] = 1_000;
        values[SocketState.index("sent_bytes")] = 1_900;
        values[SocketState.index("retransmitted_bytes")] = 200;
        values[SocketState.index("not_sent_bytes")] = 50;
    }

    private SideConfig config() throws Exception {
        TransferSpec transfers = new TransferSpec((long) CHUNKS * CHUNK_BYTES, TRANSFERS, false, TEXT_AND_RANDOM);
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        return ChunkSides.of(TAG, CHUNK_BYTES, transfers, 0, "127.0.0.1", file, null, Map.of());
    }

    private ChunkEncoder open() throws Exception {
        return ChunkEncoder.open(config(), TEXT_AND_RANDOM, chooser);
    }

    /** Returns the raw bytes of the chunks, in order. The header is that of {@link ChunkLayout}. */
    private byte[] received() throws IOException {
        ByteBuffer stream = ByteBuffer.wrap(written.toByteArray());
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        for (long sequence = 0; stream.hasRemaining(); sequence++) {
            int at = stream.position();
            assertThat(stream.getLong(at)).isEqualTo(TAG);
            assertThat(PacketLayout.sequence(stream, at)).isEqualTo(sequence);
            byte[] encoded = new byte[stream.getInt(at + 32)];
            stream.position(at + HEADER_BYTES).get(encoded);
            raw.writeBytes(
                    stream.get(at + 24) == GZIP
                            ? new InflaterInputStream(new ByteArrayInputStream(encoded)).readAllBytes()
                            : encoded);
        }
        return raw.toByteArray();
    }

    private static byte[] sent() {
        ByteBuffer raw = ByteBuffer.allocate(TRANSFERS * CHUNKS * CHUNK_BYTES);
        for (int transfer = 0; transfer < TRANSFERS; transfer++) {
            raw.put(DataGenerator.generate(CompressionSpec.DataKind.TEXT, CHUNKS / 2 * CHUNK_BYTES, 22));
            raw.put(DataGenerator.generate(CompressionSpec.DataKind.RANDOM, CHUNKS / 2 * CHUNK_BYTES, 22));
        }
        return raw.array();
    }

    private static void needsTwoProcessors() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    }

    /** The first chunk of each transfer is compressed by the sending thread. The tag introduces the connection. */
    @Test
    void sendsChunksOfTheThreadUnchanged() throws Exception {
        needsTwoProcessors();
        chooser.isWorthThread = true;
        try (ChunkEncoder encoder = open()) {
            written.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(TAG).array());
            encoder.begin(Long.BYTES);
            for (long sequence = 0; sequence < CHUNKS * TRANSFERS; sequence++) {
                encoder.send(sequence, connection, sequence == 0 ? Long.BYTES : 0, stamps);
            }
        }

        assertThat(received()).isEqualTo(sent());
        assertThat(chooser.threads).hasSize(CHUNKS * TRANSFERS);
        for (int chunk = 0; chunk < CHUNKS * TRANSFERS; chunk++) {
            assertThat(chooser.threads.get(chunk) == Thread.currentThread())
                    .as("chunk " + chunk)
                    .isEqualTo(chunk % CHUNKS == 0);
        }
    }

    @Test
    void endsTheThreadWhenClosed() throws Exception {
        needsTwoProcessors();
        chooser.isWorthThread = true;
        ChunkEncoder encoder = open();
        encoder.begin(0);
        encoder.send(0, connection, 0, stamps);
        encoder.send(1, connection, 0, stamps);
        awaitFullQueue(2);
        Thread thread = chooser.threads.get(1);
        assertThat(thread).isNotEqualTo(Thread.currentThread()).matches(Thread::isAlive);

        encoder.close();

        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void endsTheThreadAfterAFailedWrite() throws Exception {
        needsTwoProcessors();
        chooser.isWorthThread = true;
        failingSequence = 2;
        ChunkEncoder encoder = open();
        encoder.begin(0);
        encoder.send(0, connection, 0, stamps);
        encoder.send(1, connection, 0, stamps);
        assertThatThrownBy(() -> encoder.send(2, connection, 0, stamps)).hasMessage("the connection is broken");
        Thread thread = chooser.threads.get(1);
        assertThat(thread.isAlive()).isTrue();

        encoder.close();

        assertThat(thread.isAlive()).isFalse();
        assertThat(values(1, "seq")).containsExactly(1);
    }

    @Test
    void recordsTheBasisOfTheDecision() throws Exception {
        try (ChunkEncoder encoder = open()) {
            encoder.begin(0);
            hasState = true;
            chooser.estimate = new CodecEstimate(2.5, 3e6);
            chooser.bitsPerS = 8.4e6;
            encoder.send(0, connection, 0, stamps);
            hasState = false;
            encoder.send(1, connection, 0, stamps);
        }

        String[] fields = {
            "estimated_ratio_permille", "estimated_bytes_per_s", "estimated_bandwidth_bits_per_s", "occupancy_bytes"
        };
        assertThat(values(0, fields)).containsExactly(2_500, 3_000_000, 8_400_000, 750);
        assertThat(values(1, fields)).containsExactly(-1, -1, -1, -1);
    }

    @Test
    void recordsTheChosenCodecOfAChunkSentRaw() throws Exception {
        try (ChunkEncoder encoder = ChunkEncoder.open(config(), TEXT_AND_RANDOM)) {
            encoder.begin(0);
            for (long sequence = 0; sequence < CHUNKS; sequence++) {
                encoder.send(sequence, connection, 0, stamps);
            }
        }

        String[] fields = {"chosen_codec", "chosen_level", "codec", "level"};
        assertThat(values(0, fields)).containsExactly(GZIP, 6, GZIP, 6);
        assertThat(values(CHUNKS - 1, fields)).containsExactly(GZIP, 6, 0, 0);
        assertThat(values(CHUNKS - 1, "encoded_bytes")).containsExactly(CHUNK_BYTES);
    }

    private long[] values(long record, String... fields) throws Exception {
        long[] values = new long[fields.length];
        try (CaptureReader capture = CaptureReader.open(directory.resolve(ChunkCapture.SENDER_FILE_NAME))) {
            for (int i = 0; i < fields.length; i++) {
                values[i] = capture.value(record, capture.field(fields[i]));
            }
        }
        return values;
    }
}
