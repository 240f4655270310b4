package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.compression.chunk.SimulatedTransfer.Measure;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;

/** Compares the adaptive choice with each fixed codec over simulated links, in simulated time. */
@Tag("one-java")
class AdaptiveChooserTest {
    static final List<Measure> MEASURES = List.of(
            new Measure("none", 5e9, 1),
            new Measure("lz4", 450e6, 1.7),
            new Measure("zstd-1", 220e6, 2.3),
            new Measure("zstd-3", 130e6, 2.5),
            new Measure("zstd-6", 50e6, 2.7),
            new Measure("zstd-9", 30e6, 2.8),
            new Measure("gzip-1", 80e6, 2.2),
            new Measure("gzip-6", 35e6, 2.75));
    private static final double MBIT = 1e6;
    private static final long MS = 1_000_000;
    private static final int CHUNKS = 10_000;

    /** Allowed extra time for the first chunks, while the bandwidth is unknown. */
    private static final long LEARNING_ROUND_TRIPS = 3;

    private final ByteBuffer text =
            DataGenerator.generate(CompressionSpec.DataKind.TEXT, SimulatedTransfer.CHUNK_BYTES, 1);
    private final ByteBuffer dense =
            DataGenerator.generate(CompressionSpec.DataKind.RANDOM, SimulatedTransfer.CHUNK_BYTES, 1);
    private final List<String> failures = new ArrayList<>();

    /** @param writeNsPerByte the time of a write call for each byte, if it transmits the bytes itself */
    private record Path(
            String name,
            LongToDoubleFunction bitsPerS,
            long rttNs,
            long bufferBytes,
            long typicalBitsPerS,
            double writeNsPerByte) {
        Path(String name, LongToDoubleFunction bitsPerS, long rttNs, long bufferBytes, long typicalBitsPerS) {
            this(name, bitsPerS, rttNs, bufferBytes, typicalBitsPerS, 0);
        }
    }

    private static ChunkChooser chooser(String codec) throws Exception {
        return ChunkChooser.of(new CompressionSpec(codec, "text"), Codecs.load());
    }

    private long run(Path path, String codec, int chunks, LongUnaryOperator isDense) throws Exception {
        return transfer(path, chunks).run(chooser(codec), text, dense, isDense);
    }

    private static SimulatedTransfer transfer(Path path, int chunks) {
        return new SimulatedTransfer(MEASURES, path.bitsPerS(), path.rttNs(), path.bufferBytes(), chunks)
                .writing(path.writeNsPerByte());
    }

    private static List<Path> paths() {
        List<Path> paths = new ArrayList<>();
        for (long mbit : new long[] {1, 300, 1000}) {
            for (long rttUs : new long[] {50, 2_000, 20_000}) {
                for (long buffer : new long[] {1 << 15, 1 << 22}) {
                    if (buffer * 8 >= mbit * rttUs) { // with a smaller buffer, the link is not the limit
                        paths.add(new Path(
                                mbit + " Mbit/s, " + rttUs + " us, buffer " + buffer,
                                at -> mbit * MBIT,
                                rttUs * 1_000,
                                buffer,
                                mbit * 1_000_000));
                    }
                }
            }
        }
        return paths;
    }

    private void check(Path path, String data, LongUnaryOperator isDense) throws Exception {
        // At least 4 MiB, and at least 0.5 s at the link's rate.
        int chunks = (int) Math.max(256, path.typicalBitsPerS() / 16 / SimulatedTransfer.CHUNK_BYTES);
        long best = Long.MAX_VALUE;
        String bestCodec = "";
        long none = Long.MAX_VALUE;
        for (Measure measure : MEASURES) {
            long ns = run(path, measure.codec(), chunks, isDense);
            none = measure.codec().equals("none") ? ns : none;
            if (ns < best) {
                best = ns;
                bestCodec = measure.codec();
            }
        }
        long adaptive = run(path, "adaptive", chunks, isDense);
        if (adaptive > 1.10 * best + LEARNING_ROUND_TRIPS * path.rttNs() || adaptive > 1.02 * none) {
            failures.add(path.name() + ", " + data + ": " + adaptive + " ns, best " + bestCodec + " " + best + ", none "
                    + none);
        }
    }

    @Test
    void isAboutAsFastAsTheBestCodec() throws Exception {
        for (Path path : paths()) {
            check(path, "text", chunk -> 0);
            check(path, "random", chunk -> 1);
            check(path, "mixed", chunk -> chunk % 2);
            check(path, "changing", chunk -> chunk / 128 % 2);
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void followsALinkWhoseRateChanges() throws Exception {
        for (long low : new long[] {1, 10, 100}) {
            for (long high : new long[] {30, 300}) {
                check(
                        new Path(
                                low + " and " + high + " Mbit/s",
                                at -> (at / (200 * MS) % 2 == 0 ? low : high) * MBIT,
                                MS,
                                1 << 18,
                                high * 2_000_000),
                        "text",
                        chunk -> 0);
            }
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void compressesIfTheWriteCallsAreTheLimit() throws Exception {
        for (long mbit : new long[] {100, 400, 1000}) {
            double nsPerByte = 8_000. / mbit;
            for (long rttUs : new long[] {20, 200}) {
                String name = "writes with " + mbit + " Mbit/s, " + rttUs + " us";
                Path path = new Path(name, at -> 1e11, rttUs * 1_000, 1 << 22, mbit * 1_000_000, nsPerByte);
                check(path, "text", chunk -> 0);
                check(path, "random", chunk -> 1);
                check(path, "changing", chunk -> chunk / 128 % 2);
            }
        }
        assertThat(failures).isEmpty();
    }

    /** The sizes of the two codecs differ by 0.1 % on average, and those of the chunks by up to 1 %. */
    @Test
    void rarelyChangesBetweenNearlyEqualCodecs() throws Exception {
        List<Measure> measures = List.of(
                new Measure("none", 5e9, 1), new Measure("zstd-1", 220e6, 2.3), new Measure("zstd-3", 220e6, 2.3023));
        ChunkChooser chooser = new AdaptiveChooser(Codecs.load().choices(List.of("none", "zstd-1", "zstd-3")));
        SimulatedTransfer transfer =
                new SimulatedTransfer(measures, at -> 100 * MBIT, MS, 1 << 18, CHUNKS).varyingSizes(.01);

        transfer.run(chooser, text, dense, chunk -> 0);

        assertThat(transfer.changes()).isBetween(1, 10);
    }

    /**
     * A trial is free if the link remains busy for four times as long; the others take at most 1 % of the time. Each
     * codec is tried once, and then one of them with at most one chunk in 32.
     */
    @Test
    void triesOtherCodecsWithFewChunksAndLittleTime() throws Exception {
        for (Path path : paths()) {
            SimulatedTransfer transfer = transfer(path, CHUNKS);
            long ns = transfer.run(chooser("adaptive"), text, dense, chunk -> 0);

            assertThat(transfer.costlyTrialsNs()).as(path.name()).isLessThanOrEqualTo(ns / 100);
            assertThat(transfer.trials()).as(path.name()).isBetween(1, CHUNKS / 32 + MEASURES.size());
        }
    }
}
