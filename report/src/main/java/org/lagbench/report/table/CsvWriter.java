package org.lagbench.report.table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.join.PacketCounts;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TrimmedStatistics;
import org.lagbench.analysis.summary.ClockFigures;
import org.lagbench.analysis.summary.CorrectedFigures;
import org.lagbench.analysis.summary.ExcludedRun;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.Point;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.clock.ClockBound;

/**
 * Writes everything as comma-separated values (RFC 4180, lines ended by a line feed, UTF-8): a row a point, with
 * {@code level} "pooled", followed by a row a run; then the excluded runs. Durations are in µs, but what the clocks may
 * be off in ns. What is undefined or unknown is empty.
 */
final class CsvWriter {
    private final Set<String> settingNames;
    private final boolean corrected;

    private CsvWriter(Set<String> settingNames, boolean corrected) {
        this.settingNames = settingNames;
        this.corrected = corrected;
    }

    static void write(Summary summary, Appendable out) throws IOException {
        List<Point> points = new ArrayList<>();
        summary.points().forEach(point -> points.add(point.point()));
        for (ExcludedRun run : summary.excluded()) {
            if (run.point() != null) {
                points.add(run.point());
            }
        }
        CsvWriter writer = new CsvWriter(Axes.settingNames(points), summary.corrected());
        writeRow(writer.row("", "", null, null, "").keySet(), out);
        for (PointSummary point : summary.points()) {
            writeRow(writer.row("pooled", "", point.point(), point.pooled(), "").values(), out);
            for (RunSummary run : point.runs()) {
                writeRow(
                        writer.row("run", run.name(), point.point(), run.figures(), "")
                                .values(),
                        out);
            }
        }
        for (ExcludedRun run : summary.excluded()) {
            writeRow(
                    writer.row("excluded", run.name(), run.point(), run.figures(), run.reason())
                            .values(),
                    out);
        }
    }

    private Map<String, String> row(
            String level, String run, @Nullable Point point, @Nullable Figures figures, String reason) {
        Map<String, String> row = new LinkedHashMap<>();
        row.put("level", level);
        row.put("run", run);
        putPoint(row, point);
        putFigures(row, figures);
        for (Series series : AllSeries.IN_ORDER) {
            putSeries(
                    row,
                    series.name(),
                    figures == null ? null : figures.series().get(series));
        }
        if (corrected) {
            for (Estimator estimator : Estimator.values()) {
                putCorrected(row, estimator, figures);
            }
        }
        row.put("lagFirst1000Q99Us", figures == null ? "" : us(figures.warmUp().firstQ99Ns()));
        row.put("lagRestQ99Us", figures == null ? "" : us(figures.warmUp().restQ99Ns()));
        for (View view : View.values()) {
            view.content().putCsv(row, figures);
        }
        row.put("excludedBecause", reason);
        return row;
    }

    private void putPoint(Map<String, String> row, @Nullable Point point) {
        row.put("transport", point == null ? "" : point.transport());
        row.put("transportTitle", point == null ? "" : point.transportTitle());
        row.put("packetBytes", point == null ? "" : Integer.toString(point.packetBytes()));
        row.put("paceMode", point == null ? "" : point.paceMode());
        row.put("paceIntervalUs", point == null ? "" : us((double) point.paceIntervalNs()));
        row.put("paceBurst", point == null ? "" : Integer.toString(point.paceBurst()));
        row.put("engine", point == null ? "" : point.engine());
        row.put("jvm", point == null ? "" : point.jvm());
        row.put("stream", point == null ? "" : point.streamName());
        row.put("beside", point == null ? "" : point.besideText());
        row.put("direction", point == null ? "" : point.directionText());
        for (String name : settingNames) {
            Object value = point == null ? null : point.settings().get(name);
            row.put("setting." + name, value == null ? "" : value.toString());
        }
    }

    private static void putFigures(Map<String, String> row, @Nullable Figures figures) {
        PacketCounts packets = figures == null ? null : figures.packets();
        row.put("runs", figures == null ? "" : Integer.toString(figures.runs()));
        row.put("sent", packets == null ? "" : Long.toString(packets.sent()));
        row.put("received", packets == null ? "" : Long.toString(packets.received()));
        row.put("lost", packets == null ? "" : Long.toString(packets.lost()));
        row.put("duplicated", packets == null ? "" : Long.toString(packets.duplicated()));
        row.put("reordered", packets == null ? "" : Long.toString(packets.reordered()));
        row.put("unmatched", packets == null ? "" : Long.toString(packets.unmatched()));
        row.put("negativeLags", packets == null ? "" : Long.toString(packets.negativeLags()));
        row.put("foreign", count(figures == null ? null : figures.foreign()));
        row.put("kernelDrops", count(figures == null ? null : figures.kernelDrops()));
        ClockFigures clock = figures == null ? null : figures.clock();
        row.put("negativeBeyondBound", count(clock == null ? null : clock.negativeBeyondBound()));
        row.put("clockBoundNs", count(clock == null ? null : clock.boundNs()));
        row.put(
                "clockBasis",
                clock == null
                        ? ""
                        : clock.bases().stream().map(ClockBound.Basis::text).collect(Collectors.joining(" ")));
        row.put("acceptedUnsynchronized", clock == null ? "" : String.join(" ", clock.accepted()));
        row.put(
                "clockMarks",
                clock == null
                        ? ""
                        : clock.marks().stream()
                                .map(mark -> mark.run() + ": " + mark.sentence())
                                .collect(Collectors.joining(" ")));
    }

    /** Corrected lags: "lagTwoWayMedianUs", "lagHullMedianUs", and what was taken from them. */
    private static void putCorrected(Map<String, String> row, Estimator estimator, @Nullable Figures figures) {
        String name = estimator == Estimator.TWO_WAY ? "lagTwoWay" : "lagHull";
        CorrectedFigures corrected = null;
        for (CorrectedFigures candidate : figures == null ? List.<CorrectedFigures>of() : figures.corrected()) {
            corrected = candidate.estimator() == estimator ? candidate : corrected;
        }
        OffsetEstimate estimate = corrected == null ? null : corrected.estimate();
        row.put(name + "UncertaintyNs", count(corrected == null ? null : corrected.uncertaintyNs()));
        row.put(name + "OffsetNs", estimate == null ? "" : Long.toString(estimate.midSpanOffsetNs()));
        row.put(
                name + "SkewPpm",
                estimate == null ? "" : Double.toString(estimate.line().skewPpm()));
        Double skewUncertainty = estimate == null ? null : estimate.skewUncertaintyPpm();
        row.put(name + "SkewUncertaintyPpm", skewUncertainty == null ? "" : Double.toString(skewUncertainty));
        putSeries(row, name, corrected == null ? null : corrected.lag());
    }

    private static void putSeries(Map<String, String> row, String name, @Nullable SeriesStatistics statistics) {
        row.put(name + "N", statistics == null ? "" : Long.toString(statistics.n()));
        row.put(name + "MedianUs", statistics == null ? "" : us(statistics.medianNs()));
        row.put(name + "MeanUs", statistics == null ? "" : us(statistics.meanNs()));
        row.put(name + "StandardDeviationUs", statistics == null ? "" : us(statistics.standardDeviationNs()));
        row.put(name + "MinimumUs", statistics == null ? "" : us(statistics.minimumNs()));
        row.put(name + "MaximumUs", statistics == null ? "" : us(statistics.maximumNs()));
        putTrimmed(row, name, "Q95", statistics == null ? null : statistics.withoutQ95());
        putTrimmed(row, name, "Q99", statistics == null ? null : statistics.withoutQ99());
    }

    private static void putTrimmed(
            Map<String, String> row, String name, String quantile, @Nullable TrimmedStatistics trimmed) {
        String without = name + "Without" + quantile;
        row.put(name + quantile + "Us", trimmed == null ? "" : us(trimmed.quantileNs()));
        row.put(without + "MeanUs", trimmed == null ? "" : us(trimmed.meanNs()));
        row.put(without + "StandardDeviationUs", trimmed == null ? "" : us(trimmed.standardDeviationNs()));
        row.put(without + "Dropped", trimmed == null ? "" : Long.toString(trimmed.dropped()));
    }

    private static String count(@Nullable Long count) {
        return count == null ? "" : Long.toString(count);
    }

    private static String us(double ns) {
        return Double.isNaN(ns) ? "" : Double.toString(Numbers.us(ns));
    }

    private static void writeRow(Iterable<String> cells, Appendable out) throws IOException {
        List<String> quoted = new ArrayList<>();
        cells.forEach(cell -> quoted.add(quoted(cell)));
        out.append(quoted.stream().collect(Collectors.joining(",", "", "\n")));
    }

    private static String quoted(String cell) {
        boolean isPlain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }
}
