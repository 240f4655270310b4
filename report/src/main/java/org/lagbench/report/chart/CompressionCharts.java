package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.CompressedPoints;
import org.lagbench.analysis.comparison.CompressedPoints.FittedTurn;
import org.lagbench.analysis.comparison.CompressionCurve;
import org.lagbench.analysis.comparison.CompressionCurve.Place;
import org.lagbench.analysis.transfer.CompressionMetrics;
import org.lagbench.analysis.transfer.StagePrediction;
import org.lagbench.analysis.transfer.StagePrediction.TransferStage;
import org.lagbench.analysis.transfer.TurningPoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.Numbers;

/** Compressed transfers as predicted by the models of Hu (2003) and as measured: figures 9 to 14 of the paper. */
public final class CompressionCharts implements ChartKind.Source {
    private static final double HEIGHT = 110;
    private static final double TURN_HEIGHT = 150;
    private static final List<TransferStage> STAGES = List.of(TransferStage.values());
    private static final String BANDWIDTH = "bandwidth without codec (Mbit/s)";

    @Override
    public List<ChartKind> kinds() {
        return List.of(
                new ChartKind(
                        "compression-over-bandwidth",
                        100,
                        "compressed and uncompressed transfers over two networks",
                        CompressionCharts::overBandwidth),
                new ChartKind(
                        "compression-over-size",
                        110,
                        "compressed and uncompressed transfers of two sizes",
                        CompressionCharts::overSize),
                new ChartKind(
                        "compression-errors",
                        120,
                        "compressed and uncompressed transfers over two networks or with two sizes of chunks",
                        CompressionCharts::errors),
                new ChartKind(
                        "turning-point",
                        130,
                        "transfers with four codecs compute-N, on both sides of the turning point",
                        CompressionCharts::turningPoints));
    }

    @Override
    public List<ReportChart> sections(ChartContext context) throws LagbenchException {
        List<Chart> drawn = new ArrayList<>();
        for (ChartKind kind : kinds()) {
            drawn.addAll(kind.charts(context));
        }
        return List.of(ReportChart.withoutZoom(
                "compressed-transfers",
                "Compressed transfers",
                "The times of compressed transfers, and what the models of Hu (2003) predict.",
                drawn));
    }

    /** Draws the times over the bandwidth, averaged over the sizes of transfers, as figure 9. */
    private static List<Drawing> overBandwidth(ChartContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        for (CompressionCurve curve : CompressionCurve.overBandwidth(CompressedPoints.of(context.summary()))) {
            double[] x = x(curve, Units.BITS_PER_MBIT);
            String codec = curve.codec();
            double[] none = curve.places().stream()
                    .mapToDouble(place -> place.uncompressedNs() / Units.NS_PER_S)
                    .toArray();
            Curves totals = new Curves()
                    .add("without codec", 0, x, none)
                    .add(
                            codec + ", measured",
                            1,
                            x,
                            means(curve, run -> run.total().measuredNs(), Units.NS_PER_S))
                    .add(
                            codec + ", by (2) to (5)",
                            2,
                            x,
                            means(curve, run -> run.total().simpleNs(), Units.NS_PER_S))
                    .add(
                            codec + ", by (6)",
                            3,
                            x,
                            means(curve, run -> run.total().overlapNs(), Units.NS_PER_S));
            Curves stages = new Curves();
            int series = 4;
            for (TransferStage stage : List.of(TransferStage.COMPRESSION, TransferStage.SENDING)) {
                stages.add(title(stage) + ", measured", series++, x, means(curve, stage::measured, Units.NS_PER_S));
                stages.add(title(stage) + ", predicted", series++, x, means(curve, stage::predicted, Units.NS_PER_S));
            }
            add(
                    drawings,
                    name,
                    curve,
                    new Chart(
                            "Compressed transfers over the bandwidth, " + codec,
                            Chart.ONE_COLUMN,
                            Curves.horizontal(BANDWIDTH, x),
                            List.of(totals.row("total (s)", HEIGHT), stages.row("stages (s)", HEIGHT)),
                            Stream.concat(totals.legend().stream(), stages.legend().stream())
                                    .toList(),
                            List.of(note(context, curve, "Averages over the sizes of transfers and the runs."))));
        }
        return drawings;
    }

    /** Draws the stages over the size of the transfer, like figure 10 of Hu (2003). */
    private static List<Drawing> overSize(ChartContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        for (CompressionCurve curve : CompressionCurve.overTransferBytes(CompressedPoints.of(context.summary()))) {
            double[] x = x(curve, Units.BYTES_PER_MIB);
            List<Row> rows = new ArrayList<>();
            List<Entry> legend = List.of();
            for (TransferStage stage : STAGES) {
                boolean isSize = stage == TransferStage.SIZE;
                double divisor = isSize ? Units.BYTES_PER_MIB : Units.NS_PER_S;
                Curves curves = new Curves()
                        .add("predicted by (2) to (5)", 0, x, means(curve, stage::predicted, divisor))
                        .add("measured", 1, x, means(curve, stage::measured, divisor));
                rows.add(curves.row(title(stage) + (isSize ? " (MiB)" : " (s)"), HEIGHT / 2));
                legend = curves.legend();
            }
            add(
                    drawings,
                    name,
                    curve,
                    new Chart(
                            "Stages over the size of the transfer, " + curve.codec() + ", " + curve.network(),
                            Chart.ONE_COLUMN,
                            Curves.horizontal("transfer (MiB)", x),
                            rows,
                            legend,
                            List.of(note(context, curve, "Averages over the runs."))));
        }
        return drawings;
    }

    /** Draws the errors of the predictions over the bandwidth, and over the size of a chunk, as figure 11. */
    private static List<Drawing> errors(ChartContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        for (CompressionCurve curve : CompressionCurve.overBandwidth(CompressedPoints.of(context.summary()))) {
            add(
                    drawings,
                    name + "-bandwidth",
                    curve,
                    errors(context, curve, "over the bandwidth", BANDWIDTH, Units.BITS_PER_MBIT));
        }
        for (CompressionCurve curve : CompressionCurve.overChunkBytes(CompressedPoints.of(context.summary()))) {
            add(
                    drawings,
                    name + "-chunk",
                    curve,
                    errors(context, curve, "over the size of a chunk", "chunk (KiB)", Units.BYTES_PER_KIB));
        }
        return drawings;
    }

    private static Chart errors(
            ChartContext context, CompressionCurve curve, String over, String label, double divisor) {
        double[] x = x(curve, divisor);
        Curves absolute = new Curves();
        Curves relative = new Curves();
        for (TransferStage stage : STAGES) {
            if (stage != TransferStage.SIZE) {
                addErrors(absolute, stage, x, curve, run -> stage.error(run) / Units.NS_PER_MS);
            }
            addErrors(relative, stage, x, curve, run -> 100 * stage.relativeError(run));
        }
        return new Chart(
                "Errors of formulas (2) to (5) " + over + ", " + curve.codec(),
                Chart.ONE_COLUMN,
                Curves.horizontal(label, x),
                List.of(absolute.row("error (ms)", HEIGHT), relative.row("error (%)", HEIGHT)),
                relative.legend(),
                List.of(note(
                        context,
                        curve,
                        "Predicted minus measured: means over the runs, with bars of one standard deviation to each"
                                + " side.")));
    }

    private static void addErrors(
            Curves curves,
            TransferStage stage,
            double[] x,
            CompressionCurve curve,
            ToDoubleFunction<StagePrediction> error) {
        double[] mean = means(curve, error, 1);
        double[] low = mean.clone();
        double[] high = mean.clone();
        for (int i = 0; i < mean.length; i++) {
            double deviation = curve.places().get(i).deviation(error);
            low[i] -= deviation;
            high[i] += deviation;
        }
        curves.bars(title(stage) + ", deviation", STAGES.indexOf(stage), x, low, high);
        curves.add(title(stage), STAGES.indexOf(stage), x, mean);
    }

    private static String title(TransferStage stage) {
        return stage.name().toLowerCase(Locale.ROOT);
    }

    private static double[] x(CompressionCurve curve, double divisor) {
        return curve.places().stream().mapToDouble(place -> place.x() / divisor).toArray();
    }

    private static double[] means(CompressionCurve curve, ToDoubleFunction<StagePrediction> value, double divisor) {
        return curve.places().stream()
                .mapToDouble(place -> place.mean(value) / divisor)
                .toArray();
    }

    private static String note(ChartContext context, CompressionCurve curve, String averages) {
        return context.session() + ": "
                + curve.places().stream().mapToInt(Place::runs).sum() + " runs. " + averages
                + " Formulas of Hu (2003), with the bandwidth of the transfers without codec, and the speed and ratio"
                + " of the other runs. Sending: time in the calls, which return once the socket buffer has the chunk.";
    }

    private static void add(List<Drawing> drawings, String name, CompressionCurve curve, Chart chart) {
        Drawing.add(
                drawings, name + "-" + curve.codec() + (curve.network().isEmpty() ? "" : "-" + curve.network()), chart);
    }

    /**
     * Draws the total time over the computation time of a chunk: the broken line of formula (6), as figure 13, and the
     * measured runs, as figure 14.
     */
    private static List<Drawing> turningPoints(ChartContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        for (FittedTurn fitted : CompressedPoints.of(context.summary()).turningPoints()) {
            Drawing.add(drawings, name + "-" + fitted.network(), chart(context, fitted));
        }
        return drawings;
    }

    private static Chart chart(ChartContext context, FittedTurn fitted) {
        TurningPoint turn = fitted.turn();
        List<CompressionMetrics> runs = fitted.points().stream()
                .flatMap(point -> CompressedPoints.runs(point).stream())
                .toList();
        double chunks = turn.chunks();
        double[] x = runs.stream()
                .mapToDouble(run -> run.medianCompressNs() / chunks / Units.NS_PER_MS)
                .toArray();
        double[] y = runs.stream()
                .mapToDouble(run -> run.medianTotalNs() / Units.NS_PER_S)
                .toArray();
        double[] turnAt = {turn.turningNs().value() / Units.NS_PER_MS};
        double[] corners = {0, turnAt[0], Arrays.stream(x).max().orElse(turnAt[0])};

        Curves curves = new Curves()
                .line("formula (6)", 0, corners, totals(turn, corners))
                .marks("measured", 1, x, y)
                .marks("turning point", 2, turnAt, totals(turn, turnAt));
        return new Chart(
                "Total over the computation time, " + fitted.network(),
                Chart.ONE_COLUMN,
                Curves.horizontal("computation before each chunk, tc (ms)", corners),
                List.of(curves.row("total of " + Numbers.grouped(turn.chunks()) + " chunks (s)", TURN_HEIGHT)),
                curves.legend(),
                List.of(String.format(
                        Locale.ROOT,
                        "%s: %d runs. Formula (6) of Hu (2003), fitted: ts = %.2f ms, turning point ts − tb = %.2f ms.",
                        context.session(),
                        runs.size(),
                        turn.transmitNs().value() / Units.NS_PER_MS,
                        turnAt[0])));
    }

    /** Returns the total times by formula (6) in s. */
    private static double[] totals(TurningPoint turn, double[] computeMs) {
        return Arrays.stream(computeMs)
                .map(ms -> turn.totalNs(ms * Units.NS_PER_MS) / Units.NS_PER_S)
                .toArray();
    }
}
