package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.CompressionSpec.DataKind;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;

/** Checks how the framer handles streams that are invalid, damaged, or larger than their headers claim. */
@Timeout(600)
@Tag("one-java")
class ChunkFramerTest {
    private static final long TAG = 0x0246_8ace_1357_9bdfL;
    private static final int CHUNK_BYTES = 1 << 12;
    private static final int CHUNKS = 8;

    /** {@code -Dlagbench.fuzz.inputs=200000} takes about four minutes: an input takes less time than elsewhere. */
    private static final int INPUTS = 50 * Integer.getInteger("lagbench.fuzz.inputs", 400);

    /** Inputs before the first measurement of the memory, so that the JVM has compiled the code. */
    private static final int WARM_UP_INPUTS = 5_000;

    private static final int FRAMES_OF_INPUT = 4;
    private static final long MAXIMUM_HEAP_GROWTH = 1 << 18;

    /** A new thread of the JVM may reserve 64 MiB for malloc. A decoder has tens of KiB. */
    private static final long MAXIMUM_PROCESS_GROWTH = 1 << 28;

    private static final int BOMB_BYTES = 1 << 16;
    private static final long CLAIMED_BYTES = 1 << 30;

    private static final long SEED = Long.getLong("lagbench.fuzz.seed", 1);

    private static final Codecs CODECS = Codecs.load();
    private static final List<Codec.Choice> CHOICES =
            CODECS.choices(List.of("none", "gzip-6", "zstd-3", "lz4", "snappy"));

    private Path chunks;
    private ChunkFramer framer;
    private ReceiverCapture bytes;
    private ReceiverCapture received;
    private PacketAccounting accounting;
    private ByteBuffer buffer;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        bytes = ReceiverCapture.ofBytes(directory.resolve(ReceiverCapture.BYTES_FILE_NAME), CHUNKS, CHUNK_BYTES);
        received = ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), CHUNKS, false);
        accounting = new PacketAccounting(TAG, new Phases(0, CHUNKS, 0), received);
        chunks = directory.resolve(ChunkCapture.RECEIVER_FILE_NAME);
        framer = new ChunkFramer(CHUNK_BYTES, CHUNKS, bytes, ChunkCapture.ofReceiver(chunks, CHUNKS));
        buffer = framer.buffer();
    }

    @AfterEach
    void close() throws Exception {
        framer.close();
        bytes.close();
        received.close();
    }

    private static byte[] frame(long sequence, Codec.Choice choice, byte[] encoded, byte[] raw) {
        CRC32C checksum = new CRC32C();
        checksum.update(raw);
        ByteBuffer frame = ByteBuffer.allocate(ChunkLayout.HEADER_BYTES + encoded.length);
        PacketLayout.putIdentity(frame, 0, TAG, sequence);
        PacketLayout.putSentNs(frame, 0, 1);
        ChunkLayout.put(
                frame, 0, choice.codec().id(), choice.level(), CHUNK_BYTES, encoded.length, (int) checksum.getValue());
        frame.position(ChunkLayout.HEADER_BYTES);
        frame.put(encoded);
        return frame.array();
    }

    private static byte[] frame(long sequence, Codec.Choice choice) throws Exception {
        ByteBuffer raw = DataGenerator.generate(DataKind.TEXT, CHUNK_BYTES, sequence);
        byte[] encoded = encode(choice, raw);
        byte[] plain = new byte[CHUNK_BYTES];
        raw.clear().get(plain);
        return frame(sequence, choice, encoded, plain);
    }

    private static byte[] encode(Codec.Choice choice, ByteBuffer raw) throws IOException {
        ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(raw.remaining()));
        try (Codec.Encoder encoder = choice.codec().openEncoder(choice.level())) {
            byte[] encoded = new byte[encoder.encode(raw, to)];
            to.get(0, encoded);
            return encoded;
        }
    }

    private boolean feed(byte[] stream, int callBytes) throws Exception {
        boolean isComplete = false;
        buffer.clear();
        framer.begin();
        for (int at = 0; at < stream.length; ) {
            int count = Math.min(Math.min(callBytes, buffer.remaining()), stream.length - at);
            assertThat(count)
                    .as("room in the buffer at byte %d of %d", at, stream.length)
                    .isPositive();
            buffer.put(stream, at, count);
            at += count;
            framer.frame(accounting, at);
            isComplete |= framer.hasCompletedTransfer();
        }
        return isComplete;
    }

    @Test
    void framesChunksSplitAcrossCalls() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = 0; i < CHUNKS; i++) {
            stream.write(frame(i, CHOICES.get(i % CHOICES.size())));
        }
        assertThat(feed(stream.toByteArray(), 7)).isTrue();
        assertThat(accounting.counts().distinct()).isEqualTo(CHUNKS);
    }

    /** Closing truncates the file. */
    @Test
    void closesCaptureIfReceiverCannotBeOpened() throws Exception {
        PacketTransport tcp = PacketTransport.of(Transports.load().named("tcp"));
        SideConfig elsewhere = ChunkSides.of(
                TAG,
                CHUNK_BYTES,
                new TransferSpec((long) CHUNKS * CHUNK_BYTES, 1, false),
                0,
                "192.0.2.1",
                chunks,
                null,
                Map.of());
        long bytesWhileOpen = Files.size(chunks);
        assertThatThrownBy(() -> tcp.openChunkReceiver(elsewhere, framer)).isInstanceOf(LagbenchException.class);
        assertThat(Files.size(chunks)).isLessThan(bytesWhileOpen);
    }

    @Test
    void refusesInvalidHeaders() throws Exception {
        Codec.Choice none = CHOICES.get(0);
        for (int[] damage :
                new int[][] {{0, 1}, {24, 9}, {24, -1}, {25, 1}, {27, 1}, {28, 0x7f}, {31, 1}, {32, 0x7f}, {35, 1}}) {
            byte[] stream = frame(0, none);
            stream[damage[0]] = (byte) damage[1];
            assertThatThrownBy(() -> feed(stream, stream.length))
                    .as("byte %d is %d", damage[0], damage[1])
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageStartingWith("The stream from the sender is corrupt: after 0 chunks");
        }
    }

    @Test
    void refusesADamagedChunk() throws Exception {
        for (Codec.Choice choice : CHOICES) {
            byte[] stream = frame(0, choice);
            stream[stream.length - 9] ^= 4;
            assertThatThrownBy(() -> feed(stream, stream.length))
                    .as(choice.name())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the next is damaged");
        }
    }

    @Test
    void refusesBombsWithoutAllocatingTheirSize() throws Exception {
        for (Codec.Choice choice : CHOICES) {
            feed(frame(0, choice), CHUNK_BYTES); // opens the codec's decoder
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocatedBytes = threads.getCurrentThreadAllocatedBytes();
        long peakBytes = statusBytes("VmPeak");

        checkRefused("gzip-9", zeros("gzip-9"), "gzip does not decode it: the chunk does not end");
        checkRefused("zstd-19", zeros("zstd-19"), "zstd does not decode it: zstd: the frame does not fit");
        checkRefused("lz4", zeros("lz4"), "lz4 does not decode it: lz4: ");
        checkRefused("snappy", zeros("snappy"), "snappy does not decode it: snappy: 65536 bytes do not fit into 4096");
        checkRefused("zstd-3", zeros("gzip-9"), "zstd does not decode it: zstd: ");
        // RFC 8878: a frame of 1 GiB whose first block repeats a zero.
        checkRefused("zstd-3", hex("28b52ffd a0 00000040 030010 00"), "zstd: the frame does not fit into 4096");
        // The block of Snappy begins with its decoded size in base 128.
        checkRefused("snappy", hex("8080808004 0061"), "snappy does not decode it: ");

        assertThat(threads.getCurrentThreadAllocatedBytes() - allocatedBytes)
                .as("bytes allocated in the heap")
                .isLessThan(CLAIMED_BYTES / 2);
        assertThat(statusBytes("VmPeak") - peakBytes)
                .as("growth of the process")
                .isLessThan(CLAIMED_BYTES / 2);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static byte[] zeros(String codec) throws IOException {
        return encode(CODECS.choice(codec).orElseThrow(), ByteBuffer.allocateDirect(BOMB_BYTES));
    }

    private void checkRefused(String codec, byte[] encoded, String error) {
        assertThat(encoded.length).as(codec).isLessThanOrEqualTo(CHUNK_BYTES);
        byte[] stream = frame(0, CODECS.choice(codec).orElseThrow(), encoded, new byte[CHUNK_BYTES]);
        assertThatThrownBy(() -> feed(stream, stream.length))
                .as(codec)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the next is damaged: ")
                .hasMessageContaining(error);
    }

    @Test
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void survivesAnyBytesWithTheSameMemory() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[][] frames = new byte[CHOICES.size()][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = frame(i, CHOICES.get(i));
        }
        fuzz(frames, random, WARM_UP_INPUTS);
        long heapBytes = heapBytes();
        long processBytes = statusBytes("VmSize");
        assertThat(fuzz(frames, random, INPUTS)).as("refused inputs").isGreaterThan(INPUTS / 2);
        assertThat(heapBytes() - heapBytes).as("growth of the heap").isLessThan(MAXIMUM_HEAP_GROWTH);
        assertThat(statusBytes("VmSize") - processBytes)
                .as("growth of the process, whose heap is reserved from the start")
                .isLessThan(MAXIMUM_PROCESS_GROWTH);
    }

    /** Returns how many of the inputs were refused. */
    private int fuzz(byte[][] frames, SplittableRandom random, int inputs) throws Exception {
        int refused = 0;
        for (int input = 0; input < inputs; input++) {
            byte[] stream = damagedStream(frames, random);
            try {
                feed(stream, 1 + random.nextInt(stream.length));
            } catch (ProtocolException e) {
                refused++;
            }
        }
        return refused;
    }

    private static byte[] damagedStream(byte[][] frames, SplittableRandom random) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (int count = 1 + random.nextInt(FRAMES_OF_INPUT); count > 0; count--) {
            joined.writeBytes(frames[random.nextInt(frames.length)]);
        }
        byte[] stream = joined.toByteArray();
        int first = random.nextInt(3) == 0 ? 0 : ChunkLayout.HEADER_BYTES;
        for (int damages = 1 + random.nextInt(8); damages > 0; damages--) {
            stream[first + random.nextInt(stream.length - first)] = (byte) random.nextInt();
        }
        return stream;
    }

    /** Collects garbage twice, because cleaners run after the first collection. Returns the heap in use just after. */
    private static long heapBytes() throws InterruptedException {
        System.gc();
        Thread.sleep(200);
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    private static long statusBytes(String field) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(candidate -> candidate.startsWith(field + ":"))
                .findFirst()
                .orElseThrow();
        return 1_024 * Long.parseLong(line.replaceAll("\\D", ""));
    }
}
