package org.lagbench.report.chart;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.capacity.Convergence;
import org.lagbench.analysis.capacity.Convergence.Sample;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TableColumns;

/** Estimates of the available bandwidth and the true values, before and after a flow begins, as a table and a chart. */
public final class BandwidthReport {
    private static final String NAME = "available-bandwidth";
    private static final double HEIGHT = 150;
    private static final double HEADROOM = 1.06;

    private BandwidthReport() {}

    /** Returns the table. */
    public static Document document(List<Convergence> estimates) {
        TableColumns<Convergence> columns = new TableColumns<Convergence>()
                .text("Estimate", Convergence::estimate)
                .group("Before the flow")
                .number("Truth", "Mbit/s", row -> mbps(row.trueBefore()))
                .number("Estimate", "Mbit/s", row -> mbps(row.before()))
                .fixed(1, "Error", "%", row -> 100 * row.errorBefore())
                .group("With the flow")
                .number("Truth", "Mbit/s", row -> mbps(row.trueAfter()))
                .number("Estimate", "Mbit/s", row -> mbps(row.after()))
                .fixed(1, "Error", "%", row -> 100 * row.errorAfter())
                .group("")
                .fixed(2, "Right after", "s", row -> row.convergenceS());
        return new Document(
                List.of(columns.table("Available bandwidth", estimates)),
                List.of("The truth is the link's rate less the flow, framing included. Right after: the time"
                        + " from the flow's first packet until every further estimate is within 5 % of the"
                        + " truth."));
    }

    private static String mbps(double bitsPerS) {
        return Numbers.fixed(3, bitsPerS / Units.BITS_PER_MBIT);
    }

    /**
     * Writes the chart, as figure 6 of Hu (2003), as SVG and PNG into a directory, which is created if necessary.
     *
     * @param estimates the samples of each estimate by its name; at least one
     * @param truth the true values before and after the change
     * @param changeS time of the change in s
     * @return the files
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written, with
     *     {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static List<Path> draw(
            Path directory, Map<String, List<Sample>> estimates, Convergence truth, double changeS)
            throws LagbenchException {
        return ChartFiles.writeAll(directory, Map.of(NAME, chart(estimates, truth, changeS)));
    }

    private static Chart chart(Map<String, List<Sample>> estimates, Convergence truth, double changeS) {
        double endS = estimates.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Sample::atS)
                .max()
                .orElse(changeS);

        double before = truth.trueBefore() / Units.BITS_PER_MBIT;
        double after = truth.trueAfter() / Units.BITS_PER_MBIT;
        double[] truthAtS = {0, changeS, changeS, endS};
        Curves curves = new Curves().line("truth", 0, truthAtS, new double[] {before, before, after, after});
        estimates.forEach((name, samples) -> curves.line(
                name,
                curves.legend().size(),
                samples.stream().mapToDouble(Sample::atS).toArray(),
                samples.stream()
                        .mapToDouble(sample -> sample.bitsPerS() / Units.BITS_PER_MBIT)
                        .toArray()));
        return new Chart(
                "Available bandwidth",
                Chart.ONE_COLUMN,
                Axis.linear("time (s)", 0, endS),
                List.of(Chart.Row.of(
                        Axis.linear("available bandwidth (Mbit/s)", 0, HEADROOM * Math.max(before, after)),
                        HEIGHT,
                        curves.layers())),
                curves.legend(),
                List.of("The truth is the link's rate less the competing flow, framing included."));
    }
}
