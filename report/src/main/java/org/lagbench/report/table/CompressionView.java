package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.comparison.CompressedPoints;
import org.lagbench.analysis.comparison.CompressedPoints.FittedTurn;
import org.lagbench.analysis.comparison.CompressedPoints.Predicted;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.CompressionMetrics;
import org.lagbench.analysis.transfer.CompressionMetrics.PolicyChoice;
import org.lagbench.analysis.transfer.ModelErrors;
import org.lagbench.analysis.transfer.Prediction;
import org.lagbench.analysis.transfer.StagePrediction;
import org.lagbench.analysis.transfer.StagePrediction.TransferStage;
import org.lagbench.analysis.transfer.TransferGroups;
import org.lagbench.analysis.transfer.TurningPoint;
import org.lagbench.core.run.CompressionSpec.ChunkPolicy;
import org.lagbench.core.text.Units;

/**
 * The durations of compressed transfers, measured and as predicted by Hu's models, as in figures 9 to 11 and 14, and
 * Table 2.
 */
public final class CompressionView extends View {
    private static final double MBPS_PER_BYTES_PER_NS = 8e3;
    private static final String GZIP = "gzip-6";

    /** The predictions of each point with the same codec and data, of all sizes and networks. */
    private record CodecPoints(String codec, String data, List<List<StagePrediction>> points) {}

    /** The errors of a model. */
    private record NamedErrors(CodecPoints of, ModelErrors errors) {}

    public CompressionView() {
        super("compression", 100, TransferGroups.TRANSFERS);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        CompressedPoints points = CompressedPoints.of(rows.summary());
        List<Predicted> predicted = points.predicted();
        List<CodecPoints> codecs = byCodec(predicted);
        return List.of(
                times(rows),
                predictions(rows, points),
                stages(rows, predicted),
                errors(rows, codecs),
                stageErrors(rows, codecs),
                choices(rows, points),
                turningPoints(rows, points));
    }

    private static Table times(PointRows rows) {
        TableColumns<CompressionMetrics> columns = new TableColumns<CompressionMetrics>()
                .number("Transfers", "", metrics -> Numbers.grouped(metrics.transfers()))
                .fixed(3, "Ratio", "", metrics -> metrics.ratio())
                .percent("Chunks compressed", CompressionMetrics::compressed)
                .time("Total", metrics -> metrics.medianTotalNs())
                .time("Compression", metrics -> metrics.medianCompressNs())
                .time("Sending", metrics -> metrics.medianSendNs())
                .time("Decompression", metrics -> metrics.medianDecompressNs());
        return rows.table("Times of compressed transfers", columns, metrics -> {
            CompressionMetrics compression = CompressedPoints.compression(metrics);
            return compression == null ? List.of() : List.of(compression);
        });
    }

    private static Table predictions(PointRows rows, CompressedPoints points) {
        TableColumns<Prediction> columns = new TableColumns<Prediction>()
                .fixed(2, "Bandwidth", "Mbit/s", prediction -> prediction.bandwidthBytesPerNs() * MBPS_PER_BYTES_PER_NS)
                .time("Measured", prediction -> prediction.measuredNs())
                .time("Without codec", prediction -> prediction.uncompressedNs());
        addModel(columns, "(2) to (5)", Prediction::simpleNs);
        addModel(columns, "(6)", Prediction::overlapNs);
        addModel(columns, "Three stages", Prediction::threeStagesNs);
        return rows.pooledTable("Total by the models", columns, point -> {
            CompressionMetrics compressed = CompressedPoints.compression(point.pooled());
            CompressionMetrics none = points.sibling(point, CompressedPoints.NONE);
            return compressed == null || none == null || none.equals(compressed)
                    ? List.of()
                    : List.of(Prediction.of(compressed, none));
        });
    }

    private static void addModel(
            TableColumns<Prediction> columns, String title, ToDoubleFunction<Prediction> predictedNs) {
        columns.group(title)
                .time("Total", prediction -> predictedNs.applyAsDouble(prediction))
                .fixed(1, "Error", "%", prediction -> 100 * prediction.error(predictedNs.applyAsDouble(prediction)))
                .text(
                        "Choice",
                        prediction -> prediction.isRight(predictedNs.applyAsDouble(prediction)) ? "right" : "wrong");
    }

    /** Returns whether a codec is a policy that chooses between none and gzip-6. */
    private static boolean choosesGzip(String codec) {
        return codec.startsWith(ChunkPolicy.PAPER.text()) || codec.equals(ChunkPolicy.OVERLAP.text());
    }

    private static Table stages(PointRows rows, List<Predicted> predicted) {
        TableColumns<Predicted> columns = new TableColumns<>();
        addPair(columns, "Total", "ms", Units.NS_PER_MS, TransferStage.TOTAL);
        addPair(columns, "Compression", "ms", Units.NS_PER_MS, TransferStage.COMPRESSION);
        addPair(columns, "Sending", "ms", Units.NS_PER_MS, TransferStage.SENDING);
        addPair(columns, "Size", "KiB", 1 << 10, TransferStage.SIZE);
        return rows.pooledTable("Stages by formulas (2) to (5)", columns, point -> predicted.stream()
                .filter(each -> each.point().equals(point))
                .toList());
    }

    private static void addPair(
            TableColumns<Predicted> columns, String title, String unit, double divisor, TransferStage stage) {
        columns.group(title)
                .fixed(1, "Predicted", unit, point -> point.mean(stage::predicted) / divisor)
                .fixed(1, "Measured", unit, point -> point.mean(stage::measured) / divisor)
                .fixed(
                        1,
                        "Error",
                        "%",
                        point -> 100 * (point.mean(stage::predicted) / point.mean(stage::measured) - 1));
    }

    private static List<CodecPoints> byCodec(List<Predicted> predicted) {
        Map<List<String>, List<List<StagePrediction>>> points = new LinkedHashMap<>();
        for (Predicted point : predicted) {
            List<String> key = List.of(
                    CompressedPoints.codec(point.point()), point.point().point().dataText());
            points.computeIfAbsent(key, codec -> new ArrayList<>()).add(point.runs());
        }
        return points.entrySet().stream()
                .map(of -> new CodecPoints(of.getKey().get(0), of.getKey().get(1), of.getValue()))
                .toList();
    }

    private static Table errors(PointRows rows, List<CodecPoints> codecs) {
        List<NamedErrors> all = new ArrayList<>();
        for (CodecPoints codec : codecs) {
            List<List<Prediction>> totals = codec.points().stream()
                    .map(runs -> runs.stream().map(StagePrediction::total).toList())
                    .toList();
            for (ModelErrors.Model model : ModelErrors.Model.values()) {
                all.add(new NamedErrors(codec, ModelErrors.of(model, totals)));
            }
        }
        TableColumns<ModelErrors> errors = new TableColumns<ModelErrors>()
                .text("Model", found -> title(found.model()))
                .number("Runs", "", found -> Numbers.grouped(found.runs()))
                .addAll(interval("Mean absolute error", "%", .01), ModelErrors::error)
                .addAll(interval("Less than (2) to (5)", "%", .01), ModelErrors::lessThanSimple)
                .percent("Right choices", found -> (double) found.right() / found.runs());
        TableColumns<NamedErrors> columns = new TableColumns<NamedErrors>()
                .addAll(codecColumns(), NamedErrors::of)
                .addAll(errors, NamedErrors::errors);
        return columns.table(rows.title("Errors of the models"), all);
    }

    private static TableColumns<CodecPoints> codecColumns() {
        return new TableColumns<CodecPoints>()
                .text("Codec", CodecPoints::codec)
                .text("Data", CodecPoints::data)
                .number("Points", "", codec -> Numbers.grouped(codec.points().size()));
    }

    /** Returns the table of the errors of formulas (3) to (5). */
    private static Table stageErrors(PointRows rows, List<CodecPoints> codecs) {
        TableColumns<CodecPoints> columns = codecColumns()
                .addAll(interval("Compression", "%", .01), codec -> error(codec, TransferStage.COMPRESSION))
                .addAll(interval("Sending", "%", .01), codec -> error(codec, TransferStage.SENDING))
                .addAll(interval("Size", "%", .01), codec -> error(codec, TransferStage.SIZE));
        return columns.table(rows.title("Mean absolute errors of formulas (3) to (5)"), codecs);
    }

    private static Interval error(CodecPoints codec, TransferStage stage) {
        return ModelErrors.meanOverPoints(codec.points(), run -> Math.abs(stage.relativeError(run)))
                .ofPositive();
    }

    private static String title(ModelErrors.Model model) {
        return switch (model) {
            case SIMPLE -> "(2) to (5)";
            case OVERLAP -> "(6)";
            case THREE_STAGES -> "three stages";
        };
    }

    private static TableColumns<Interval> interval(String title, String unit, double divisor) {
        return new TableColumns<Interval>()
                .group(title)
                .fixed(2, "Value", unit, row -> row.value() / divisor)
                .fixed(2, "Low", unit, row -> row.low() / divisor)
                .fixed(2, "High", unit, row -> row.high() / divisor);
    }

    /** Returns the table of policies that choose between none and gzip-6. */
    private static Table choices(PointRows rows, CompressedPoints points) {
        TableColumns<PolicyChoice> columns = new TableColumns<PolicyChoice>()
                .text("Faster", choice -> choice.isCompressionFaster() ? GZIP : CompressedPoints.NONE)
                .percent("Chunks right", PolicyChoice::right)
                .fixed(1, "Total to the faster", "%", choice -> 100 * choice.slowdown());
        return rows.pooledTable("Choices chunk by chunk", columns, point -> {
            CompressionMetrics policy = CompressedPoints.compression(point.pooled());
            CompressionMetrics none = points.sibling(point, CompressedPoints.NONE);
            CompressionMetrics gzip = points.sibling(point, GZIP);
            return policy == null || none == null || gzip == null || !choosesGzip(CompressedPoints.codec(point))
                    ? List.of()
                    : List.of(PolicyChoice.of(policy, none, gzip));
        });
    }

    private static Table turningPoints(PointRows rows, CompressedPoints points) {
        TableColumns<TurningPoint> turn = new TableColumns<TurningPoint>()
                .number("Runs", "", found -> Numbers.grouped(found.transfers()))
                .addAll(interval("Transmission of a chunk, ts", "ms", Units.NS_PER_MS), TurningPoint::transmitNs)
                .addAll(interval("Turning point, ts − tb", "ms", Units.NS_PER_MS), TurningPoint::turningNs)
                .addAll(interval("Bandwidth by ts", "Mbit/s", Units.BITS_PER_MBIT), TurningPoint::bitsPerS);
        TableColumns<FittedTurn> columns = new TableColumns<FittedTurn>()
                .text("Network", FittedTurn::network)
                .addAll(turn, FittedTurn::turn)
                .number("Bandwidth of none", "Mbit/s", fitted -> {
                    CompressionMetrics none = fitted.none();
                    return none == null
                            ? ""
                            : Numbers.fixed(2, 8e9 * none.encodedBytes() / none.medianTotalNs() / Units.BITS_PER_MBIT);
                });
        return columns.table(rows.title("Turning point of formula (6)"), points.turningPoints());
    }

    @Override
    protected List<String> notes(PointRows rows) {
        if (!rows.any(point -> CompressedPoints.compression(point.pooled()) != null)) {
            return List.of("There are no compressed transfers. Set \"traffic: transfer\" and \"codec\" in the"
                    + " experiment.");
        }
        List<String> notes = new ArrayList<>();
        notes.add("Medians over the transfers. Total: from just before the first chunk was compressed until the reply"
                + " was received. Sending: time in the calls, which return once the socket buffer has the chunk.");
        notes.add("The models are those of Hu (2003). Their bandwidth is that of the transfers with the codec none."
                + " Speed, ratio and the copy to the socket buffer are measured."
                + " Choice: right if the model chooses the faster of the two transfers.");
        notes.add("Stages and errors use the speed and ratio of the other runs with the same codec and data. An error"
                + " is the mean over the points; each point counts with the mean over its runs.");
        notes.add("Intervals are 95 % confidence intervals: of an error, by Student's t over the points (none for a"
                + " single point); of a turning point, by a bootstrap over the runs of each point.");
        CompressedPoints points = CompressedPoints.of(rows.summary());
        if (points.hasSingleRun()) {
            notes.add("A codec with one run has no predicted stages, because there is no other run: set repeats to 2"
                    + " or more.");
        }
        for (String network : points.networksWithoutTurn()) {
            notes.add(network + ": formula (6) does not fit the runs with compute-N. It needs two computation times on"
                    + " each side of the turning point, and no run whose times are far off.");
        }
        int changed = rows.summary().points().stream()
                .map(point -> CompressedPoints.compression(point.pooled()))
                .filter(Objects::nonNull)
                .mapToInt(CompressionMetrics::changedRuns)
                .sum();
        notes.add(
                changed == 0
                        ? "The received bytes of every run are those that were sent, by their checksum."
                        : changed + " runs received other bytes than were sent, or one side has no checksum.");
        return notes;
    }
}
