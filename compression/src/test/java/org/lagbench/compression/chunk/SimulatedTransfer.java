package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * A transfer over a link with a variable rate, in simulated time. The link drains the send buffer. Compression and
 * writes occupy the sender, which may also have to transmit in its write calls. Acknowledgments arrive after a round
 * trip.
 */
final class SimulatedTransfer {
    static final int CHUNK_BYTES = 1 << 14;

    private static final long WRITE_NS = 15_000;
    private static final double NS_PER_S = 1e9;
    private static final double BITS_PER_BYTE = 8;

    /** The speed of a codec, and its ratio for text. */
    record Measure(String codec, double bytesPerS, double textRatio) {}

    private final Map<String, Measure> measures;
    private final LongToDoubleFunction bitsPerS;
    private final long rttNs;
    private final long bufferBytes;
    private final long[] begins;
    private final long[] ends;
    private final long[] totals;
    private final SocketState state = new SocketState();
    private int written;
    private int acked;
    private double writeNsPerByte;
    private double sizeNoise;
    private double sizeFactor = 1;
    private int changes;
    private int trials;
    private long costlyTrialsNs;

    SimulatedTransfer(List<Measure> measures, LongToDoubleFunction bitsPerS, long rttNs, long bufferBytes, int chunks) {
        this.measures = measures.stream().collect(Collectors.toMap(Measure::codec, Function.identity()));
        this.bitsPerS = bitsPerS;
        this.rttNs = rttNs;
        this.bufferBytes = bufferBytes;
        begins = new long[chunks];
        ends = new long[chunks];
        totals = new long[chunks];
    }

    /** Makes a write call take this time for each byte, as if it transmitted the bytes itself. */
    SimulatedTransfer writing(double nsPerByte) {
        writeNsPerByte = nsPerByte;
        return this;
    }

    /** Multiplies the encoded size of each chunk by a random factor of 1 plus or minus this part. */
    SimulatedTransfer varyingSizes(double part) {
        sizeNoise = part;
        return this;
    }

    /** Returns how many chunks had a different codec from the chunk before. */
    int changes() {
        return changes;
    }

    int trials() {
        return trials;
    }

    /** Returns the time of the trials for whose fourfold time the link was not busy, in ns. */
    long costlyTrialsNs() {
        return costlyTrialsNs;
    }

    /** Simulates the transfer. Returns the time until the receiver has all chunks, in ns. */
    long run(ChunkChooser chooser, ByteBuffer text, ByteBuffer dense, LongUnaryOperator isDense) {
        long nowNs = 0;
        long lastBytes = 0;
        long blockedNs = 0;
        int last = -1;
        SplittableRandom random = new SplittableRandom(7);
        chooser.connected(0);
        for (int chunk = 0; chunk < begins.length; chunk++) {
            long ackedBytes = ackedBytes(nowNs);
            long total = written == 0 ? 0 : totals[written - 1];
            state.values()[SocketState.index("acked_bytes")] = ackedBytes;
            state.values()[SocketState.index("min_rtt_ns")] = rttNs;
            state.read(nowNs, total, lastBytes, blockedNs);
            chooser.progress(state);
            boolean isText = isDense.applyAsLong(chunk) == 0;
            int index = chooser.choose((isText ? text : dense).clear());
            changes += last >= 0 && index != last ? 1 : 0;
            last = index;
            sizeFactor = 1 + sizeNoise * (2 * random.nextDouble() - 1);
            if (chooser.trial() != ChunkChooser.NO_TRIAL) {
                long trialNs = encode(chooser, chooser.trial(), isText);
                trials++;
                costlyTrialsNs += nowNs + 4 * trialNs > ends[written - 1] ? trialNs : 0;
                nowNs += trialNs;
            }
            nowNs += encode(chooser, index, isText);
            lastBytes = encodedBytes(chooser, index, isText);
            long beginNs = nowNs;
            nowNs = write(beginNs + WRITE_NS + Math.round(writeNsPerByte * lastBytes), lastBytes);
            blockedNs += Math.max(0, nowNs - beginNs - SocketState.LONGEST_WRITE_NS);
        }
        return ends[written - 1] + rttNs;
    }

    private Measure measure(ChunkChooser chooser, int index) {
        return Objects.requireNonNull(measures.get(chooser.codecs().get(index).name()));
    }

    private long encode(ChunkChooser chooser, int index, boolean isText) {
        long ns = Math.round(NS_PER_S * CHUNK_BYTES / measure(chooser, index).bytesPerS());
        chooser.encoded(index, CHUNK_BYTES, (int) encodedBytes(chooser, index, isText) - ChunkLayout.HEADER_BYTES, ns);
        return ns;
    }

    private long encodedBytes(ChunkChooser chooser, int index, boolean isText) {
        double ratio = isText ? measure(chooser, index).textRatio() : 1;
        return ChunkLayout.HEADER_BYTES + Math.round(sizeFactor * CHUNK_BYTES / ratio);
    }

    /** Returns the time at which the chunk is in the send buffer. */
    private long write(long nowNs, long bytes) {
        long before = written == 0 ? 0 : totals[written - 1];
        long atNs = nowNs;
        while (before + bytes - ackedBytes(atNs) > Math.max(bytes, bufferBytes)) {
            atNs += Math.max(1_000, (ends[acked] - begins[acked]) / 64);
        }
        long beginNs = Math.max(nowNs, written == 0 ? 0 : ends[written - 1]);
        begins[written] = beginNs;
        ends[written] = beginNs + Math.round(NS_PER_S * BITS_PER_BYTE * bytes / bitsPerS.applyAsDouble(beginNs));
        totals[written] = before + bytes;
        written++;
        return atNs;
    }

    private long ackedBytes(long nowNs) {
        long atNs = nowNs - rttNs;
        while (acked < written && ends[acked] <= atNs) {
            acked++;
        }
        long before = acked == 0 ? 0 : totals[acked - 1];
        if (acked == written || begins[acked] >= atNs) {
            return before;
        }
        double part = (double) (atNs - begins[acked]) / (ends[acked] - begins[acked]);
        return before + (long) (part * (totals[acked] - before));
    }
}
