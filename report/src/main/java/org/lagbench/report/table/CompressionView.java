package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.comparison.CompressedPoints;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.transfer.CompressionMetrics;
import org.lagbench.analysis.transfer.Prediction;
import org.lagbench.core.text.Units;

/** The durations of compressed transfers, measured and as predicted by the models. */
final class CompressionView implements SummaryView {
    private static final double MBPS_PER_BYTES_PER_NS = 8e3;

    @Override
    public Set<MetricGroup<?>> groups() {
        return Set.of(MetricGroup.TRANSFERS);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>(List.of(times(rows), predictions(rows)));
        tables.addAll(new CompressionModelTables(rows).tables());
        return tables;
    }

    private static Table times(PointRows rows) {
        TableColumns<CompressionMetrics> columns = new TableColumns<CompressionMetrics>()
                .number("Transfers", "", metrics -> Numbers.grouped(metrics.transfers()))
                .fixed(3, "Ratio", "", metrics -> metrics.ratio())
                .percent("Chunks compressed", CompressionMetrics::compressed)
                .number("Total", "ms", metrics -> ms(metrics.medianTotalNs()))
                .number("Compression", "ms", metrics -> ms(metrics.medianCompressNs()))
                .number("Sending", "ms", metrics -> ms(metrics.medianSendNs()))
                .number("Decompression", "ms", metrics -> ms(metrics.medianDecompressNs()));
        return rows.table("Times of compressed transfers", columns, metrics -> {
            CompressionMetrics compression = CompressedPoints.compression(metrics);
            return compression == null ? List.of() : List.of(compression);
        });
    }

    private static Table predictions(PointRows rows) {
        TableColumns<Prediction> columns = new TableColumns<Prediction>()
                .fixed(2, "Bandwidth", "Mb/s", prediction -> prediction.bandwidthBytesPerNs() * MBPS_PER_BYTES_PER_NS)
                .number("Measured", "ms", prediction -> ms(prediction.measuredNs()))
                .number("Without codec", "ms", prediction -> ms(prediction.uncompressedNs()));
        addModel(columns, "(2) to (5)", Prediction::simpleNs);
        addModel(columns, "(6)", Prediction::overlapNs);
        addModel(columns, "Three stages", Prediction::threeStagesNs);
        CompressedPoints points = CompressedPoints.of(rows.summary());
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
                .number("Total", "ms", prediction -> ms(predictedNs.applyAsDouble(prediction)))
                .fixed(1, "Error", "%", prediction -> 100 * prediction.error(predictedNs.applyAsDouble(prediction)))
                .text(
                        "Choice",
                        prediction -> prediction.isRight(predictedNs.applyAsDouble(prediction)) ? "right" : "wrong");
    }

    private static String ms(double ns) {
        return Numbers.fixed(3, ns / Units.NS_PER_MS);
    }

    @Override
    public List<String> notes(PointRows rows) {
        if (!rows.any(point -> CompressedPoints.compression(point.pooled()) != null)) {
            return List.of("There are no compressed transfers. Set \"traffic: transfer\" and \"codec\" in the"
                    + " experiment.");
        }
        List<String> notes = new ArrayList<>();
        notes.add("Medians over the transfers. Total: from just before the first chunk was compressed until the answer"
                + " was received. Sending: time in the calls, which return once the socket buffer has the chunk.");
        notes.add("The models are those of Hu (2003). Their bandwidth is that of the transfers with the codec none."
                + " Speed, ratio and the copy to the socket buffer are measured."
                + " Choice: right if the model chooses the faster of the two transfers.");
        notes.add("Stages and errors use the speed and ratio of the other runs with the same codec and data. An error"
                + " is the mean over the points, of which each has one mean over its runs.");
        notes.add("Intervals are of 95 %. That of an error is Student's t over the points; of one point,"
                + " there is none. That of a turning point is a bootstrap over the runs of each point.");
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
