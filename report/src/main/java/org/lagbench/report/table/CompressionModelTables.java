package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.compression.CompressionFigures;
import org.lagbench.analysis.compression.ModelErrors;
import org.lagbench.analysis.compression.PolicyChoice;
import org.lagbench.analysis.compression.Prediction;
import org.lagbench.analysis.compression.Resampling;
import org.lagbench.analysis.compression.StagePrediction;
import org.lagbench.analysis.compression.TurningPoint;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.codec.ChunkPolicy;
import org.lagbench.core.experiment.PointAxes;

/** Tables of the predictions of Hu's models and the measured values, as in figures 9 to 11 and 14, and Table 2. */
final class CompressionModelTables {
    private static final double NS_PER_MS = 1e6;
    private static final double BITS_PER_MBIT = 1e6;
    private static final String NONE = "none";
    private static final String GZIP = "gzip-6";

    /** The prefix of the codec that computes instead of compressing. */
    private static final String COMPUTE = "compute-";

    private final PointRows rows;
    private final List<PointSummary> points;

    CompressionModelTables(PointRows rows) {
        this.rows = rows;
        this.points = rows.summary().points().stream()
                .filter(point -> CompressionView.compression(point.pooled()) != null)
                .toList();
    }

    /** A compressed point with the predictions of its runs. */
    private record Predicted(PointSummary point, List<StagePrediction> runs) {
        double mean(ToDoubleFunction<StagePrediction> value) {
            return runs.stream().mapToDouble(value).average().orElseThrow();
        }
    }

    /** The errors of a model for all runs with the same codec and data, of all sizes and networks. */
    private record NamedErrors(String codec, String data, ModelErrors errors) {}

    /** A turning point and the figures of the transfers without computation. */
    private record NamedTurningPoint(String network, TurningPoint point, @Nullable CompressionFigures none) {}

    List<Table> tables() {
        List<Predicted> predicted = points.stream()
                .filter(point -> isCodec(codec(point)))
                .map(this::predict)
                .filter(point -> !point.runs().isEmpty())
                .toList();
        return Stream.of(stages(predicted), errors(predicted), choices(), turningPoints())
                .filter(table -> !table.rows().isEmpty())
                .toList();
    }

    private static boolean isCodec(String codec) {
        return !codec.equals(NONE) && !codec.startsWith(COMPUTE) && !isPolicy(codec);
    }

    private static boolean isPolicy(String codec) {
        return Stream.of(ChunkPolicy.values()).anyMatch(policy -> policy.text().equals(codec));
    }

    /** Returns whether a codec is a policy that chooses between none and gzip-6. */
    private static boolean choosesGzip(String codec) {
        return codec.startsWith(ChunkPolicy.PAPER.text()) || codec.equals(ChunkPolicy.OVERLAP.text());
    }

    private Predicted predict(PointSummary point) {
        CompressionFigures none = sibling(point, NONE);
        List<CompressionFigures> runs = runs(point);
        List<CompressionFigures> known = points.stream()
                .filter(other -> codec(other).equals(codec(point))
                        && other.point().dataText().equals(point.point().dataText())
                        && other.point().packetBytes() == point.point().packetBytes())
                .flatMap(other -> runs(other).stream())
                .toList();
        return new Predicted(
                point,
                none == null
                        ? List.of()
                        : runs.stream()
                                .map(run -> StagePrediction.of(run, none, without(known, run)))
                                .toList());
    }

    private static List<CompressionFigures> without(List<CompressionFigures> runs, CompressionFigures run) {
        List<CompressionFigures> others = new ArrayList<>(runs);
        others.remove(run);
        return others;
    }

    private static List<CompressionFigures> runs(PointSummary point) {
        return point.runs().stream()
                .map(run -> CompressionView.compression(run.figures()))
                .filter(Objects::nonNull)
                .toList();
    }

    private static String codec(PointSummary point) {
        return String.valueOf(point.point().axes().value(PointAxes.CODEC));
    }

    /** Returns the pooled figures of the point that differs only in the codec; null if there is none. */
    private @Nullable CompressionFigures sibling(PointSummary of, String codec) {
        return points.stream()
                .filter(point -> codec(point).equals(codec) && isSibling(point.point(), of.point()))
                .map(point -> CompressionView.compression(point.pooled()))
                .findFirst()
                .orElse(null);
    }

    private static boolean isSibling(PointKey point, PointKey other) {
        return point.network().equals(other.network())
                && point.axes().without(PointAxes.CODEC).equals(other.axes().without(PointAxes.CODEC));
    }

    private Table stages(List<Predicted> predicted) {
        TableColumns<Predicted> columns = new TableColumns<>();
        addPair(columns, "Total", "ms", NS_PER_MS, run -> run.total().simpleNs(), run -> run.total()
                .measuredNs());
        addPair(
                columns,
                "Compression",
                "ms",
                NS_PER_MS,
                StagePrediction::compressNs,
                StagePrediction::measuredCompressNs);
        addPair(columns, "Sending", "ms", NS_PER_MS, StagePrediction::sendNs, StagePrediction::measuredSendNs);
        addPair(columns, "Size", "KiB", 1 << 10, StagePrediction::encodedBytes, StagePrediction::measuredEncodedBytes);
        return rows.pooledTable("Stages by formulas (2) to (5)", columns, point -> predicted.stream()
                .filter(each -> each.point().equals(point))
                .toList());
    }

    private static void addPair(
            TableColumns<Predicted> columns,
            String title,
            String unit,
            double divisor,
            ToDoubleFunction<StagePrediction> predicted,
            ToDoubleFunction<StagePrediction> measured) {
        columns.group(title)
                .number("Predicted", unit, point -> Numbers.fixed(1, point.mean(predicted) / divisor))
                .number("Measured", unit, point -> Numbers.fixed(1, point.mean(measured) / divisor))
                .number(
                        "Error",
                        "%",
                        point -> Numbers.fixed(1, 100 * (point.mean(predicted) / point.mean(measured) - 1)));
    }

    private Table errors(List<Predicted> predicted) {
        Map<List<String>, List<Prediction>> byCodec = new LinkedHashMap<>();
        for (Predicted point : predicted) {
            List<String> key =
                    List.of(codec(point.point()), point.point().point().dataText());
            point.runs().forEach(run -> byCodec.computeIfAbsent(key, codec -> new ArrayList<>())
                    .add(run.total()));
        }
        List<NamedErrors> all = new ArrayList<>();
        byCodec.forEach((key, runs) -> {
            for (ModelErrors.Model model : ModelErrors.Model.values()) {
                all.add(new NamedErrors(key.get(0), key.get(1), ModelErrors.of(model, runs)));
            }
        });
        TableColumns<NamedErrors> columns = new TableColumns<NamedErrors>()
                .text("Codec", NamedErrors::codec)
                .text("Data", NamedErrors::data)
                .text("Model", named -> title(named.errors().model()))
                .number("Runs", "", named -> Numbers.grouped(named.errors().runs()));
        addInterval(columns, "Mean absolute error", "%", named -> named.errors().error(), .01);
        addInterval(
                columns, "Less than (2) to (5)", "%", named -> named.errors().lessThanSimple(), .01);
        columns.group("")
                .percent(
                        "Right choices",
                        named ->
                                (double) named.errors().right() / named.errors().runs());
        return columns.table(rows.title("Errors of the models"), all);
    }

    private static String title(ModelErrors.Model model) {
        return switch (model) {
            case SIMPLE -> "(2) to (5)";
            case OVERLAP -> "(6)";
            case THREE_STAGES -> "three stages";
        };
    }

    private static <R> void addInterval(
            TableColumns<R> columns, String title, String unit, Function<R, Resampling> value, double divisor) {
        columns.group(title)
                .number("Value", unit, row -> number(value.apply(row).value() / divisor))
                .number("Low", unit, row -> number(value.apply(row).low() / divisor))
                .number("High", unit, row -> number(value.apply(row).high() / divisor));
    }

    private static String number(double value) {
        return Double.isNaN(value) ? Numbers.NONE : Numbers.fixed(2, value);
    }

    /** Returns the table of policies that choose between none and gzip-6. */
    private Table choices() {
        TableColumns<PolicyChoice> columns = new TableColumns<PolicyChoice>()
                .text("Faster", choice -> choice.isCompressionFaster() ? GZIP : NONE)
                .percent("Chunks right", PolicyChoice::right)
                .number("Total to the faster", "%", choice -> Numbers.fixed(1, 100 * choice.slowdown()));
        return rows.pooledTable("Choices chunk by chunk", columns, point -> {
            CompressionFigures policy = CompressionView.compression(point.pooled());
            CompressionFigures none = sibling(point, NONE);
            CompressionFigures gzip = sibling(point, GZIP);
            return policy == null || none == null || gzip == null || !choosesGzip(codec(point))
                    ? List.of()
                    : List.of(PolicyChoice.of(policy, none, gzip));
        });
    }

    /** Fits each group of points that differ only in the computation time. */
    private Table turningPoints() {
        List<PointSummary> left = new ArrayList<>(points.stream()
                .filter(point -> codec(point).startsWith(COMPUTE))
                .sorted(Comparator.comparingDouble(
                        point -> Objects.requireNonNull(CompressionView.compression(point.pooled()))
                                .medianCompressNs()))
                .toList());
        List<NamedTurningPoint> found = new ArrayList<>();
        while (!left.isEmpty()) {
            PointSummary first = left.get(0);
            List<PointSummary> group = left.stream()
                    .filter(point -> isSibling(point.point(), first.point()))
                    .toList();
            left.removeAll(group);
            TurningPoint turning = TurningPoint.of(
                    group.stream().map(CompressionModelTables::runs).toList());
            if (turning != null) {
                found.add(new NamedTurningPoint(first.point().network(), turning, sibling(first, NONE)));
            }
        }
        TableColumns<NamedTurningPoint> columns = new TableColumns<NamedTurningPoint>()
                .text("Network", NamedTurningPoint::network)
                .number("Runs", "", named -> Numbers.grouped(named.point().transfers()));
        addInterval(
                columns,
                "Transmission of a chunk, ts",
                "ms",
                named -> named.point().transmitNs(),
                NS_PER_MS);
        addInterval(
                columns, "Turning point, ts − tb", "ms", named -> named.point().turningNs(), NS_PER_MS);
        addInterval(columns, "Bandwidth by ts", "Mb/s", named -> named.point().bitsPerS(), BITS_PER_MBIT);
        columns.group("").number("Bandwidth of none", "Mb/s", named -> {
            CompressionFigures none = named.none();
            return none == null
                    ? ""
                    : Numbers.fixed(2, 8e9 * none.encodedBytes() / none.medianTotalNs() / BITS_PER_MBIT);
        });
        return columns.table(rows.title("Turning point of formula (6)"), found);
    }
}
