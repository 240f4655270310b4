package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Codec;
import org.lagbench.core.text.Units;

/**
 * Chooses the codec and level with which a chunk delays the end of the transfer by the shortest time. The delay is the
 * time to transmit the encoded chunk, plus the time in which the link is idle because the chunk is still being
 * compressed. The link is not idle while it drains the send buffer. Each type of data has its own estimates. The choice
 * changes only if the gain is at least 1 %. To update their estimates, the other codecs are tried in turn, if the send
 * buffer keeps the link busy during the trial. The remaining trials use at most 1 % of the time. On a fast path, no
 * chunk is compressed, and a decision is one comparison.
 */
final class AdaptiveChooser implements ChunkChooser {
    /** A codec replaces the present one if its time is below this part of the present codec's time. */
    private static final double HYSTERESIS = 0.99;

    /** The maximum part of the time for trials during which the link may become idle. */
    private static final double TRIALS = 0.01;

    /** A trial is free if the link remains busy for this multiple of the trial's time. */
    private static final double FREE_TRIAL = 4;

    /** Codecs that were measured before are tried only with every n-th chunk. */
    private static final int TRIAL_CHUNKS = 32;

    /** The link is assumed to be busy for this part of the estimated time to drain the send buffer. */
    private static final double RELIABLE = 0.8;

    /** A measured codec is tried if it would be the best with its estimated time and size multiplied by this factor. */
    private static final double OPTIMISM = 0.9;

    /**
     * The part of the compression time that counts even while the link is busy, because other programs need the
     * processor. If transmission takes longer than compression, the part is smaller in the same ratio.
     */
    private static final double PROCESSOR_COST = 0.25;

    /** A path is fast if its bandwidth exceeds this part of the fastest codec's speed. */
    private static final double FAST_PATH = 0.4;

    /** A dedicated thread compresses if compression takes more than this part of the transmission time. */
    private static final double THREAD_SHARE = 0.1;

    /** A path is not fast if it needs at least this time to transmit the written bytes. */
    private static final double LONG_DRAIN_NS = 5e5;

    /** The assumed ratio and speed of a codec before its first use, for compressible data. */
    private record Assumption(double ratio, double bytesPerS) {
        static Assumption of(String codec) {
            return switch (codec) {
                case "none" -> new Assumption(1, 5e9);
                case "lz4" -> new Assumption(1.8, 500e6);
                case "zstd-1" -> new Assumption(2.4, 300e6);
                case "zstd-3" -> new Assumption(2.6, 180e6);
                case "gzip-1" -> new Assumption(2.3, 90e6);
                case "zstd-6" -> new Assumption(2.8, 70e6);
                case "zstd-9" -> new Assumption(2.9, 40e6);
                default -> new Assumption(2.6, 40e6);
            };
        }
    }

    private final List<Codec.Choice> codecs;
    private final CodecEstimate[][] estimates;
    private final int[] chosen = new int[DataType.COUNT];
    private final DataType types = new DataType();
    private final BandwidthEstimate bandwidth = new BandwidthEstimate();
    private final int none;
    private double fastestBytesPerS;
    private int type;
    private int decided;
    private int trial = NO_TRIAL;
    private boolean isFree;
    private boolean isKnown;
    private int chunks;
    private int lastTrial;
    private long startNs = -1;
    private long nowNs;
    private double trialsNs;

    AdaptiveChooser(List<Codec.Choice> codecs) {
        this.codecs = codecs;
        this.estimates = new CodecEstimate[DataType.COUNT][codecs.size()];
        List<String> names = codecs.stream().map(Codec.Choice::name).toList();
        this.none = names.indexOf("none");
        for (int of = 0; of < DataType.COUNT; of++) {
            for (int i = 0; i < names.size(); i++) {
                Assumption assumed = Assumption.of(names.get(i));
                estimates[of][i] = new CodecEstimate(of == DataType.DENSE ? 1 : assumed.ratio(), assumed.bytesPerS());
            }
            chosen[of] = none;
        }
        updateFastest();
    }

    @Override
    public List<Codec.Choice> codecs() {
        return codecs;
    }

    @Override
    public void calibrated(int index, double bytesPerS) {
        if (index != none) {
            for (CodecEstimate[] ofType : estimates) {
                ofType[index].assumeSpeed(bytesPerS);
            }
            updateFastest();
        }
    }

    private void updateFastest() {
        fastestBytesPerS = 0;
        for (int i = 0; i < codecs.size(); i++) {
            if (i != none) {
                fastestBytesPerS = Math.max(fastestBytesPerS, estimates[type][i].bytesPerS());
            }
        }
    }

    @Override
    public int choose(ByteBuffer chunk) {
        trial = NO_TRIAL;
        isKnown = false;
        decided = none;
        double bitsPerS = bandwidth.maxBitsPerS();
        if (bitsPerS < 0 || isFast(bitsPerS)) {
            return none;
        }
        isKnown = true;
        type = types.of(chunk);
        double bytes = chunk.remaining();
        double busyNs = RELIABLE * bandwidth.drainNs();
        decided = best(bytes, busyNs);
        chooseTrial(bytes, busyNs);
        return decided;
    }

    private boolean isFast(double bitsPerS) {
        return bitsPerS > FAST_PATH * Units.BITS_PER_BYTE * fastestBytesPerS
                && (bandwidth.isReceiverSlow() || bandwidth.provenDrainNs() < LONG_DRAIN_NS);
    }

    private int best(double bytes, double busyNs) {
        int best = chosen[type];
        double bestNs = HYSTERESIS * delayNs(best, bytes, busyNs, 1);
        for (int i = 0; i < codecs.size(); i++) {
            double ns = delayNs(i, bytes, busyNs, 1);
            if (ns < bestNs) {
                best = i;
                bestNs = ns;
            }
        }
        chosen[type] = best;
        return best;
    }

    /**
     * Returns the time in ns by which a chunk delays the transfer, if its estimated time and size are multiplied by
     * {@code part}.
     */
    private double delayNs(int index, double bytes, double busyNs, double part) {
        CodecEstimate estimate = estimates[type][index];
        double compressionNs = part * estimate.compressionNs(bytes);
        double transmissionNs = bandwidth.transmissionNs(part * bytes / estimate.ratio() + ChunkLayout.HEADER_BYTES);
        double idleNs = Math.max(0, compressionNs - busyNs);
        double cost = PROCESSOR_COST * Math.min(1, compressionNs / transmissionNs);
        return idleNs + cost * compressionNs + transmissionNs;
    }

    /** Sets the trial to the next codec that may be better than the chosen one, if there is time to try it. */
    private void chooseTrial(double bytes, double busyNs) {
        chunks++;
        boolean isTurn = chunks % TRIAL_CHUNKS == 0;
        double leftNs = busyNs - estimates[type][decided].compressionNs(bytes);
        double decidedNs = delayNs(decided, bytes, busyNs, 1);
        for (int i = 1; i <= codecs.size(); i++) {
            int index = (lastTrial + i) % codecs.size();
            CodecEstimate estimate = estimates[type][index];
            boolean isPromising =
                    !estimate.isMeasured() || (isTurn && delayNs(index, bytes, busyNs, OPTIMISM) < decidedNs);
            if (index == decided || index == none || !isPromising) {
                continue;
            }
            double ns = estimate.compressionNs(bytes);
            isFree = FREE_TRIAL * ns < leftNs;
            if (isFree || trialsNs + ns < TRIALS * (double) (nowNs - startNs)) {
                trial = index;
                lastTrial = index;
                return;
            }
        }
    }

    @Override
    public boolean mayUseThread() {
        return true;
    }

    @Override
    public boolean isWorthThread() {
        return isKnown && decided != none && compressionShare() > THREAD_SHARE;
    }

    private double compressionShare() {
        CodecEstimate estimate = estimates[type][decided];
        return estimate.compressionNs(1) / bandwidth.transmissionNs(1 / estimate.ratio());
    }

    @Override
    public int trial() {
        return trial;
    }

    @Override
    public void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {
        if (index != none) {
            estimates[type][index].measured(rawBytes, encodedBytes, compressNs, bandwidth.isTransmitting());
            updateFastest();
            if (index == trial && !isFree) {
                trialsNs += compressNs;
            }
        }
    }

    @Override
    public void progress(SocketState state) {
        nowNs = state.atNs();
        startNs = startNs < 0 ? nowNs : startNs;
        bandwidth.progress(state);
    }

    @Override
    public void connected(long previousBytes) {
        bandwidth.connected(previousBytes);
    }

    @Override
    public @Nullable CodecEstimate estimate() {
        return isKnown ? estimates[type][decided] : null;
    }

    @Override
    public double estimatedBandwidthBitsPerS() {
        return bandwidth.maxBitsPerS();
    }

    /** Classifies chunks by the entropy of a sample of their bytes. Allocates nothing. Not thread-safe. */
    static final class DataType {
        /** The number of types. A type is the entropy in bits per byte, rounded down to a whole number. */
        static final int COUNT = 8;

        /** The type of data that hardly compresses. */
        static final int DENSE = COUNT - 1;

        private static final int SAMPLE_BYTES = 1 << 10;

        private final int[] counts = new int[1 << Byte.SIZE];
        private final double[] bits = new double[SAMPLE_BYTES + 1];

        DataType() {
            for (int count = 1; count <= SAMPLE_BYTES; count++) {
                bits[count] = count * Math.log(count) / Math.log(2);
            }
        }

        /** Returns the type of the data between the buffer's position and limit. */
        int of(ByteBuffer chunk) {
            int sample = Math.min(SAMPLE_BYTES, chunk.remaining());
            int step = chunk.remaining() / sample;
            Arrays.fill(counts, 0);
            for (int i = 0; i < sample; i++) {
                counts[chunk.get(chunk.position() + i * step) & 0xff]++;
            }
            double sum = 0;
            for (int count : counts) {
                sum += bits[count];
            }
            return Math.max(0, Math.min(DENSE, (int) ((bits[sample] - sum) / sample)));
        }
    }
}
