package org.lagbench.packetio.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.codec.Codec;
import org.lagbench.core.codec.CodecChoice;
import org.lagbench.core.codec.Codecs;
import org.lagbench.core.codec.DataKind;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.TransportRun;
import org.lagbench.packetio.udp.UdpTransport;

/** Checks how the framer handles streams that are invalid, damaged, or larger than their headers claim. */
@Timeout(600)
@Tag("one-java")
class ChunkFramerTest {
    private static final long TAG = 0x0246_8ace_1357_9bdfL;
    private static final int CHUNK_BYTES = 1 << 12;
    private static final int CHUNKS = 8;

    /** {@code -Dlagbench.fuzz.inputs=10000000} takes about half an hour. */
    private static final int INPUTS = Integer.getInteger("lagbench.fuzz.inputs", 20_000);

    private static final long SEED = Long.getLong("lagbench.fuzz.seed", 1);

    private static final Codecs CODECS = Codecs.load();
    private static final List<CodecChoice> CHOICES =
            CODECS.choices(List.of("none", "gzip-6", "zstd-3", "lz4", "snappy"));

    private TransportRun run;
    private Path chunks;
    private ChunkFramer framer;
    private ReceivedBytesCapture bytes;
    private ReceiverCapture received;
    private PacketAccounting accounting;
    private ByteBuffer buffer;

    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        run = new TransportRun(TAG, CHUNK_BYTES, "127.0.0.1", Settings.of(List.of(), Map.of()));
        bytes = ReceivedBytesCapture.create(directory.resolve(ReceivedBytesCapture.FILE_NAME), CHUNKS, CHUNK_BYTES);
        received = ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), CHUNKS, false);
        accounting = new PacketAccounting(TAG, CHUNKS, 0, 0, received);
        chunks = directory.resolve(ChunkCapture.RECEIVER_FILE_NAME);
        framer = new ChunkFramer(run, CHUNKS, bytes, ChunkCapture.ofReceiver(chunks, CHUNKS));
        buffer = ByteBuffer.allocateDirect(framer.bufferBytes());
    }

    @AfterEach
    void close() throws Exception {
        framer.close();
        bytes.close();
        received.close();
    }

    private static byte[] frame(long sequence, CodecChoice choice, byte[] encoded, byte[] raw) {
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

    private static byte[] frame(long sequence, CodecChoice choice) throws Exception {
        ByteBuffer raw = DataGenerator.generate(DataKind.TEXT, CHUNK_BYTES, sequence);
        ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(CHUNK_BYTES));
        int size;
        try (Codec.Encoder encoder = choice.codec().openEncoder(choice.level())) {
            size = encoder.encode(raw, to);
        }
        byte[] encoded = new byte[size];
        to.get(0, encoded);
        byte[] plain = new byte[CHUNK_BYTES];
        raw.clear().get(plain);
        return frame(sequence, choice, encoded, plain);
    }

    private boolean feed(byte[] stream, int callBytes) throws Exception {
        boolean isComplete = false;
        buffer.clear();
        framer.begin(buffer);
        for (int at = 0; at < stream.length; ) {
            int count = Math.min(Math.min(callBytes, buffer.remaining()), stream.length - at);
            assertThat(count)
                    .as("room in the buffer at byte %d of %d", at, stream.length)
                    .isPositive();
            buffer.put(stream, at, count);
            at += count;
            isComplete |= framer.frame(buffer, count, accounting, at);
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
    void closesCaptureIfTransportCarriesNoChunks() throws Exception {
        long bytesWhileOpen = Files.size(chunks);
        assertThatThrownBy(() -> ChunkReceiver.open(new UdpTransport(), framer, run))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(Files.size(chunks)).isLessThan(bytesWhileOpen);
    }

    @Test
    void refusesHeadersThatNoSenderWrites() throws Exception {
        CodecChoice none = CHOICES.get(0);
        for (int[] damage :
                new int[][] {{0, 1}, {24, 9}, {24, -1}, {25, 1}, {27, 1}, {28, 0x7f}, {31, 1}, {32, 0x7f}}) {
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
        for (CodecChoice choice : CHOICES) {
            byte[] stream = frame(0, choice);
            stream[stream.length - 9] ^= 4;
            assertThatThrownBy(() -> feed(stream, stream.length))
                    .as(choice.name())
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("the next is damaged");
        }
    }

    /** A chunk that decodes to 1 MiB of zeros, more than its header claims. */
    @Test
    void refusesABombWithoutDecodingAllOfIt() throws Exception {
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(gzip, new Deflater(9))) {
            deflated.write(new byte[1 << 20]);
        }
        checkBomb("gzip-9", gzip.toByteArray());
        for (String name : List.of("zstd-19", "lz4")) {
            CodecChoice choice = CODECS.choice(name).orElseThrow();
            ByteBuffer to = ByteBuffer.allocateDirect(choice.codec().maximumBytes(1 << 20));
            try (Codec.Encoder encoder = choice.codec().openEncoder(choice.level())) {
                byte[] bomb = new byte[encoder.encode(ByteBuffer.allocateDirect(1 << 20), to)];
                to.get(0, bomb);
                if (bomb.length <= CHUNK_BYTES) {
                    checkBomb(name, bomb);
                }
            }
        }
    }

    private void checkBomb(String codec, byte[] bomb) {
        byte[] stream = frame(0, CODECS.choice(codec).orElseThrow(), bomb, new byte[CHUNK_BYTES]);
        assertThatThrownBy(() -> feed(stream, stream.length))
                .as(codec)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("the next is damaged");
    }

    @Test
    void survivesAnyBytesWithTheSameMemory() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[][] frames = new byte[CHOICES.size()][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = frame(i, CHOICES.get(i));
            feed(frames[i], frames[i].length); // opens the codec's decoder
        }
        long refused = 0;
        long before = directBytes();
        for (int input = 0; input < INPUTS; input++) {
            byte[] stream = frames[random.nextInt(frames.length)].clone();
            int first = random.nextInt(3) == 0 ? 0 : ChunkLayout.HEADER_BYTES;
            for (int damages = 1 + random.nextInt(8); damages > 0; damages--) {
                stream[first + random.nextInt(stream.length - first)] = (byte) random.nextInt();
            }
            try {
                feed(stream, 1 + random.nextInt(stream.length));
            } catch (ProtocolException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(INPUTS / 2);
        assertThat(directBytes()).as("bytes of direct buffers").isLessThanOrEqualTo(before);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }
}
