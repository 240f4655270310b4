package org.lagbench.report.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.CodecAdvice;
import org.lagbench.analysis.transfer.CodecSpeed;
import org.lagbench.analysis.transfer.CompressionModels;
import org.lagbench.core.text.Units;

/**
 * The advice on compressing data for a path.
 *
 * @param bandwidth bandwidth of the path for payload, in bytes per second
 * @param unfilledReason why no probe filled the path, which may then be faster than the bandwidth; empty if one did
 * @param codecs at least one codec, in descending order of the expected gain
 */
public record AdviceReport(Interval bandwidth, String unfilledReason, List<CodecAdvice> codecs) {
    /** The advice not to compress. */
    public static final String NONE = "none";

    private static final double MBIT_PER_BYTE = 8e-6;

    /** Returns whether a probe filled the path. */
    public boolean isPathFilled() {
        return unfilledReason.isEmpty();
    }

    /**
     * Returns the codec with the largest expected gain among those with an interval above 1, if a probe filled the
     * path; else none.
     */
    public String use() {
        return isPathFilled() ? fastest().map(CodecAdvice::codec).orElse(NONE) : NONE;
    }

    /** A codec with a greater expected gain may have a wide interval that includes 1. */
    private Optional<CodecAdvice> fastest() {
        return codecs.stream().filter(CodecAdvice::pays).findFirst();
    }

    /**
     * Returns the table, then the advice. In JSON and CSV, the path's rates are of payload; a gain is by what factor a
     * transfer is faster.
     */
    public Result result() {
        TableColumns<CodecAdvice> columns = new TableColumns<CodecAdvice>()
                .text("Codec", CodecAdvice::codec)
                .fixed(3, "Ratio", "", row -> row.ratio())
                .fixed(1, "Compression", "MB/s", row -> row.compressBytesPerS() / Units.BYTES_PER_MB)
                .fixed(1, "Decompression", "MB/s", row -> row.decompressBytesPerS() / Units.BYTES_PER_MB)
                .group("Times as fast as without codec")
                .fixed(2, "Expected", "", row -> row.gain().value())
                .fixed(2, "Low", "", row -> row.gain().low())
                .fixed(2, "High", "", row -> row.gain().high());
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("format", "lagbench-advice-1");
        members.put("use", use());
        members.put("isPathFilled", isPathFilled());
        members.put("bitsPerS", Units.BITS_PER_BYTE * bandwidth.value());
        members.put("lowBitsPerS", Units.BITS_PER_BYTE * bandwidth.low());
        members.put("highBitsPerS", Units.BITS_PER_BYTE * bandwidth.high());
        members.put("codecs", codecs.stream().map(AdviceReport::members).toList());
        return Result.of(
                new Document(
                        List.of(columns.table("Codecs for this data and path", codecs)), List.of(path(), advice())),
                members,
                "codecs");
    }

    private static Map<String, Object> members(CodecAdvice codec) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("codec", codec.codec());
        members.put("ratio", codec.ratio());
        members.put("compressBytesPerS", codec.compressBytesPerS());
        members.put("decompressBytesPerS", codec.decompressBytesPerS());
        members.put("gain", codec.gain().value());
        members.put("lowGain", codec.gain().low());
        members.put("highGain", codec.gain().high());
        return members;
    }

    private String path() {
        String rate = Numbers.fixed(2, bandwidth.value() * MBIT_PER_BYTE);
        return isPathFilled()
                ? "TCP gets " + rate + " Mbit/s from this path (" + Numbers.fixed(2, bandwidth.low() * MBIT_PER_BYTE)
                        + " to " + Numbers.fixed(2, bandwidth.high() * MBIT_PER_BYTE) + " Mbit/s)."
                : "No probe filled this path: it carries at least " + rate
                        + " Mbit/s, and each gain is the largest possible one.";
    }

    private String advice() {
        Optional<CodecAdvice> fastest = fastest();
        if (fastest.isEmpty()) {
            return "Use none: no codec is shown to be faster.";
        }
        CodecAdvice best = fastest.get();
        return isPathFilled()
                ? "Use " + best.codec() + ": long transfers of this data are "
                        + Numbers.fixed(2, best.gain().value())
                        + " times as fast (" + Numbers.fixed(2, best.gain().low()) + " to "
                        + Numbers.fixed(2, best.gain().high()) + ")."
                : "Use none: whether " + best.codec() + " is faster depends on the rate of the path, which is unknown: "
                        + unfilledReason + ".";
    }

    public static Document ofCodecs(List<CodecSpeed> metrics) {
        TableColumns<CodecSpeed> columns = new TableColumns<CodecSpeed>()
                .text("Data", CodecSpeed::data)
                .text("Codec", CodecSpeed::codec)
                .number("Files", "", row -> Numbers.grouped(row.files()))
                .group("Compression speed")
                .fixed(3, "Average", "MB/s", row -> row.meanBytesPerS() / Units.BYTES_PER_MB)
                .fixed(4, "Std. dev.", "MB/s", row -> row.deviationBytesPerS() / Units.BYTES_PER_MB)
                .group("Compression ratio")
                .fixed(4, "Average", "", row -> row.meanRatio())
                .fixed(4, "Std. dev.", "", row -> row.deviationRatio())
                .group("Saves time below")
                .number("(2) to (5)", "Mbit/s", row -> crossover(row, CompressionModels::simpleCrossover))
                .number("(6)", "Mbit/s", row -> crossover(row, CompressionModels::overlapCrossover));
        return new Document(
                List.of(columns.table("Compression speed and ratio", metrics)),
                List.of("Files are generated from seeds and compressed in chunks, each 6 times. Speeds"
                        + " are per second of CPU time, so that other programs do not lower them. Saves time"
                        + " below: the bandwidth by Hu's simple model, V (1 − 1/r); by formula (6), for many"
                        + " chunks, it is V. With a ratio of 1 or less, it is 0."));
    }

    private static String crossover(CodecSpeed speed, DoubleBinaryOperator model) {
        double bytesPerS = model.applyAsDouble(speed.meanBytesPerS(), speed.meanRatio());
        return Numbers.fixed(2, Units.BITS_PER_BYTE * bytesPerS / Units.BYTES_PER_MB);
    }
}
