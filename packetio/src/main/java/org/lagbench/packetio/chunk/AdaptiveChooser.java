package org.lagbench.packetio.chunk;

import java.nio.ByteBuffer;
import java.util.List;
import org.lagbench.core.codec.CodecChoice;

/**
 * Chooses the codec and level for which the longer of two times is shortest: to compress the chunk, and to transmit the
 * encoded chunk. The estimates are kept for each type of data. The choice changes only if the gain is at least 3 %.
 * Other codecs are tried in turn, to update their estimates; all trials together take at most 1 % of the time.
 */
final class AdaptiveChooser implements ChunkChooser {
    /** A codec replaces the current one if its time is below this part of the current codec's time. */
    private static final double HYSTERESIS = 0.97;

    /** The maximum share of trials in the time. */
    private static final double TRIALS = 0.01;

    /** One chunk in this many may be a trial. */
    private static final int TRIAL_CHUNKS = 32;

    /** The codec while the bandwidth is unknown and chunks wait. */
    private static final String FIRST = "zstd-1";

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

    private final List<CodecChoice> codecs;
    private final CodecEstimate[][] estimates;
    private final int[] chosen = new int[DataType.COUNT];
    private final DataType types = new DataType();
    private final BandwidthEstimate bandwidth = new BandwidthEstimate();
    private final int none;
    private final int first;
    private int type;
    private int decided;
    private boolean isKnown;
    private boolean isTrial;
    private int chunks;
    private int nextTrial;
    private long startNs = -1;
    private long nowNs;
    private double trialsNs;

    AdaptiveChooser(List<CodecChoice> codecs) {
        this.codecs = codecs;
        this.estimates = new CodecEstimate[DataType.COUNT][codecs.size()];
        List<String> names = codecs.stream().map(CodecChoice::name).toList();
        this.none = names.indexOf("none");
        this.first = names.indexOf(FIRST);
        for (int of = 0; of < DataType.COUNT; of++) {
            for (int i = 0; i < names.size(); i++) {
                Assumption assumed = Assumption.of(names.get(i));
                estimates[of][i] = new CodecEstimate(of == DataType.DENSE ? 1 : assumed.ratio(), assumed.bytesPerS());
            }
            chosen[of] = none;
        }
    }

    @Override
    public List<CodecChoice> codecs() {
        return codecs;
    }

    @Override
    public int choose(ByteBuffer chunk) {
        type = types.of(chunk);
        isKnown = bandwidth.isKnown();
        isTrial = false;
        decided = isKnown ? best(chunk.remaining()) : bandwidth.hasBacklog() && type != DataType.DENSE ? first : none;
        return decided;
    }

    private int best(double bytes) {
        int present = chosen[type];
        double presentNs = slowestStageNs(present, bytes);
        int best = present;
        double bestNs = HYSTERESIS * presentNs;
        for (int i = 0; i < codecs.size(); i++) {
            double ns = slowestStageNs(i, bytes);
            if (ns < bestNs) {
                best = i;
                bestNs = ns;
            }
        }
        chosen[type] = best;
        chunks++;
        return chunks % TRIAL_CHUNKS == 0 ? trial(best, bytes) : best;
    }

    /** Returns the next codec to try, or the best one if the trial would exceed {@link #TRIALS}. */
    private int trial(int best, double bytes) {
        int index = nextTrial;
        nextTrial = (nextTrial + 1) % codecs.size();
        double ns = estimates[type][index].compressionNs(bytes);
        if (index == best || trialsNs + ns > TRIALS * (double) (nowNs - startNs)) {
            return best;
        }
        isTrial = true;
        return index;
    }

    private double slowestStageNs(int index, double bytes) {
        CodecEstimate estimate = estimates[type][index];
        return Math.max(
                estimate.compressionNs(bytes),
                bandwidth.transmissionNs(bytes / estimate.ratio() + ChunkLayout.HEADER_BYTES));
    }

    @Override
    public void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {
        estimates[type][index].measured(rawBytes, encodedBytes, compressNs);
        if (isTrial) {
            trialsNs += compressNs;
        }
    }

    @Override
    public void progress(long atNs, long ackedBytes, long backlogBytes) {
        startNs = startNs < 0 ? atNs : startNs;
        nowNs = atNs;
        bandwidth.progress(atNs, ackedBytes, backlogBytes);
    }

    @Override
    public void connected() {
        bandwidth.connected();
    }

    @Override
    public double estimatedRatio() {
        return isKnown ? estimates[type][decided].ratio() : UNKNOWN;
    }

    @Override
    public double estimatedBytesPerS() {
        return isKnown ? estimates[type][decided].bytesPerS() : UNKNOWN;
    }

    @Override
    public double estimatedBandwidthBitsPerS() {
        return isKnown ? bandwidth.bitsPerS() : UNKNOWN;
    }
}
