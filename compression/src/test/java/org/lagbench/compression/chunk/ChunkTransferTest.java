package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.SideConfig;

/** Compressed transfers over loopback. */
@Tag("one-java")
class ChunkTransferTest {
    private static final long TAG = 0x0246_8ace_1357_9bdfL;
    private static final int CHUNK_BYTES = 1 << 14;
    private static final int CHUNKS = 20;
    private static final int TRANSFERS = 2;
    private static final int WARM_UP = 60;
    private static final long PACKETS = (long) CHUNKS * TRANSFERS;

    /** A chunk of text that {@link ModelChooser} always compresses: one chunk in 64, counted from the warm-up. */
    private static final int REFRESHED = 64 - WARM_UP;

    private static final Codecs CODECS = Codecs.load();

    private final Path sending;
    private final Path receiving;
    private final AtomicReference<String> failure = new AtomicReference<>();

    ChunkTransferTest(@TempDir Path sending, @TempDir Path receiving) {
        this.sending = sending;
        this.receiving = receiving;
    }

    @ParameterizedTest
    @CsvSource({
        "java, none",
        "java, gzip-6",
        "java, zstd-3",
        "java, lz4",
        "java, snappy",
        "java, paper",
        "java, overlap",
        "java, adoc",
        "java, adaptive",
        "java-nio, zstd-3",
        "java-nio, adaptive"
    })
    void deliversEveryChunkUnchanged(String engine, String codec) throws Exception {
        transfer(engine, new CompressionSpec(codec, "text+random"), checksumOfGeneratedData());
        checkChunks(codec);
    }

    @Test
    void deliversTheBytesOfAFile(@TempDir Path directory) throws Exception {
        byte[] bytes = new byte[CHUNKS * CHUNK_BYTES + 1];
        new SplittableRandom(1).nextBytes(bytes);
        Path file = Files.write(directory.resolve("data"), bytes);
        CRC32C checksum = new CRC32C();
        for (int i = 0; i < TRANSFERS; i++) {
            checksum.update(bytes, 0, CHUNKS * CHUNK_BYTES);
        }
        transfer("java", new CompressionSpec("zstd-3", file.toString()), checksum.getValue());
    }

    private void transfer(String engineName, CompressionSpec compression, long checksum) throws Exception {
        Path sent = sending.resolve(SenderCapture.FILE_NAME);
        Path received = receiving.resolve(ReceiverCapture.FILE_NAME);
        PacketEngine engine = PacketEngine.of(Engines.load().named(engineName));
        try (SenderCapture sentCapture = SenderCapture.create(sent, PACKETS, false);
                ReceiverCapture receivedCapture = ReceiverCapture.create(received, PACKETS, false);
                ReceiverCapture bytes = ReceiverCapture.ofBytes(
                        receiving.resolve(ReceiverCapture.BYTES_FILE_NAME), PACKETS, CHUNK_BYTES);
                SendEngine sender = engine.openSender(config(compression, sent, null, Map.of()), sentCapture);
                ReceiveEngine receiver = engine.openReceiver(
                        config(compression, received, bytes, sender.announce()), receivedCapture, failure::set)) {
            receiver.start();
            sender.connect(receiver.announce());
            sender.send(-WARM_UP, 0, Pace.flood());
            sender.send(0, PACKETS, Pace.flood());
            receiver.drain(1_000);
            assertThat(failure).hasNullValue();
            assertThat(receiver.counts().distinct()).isEqualTo(PACKETS);
            assertThat(receiver.counts().warmUpReceived()).isEqualTo(WARM_UP);
            assertThat(receiver.counts().foreign()).isZero();
            String expected = Long.toHexString(checksum);
            assertThat(sender.metadata()).containsEntry("chunksCrc32c", expected);
            assertThat(receiver.metadata()).containsEntry("chunksCrc32c", expected);
        }
    }

    /** Computes the checksum from the generated data, not from what was sent. */
    private static long checksumOfGeneratedData() {
        CRC32C checksum = new CRC32C();
        int half = CHUNKS / 2 * CHUNK_BYTES;
        for (int i = 0; i < TRANSFERS; i++) {
            checksum.update(DataGenerator.generate(CompressionSpec.DataKind.TEXT, half, 22));
            checksum.update(DataGenerator.generate(CompressionSpec.DataKind.RANDOM, half, 22));
        }
        return checksum.getValue();
    }

    private void checkChunks(String codec) throws LagbenchException {
        try (CaptureReader sent = CaptureReader.open(sending.resolve(ChunkCapture.SENDER_FILE_NAME));
                CaptureReader received = CaptureReader.open(receiving.resolve(ChunkCapture.RECEIVER_FILE_NAME))) {
            assertThat(sent.records()).isEqualTo(PACKETS);
            assertThat(received.records()).isEqualTo(PACKETS);
            for (long chunk = 0; chunk < PACKETS; chunk++) {
                assertThat(value(sent, chunk, "seq")).isEqualTo(chunk);
                assertThat(value(received, chunk, "seq")).isEqualTo(chunk);
                checkCodec(sent, chunk, codec);
                assertThat(value(sent, chunk, "compress_end_ns"))
                        .isBetween(value(sent, chunk, "compress_begin_ns"), value(sent, chunk, "send_begin_ns"));
                long nextNs = chunk + 1 < PACKETS ? value(sent, chunk + 1, "send_begin_ns") : Long.MAX_VALUE;
                assertThat(value(sent, chunk, "send_end_ns")).isBetween(value(sent, chunk, "send_begin_ns"), nextNs);
                assertThat(value(received, chunk, "received_ns")).isGreaterThan(value(sent, chunk, "send_begin_ns"));
                assertThat(value(received, chunk, "decompress_begin_ns"))
                        .isBetween(value(received, chunk, "received_ns"), value(received, chunk, "decompress_end_ns"));
                assertThat(value(sent, chunk, "occupancy_bytes")).isNotNegative();
            }
        }
    }

    private static void checkCodec(CaptureReader sent, long chunk, String codec) throws LagbenchException {
        long id = value(sent, chunk, "codec");
        long level = value(sent, chunk, "level");
        String used = CODECS.choices()
                .filter(choice -> choice.codec().id() == id && choice.level() == level)
                .map(Codec.Choice::name)
                .findFirst()
                .orElseThrow();
        boolean isText = chunk % CHUNKS < CHUNKS / 2;
        if (!isText) {
            assertThat(used).isEqualTo("none");
        } else if (CODECS.choice(codec).isPresent()) {
            assertThat(used).isEqualTo(codec);
        } else if (chunk == REFRESHED && List.of("paper", "overlap").contains(codec)) {
            assertThat(used).isEqualTo("gzip-6");
        }
        assertThat(value(sent, chunk, "raw_bytes")).isEqualTo(CHUNK_BYTES);
        if (id == 0) {
            assertThat(value(sent, chunk, "encoded_bytes")).isEqualTo(CHUNK_BYTES);
        } else {
            assertThat(value(sent, chunk, "encoded_bytes")).isLessThan(CHUNK_BYTES * 3 / 4);
        }
    }

    @Test
    void listsCodecsIfCodecIsUnknown() throws Exception {
        assertThatThrownBy(() -> ChunkChooser.check(new CompressionSpec("lzma-3", "text")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("none, gzip-1 to gzip-9, zstd-1 to zstd-19, lz4, snappy");
    }

    private static long value(CaptureReader capture, long record, String field) throws LagbenchException {
        return capture.value(record, capture.field(field));
    }

    private static SideConfig config(
            CompressionSpec compression,
            Path captureFile,
            @Nullable ReceiverCapture receivedBytes,
            Map<String, String> announced)
            throws LagbenchException {
        TransferSpec transfers = new TransferSpec((long) CHUNKS * CHUNK_BYTES, TRANSFERS, false, compression);
        return ChunkSides.of(TAG, CHUNK_BYTES, transfers, WARM_UP, "127.0.0.1", captureFile, receivedBytes, announced);
    }
}
