package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.transfer.CompressionMetrics;
import org.lagbench.analysis.transfer.StagePrediction;
import org.lagbench.analysis.transfer.TransferGroups;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.analysis.transfer.TurningPoint;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.CompressionSpec.ChunkPolicy;

/** The points of a session that have compressed transfers, with the predictions of Hu's models. */
public record CompressedPoints(List<PointSummary> points) {
    /** The codec that does not compress. */
    public static final String NONE = "none";

    /** The prefix of the codec that computes instead of compressing. */
    private static final String COMPUTE = "compute-";

    /**
     * A compressed point with the predictions of its runs.
     *
     * @param none the metrics of the same transfers without compression
     * @param runs the prediction for each run; at least one
     */
    public record Predicted(PointSummary point, CompressionMetrics none, List<StagePrediction> runs) {
        /** Returns the mean of a value over the runs. */
        public double mean(ToDoubleFunction<StagePrediction> value) {
            return runs.stream().mapToDouble(value).average().orElseThrow();
        }
    }

    /**
     * A turning point that was fitted to points that differ only in the computation time.
     *
     * @param points the points in the order of their computation times
     * @param none the metrics of the transfers without computation; null if the session has no such transfers
     */
    public record FittedTurn(List<PointSummary> points, TurningPoint turn, @Nullable CompressionMetrics none) {
        /** Returns the network of the points. */
        public String network() {
            return points.get(0).point().network();
        }
    }

    /** Returns the points of a summary that have compressed transfers. */
    public static CompressedPoints of(Summary summary) {
        return new CompressedPoints(summary.points().stream()
                .filter(point -> compression(point.pooled()) != null)
                .toList());
    }

    /** Returns the metrics of compressed transfers; null if nothing was compressed. */
    public static @Nullable CompressionMetrics compression(Metrics metrics) {
        TransferMetrics transfers = metrics.get(TransferGroups.TRANSFERS);
        return transfers == null ? null : transfers.compression();
    }

    /** Returns the codec or the policy of a point. */
    public static String codec(PointSummary point) {
        return point.point().codecText();
    }

    /** Returns the metrics of each run of a point. */
    public static List<CompressionMetrics> runs(PointSummary point) {
        return point.runs().stream()
                .map(run -> compression(run.metrics()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the pooled metrics of the point that differs only in the codec; null if there is none. */
    public @Nullable CompressionMetrics sibling(PointSummary of, String codec) {
        return points.stream()
                .filter(point ->
                        codec(point).equals(codec) && siblings(point.point()).equals(siblings(of.point())))
                .map(point -> compression(point.pooled()))
                .findFirst()
                .orElse(null);
    }

    /** Returns a key that is equal for the points that differ only in the codec. */
    private static List<Object> siblings(MeasuredPoint point) {
        return List.of(point.network(), point.without(Axis.CODEC));
    }

    /**
     * Returns the points with a fixed codec whose network also has transfers without compression, with the predictions
     * for their runs. A run without another run of this codec and data has no prediction.
     */
    public List<Predicted> predicted() {
        List<Predicted> all = new ArrayList<>();
        for (PointSummary point : predictable()) {
            CompressionMetrics none = Objects.requireNonNull(sibling(point, NONE));
            List<CompressionMetrics> known = alike(point);
            List<StagePrediction> runs = known.size() < 2
                    ? List.of()
                    : runs(point).stream()
                            .map(run -> StagePrediction.of(run, none, without(known, run)))
                            .toList();
            if (!runs.isEmpty()) {
                all.add(new Predicted(point, none, runs));
            }
        }
        return all;
    }

    /** Returns whether a point has no prediction because its codec and data have one run only. */
    public boolean hasSingleRun() {
        return predictable().stream().anyMatch(point -> alike(point).size() == 1);
    }

    /** Returns the points with a fixed codec whose network also has transfers without compression. */
    private List<PointSummary> predictable() {
        Set<String> others = Stream.concat(
                        Stream.of(NONE), Stream.of(ChunkPolicy.values()).map(ChunkPolicy::text))
                .collect(Collectors.toSet());
        return points.stream()
                .filter(point -> !codec(point).startsWith(COMPUTE) && !others.contains(codec(point)))
                .filter(point -> sibling(point, NONE) != null)
                .toList();
    }

    /** Returns the runs of all points with the same codec, data and chunks. */
    private List<CompressionMetrics> alike(PointSummary point) {
        return points.stream()
                .filter(other -> codec(other).equals(codec(point))
                        && other.point().dataText().equals(point.point().dataText())
                        && other.point().packetBytes() == point.point().packetBytes())
                .flatMap(other -> runs(other).stream())
                .toList();
    }

    private static List<CompressionMetrics> without(List<CompressionMetrics> runs, CompressionMetrics run) {
        List<CompressionMetrics> others = new ArrayList<>(runs);
        others.remove(run);
        return others;
    }

    /** Fits each group of points that differ only in the computation time. */
    public List<FittedTurn> turningPoints() {
        List<FittedTurn> found = new ArrayList<>();
        for (List<PointSummary> group : computations()) {
            TurningPoint turn =
                    TurningPoint.of(group.stream().map(CompressedPoints::runs).toList());
            if (turn != null) {
                found.add(new FittedTurn(group, turn, sibling(group.get(0), NONE)));
            }
        }
        return found;
    }

    /** Returns the networks that have computations, but no turning point. */
    public List<String> networksWithoutTurn() {
        List<List<PointSummary>> fitted =
                turningPoints().stream().map(FittedTurn::points).toList();
        return computations().stream()
                .filter(group -> !fitted.contains(group))
                .map(group -> group.get(0).point().network())
                .distinct()
                .toList();
    }

    /** Returns the groups of points that differ only in the computation time, in the order of that time. */
    private List<List<PointSummary>> computations() {
        return List.copyOf(points.stream()
                .filter(point -> codec(point).startsWith(COMPUTE))
                .sorted(Comparator.comparingDouble(point ->
                        Objects.requireNonNull(compression(point.pooled())).medianCompressNs()))
                .collect(Collectors.groupingBy(
                        point -> siblings(point.point()), LinkedHashMap::new, Collectors.toList()))
                .values());
    }
}
