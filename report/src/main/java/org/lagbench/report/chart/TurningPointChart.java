package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.lagbench.analysis.comparison.CompressedPoints;
import org.lagbench.analysis.comparison.CompressedPoints.FittedTurn;
import org.lagbench.analysis.transfer.CompressionMetrics;
import org.lagbench.analysis.transfer.TurningPoint;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Figure.Drawing;
import org.lagbench.report.table.Numbers;

/**
 * The total time over the computation time of a chunk: the broken line of formula (6), as figure 13 of Hu (2003), and
 * the measured runs, as figure 14.
 */
final class TurningPointChart {
    private static final double HEIGHT = 150;

    private TurningPointChart() {}

    static List<Drawing> draw(FigureContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        for (FittedTurn fitted : context.compressed().turningPoints()) {
            Drawing.add(drawings, name + "-" + fitted.network(), chart(context, fitted));
        }
        return drawings;
    }

    private static Chart chart(FigureContext context, FittedTurn fitted) {
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
                List.of(curves.row("total of " + Numbers.grouped(turn.chunks()) + " chunks (s)", HEIGHT)),
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
