package org.lagbench.compression.chunk;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.lagbench.core.bandwidth.BandwidthMonitor;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.transport.TransferSender;

class CounterBandwidthTest {
    private static final long RATE = 1_000_000_000;
    private static final Bottleneck LINK = new Bottleneck("eth0", false, RATE, 0, "", "", "");
    private static final int CHUNK_BYTES = 1 << 12;
    private static final int CHUNKS = 100;

    /** Bytes of a full segment, and its bytes on Ethernet with TCP timestamps. */
    private static final long SEGMENT_BYTES = 1_448;

    private static final long WIRE_BYTES = 1_538;

    private final AtomicLong octets = new AtomicLong();
    private final AtomicLong reads = new AtomicLong();
    private long written;

    /** Reads the link's counters, which the test sets. */
    private final class Source implements CounterSource {
        @Override
        public String name() {
            return "test";
        }

        @Override
        public Counters open(Bottleneck bottleneck) {
            return new Counters() {
                @Override
                public CounterSource.CounterReading read() {
                    reads.incrementAndGet();
                    return new CounterSource.CounterReading(octets.get(), 0, Long.SIZE);
                }

                @Override
                public long staleNs() {
                    return 1;
                }

                @Override
                public void close() {}
            };
        }
    }

    /** A connection on which no acknowledgment arrives before the last chunk is sent. */
    private final TransferSender connection = (TransferSender) Proxy.newProxyInstance(
            TransferSender.class.getClassLoader(),
            new Class<?>[] {TransferSender.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("sendPiece")) {
                    ByteBuffer frame = (ByteBuffer) arguments[0];
                    written += frame.remaining();
                    return null;
                }
                return true;
            });

    @Test
    void subtractsAllBytesOfPreviousConnection() throws Exception {
        CounterBandwidth bandwidth = new CounterBandwidth(new BandwidthMonitor(new Source(), LINK), RATE);
        ChunkChooser chooser = ModelChooser.ofPaper(Codecs.load().choices(List.of("none", "gzip-6")), bandwidth);
        ChunkData data = ChunkData.of(new CompressionSpec("paper", "random"), CHUNKS, CHUNK_BYTES);
        try (ChunkCompressor compressor = new ChunkCompressor(1, CHUNK_BYTES, data, chooser)) {
            awaitReads();
            compressor.begin(0);
            EncodedChunk chunk = compressor.newChunk();
            for (int sequence = 0; sequence < CHUNKS; sequence++) {
                compressor.compress(sequence, connection, 0, chunk);
                chunk.send(connection, 0);
            }
            compressor.begin(0);
            octets.set(written * WIRE_BYTES / SEGMENT_BYTES);
            awaitReads();
            double idleBitsPerS = (double) (RATE * SEGMENT_BYTES) / WIRE_BYTES;
            assertThat(bandwidth.bitsPerS()).isCloseTo(idleBitsPerS, within(1e3));
        }
    }

    /** Waits for estimates from counters that were read after this call. */
    private void awaitReads() {
        long before = reads.get();
        await().atMost(60, SECONDS).until(() -> reads.get() >= before + 3);
    }
}
