package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.TextEnum;
import org.lagbench.report.table.PointNames;

/** The kinds of charts that {@code lagbench figures} draws, in the order in which it draws them. */
public enum ChartKind implements TextEnum {
    LAG_DISTRIBUTION("a packet that arrived", LagDistribution::draw),
    SLOW_PACKETS("a late packet with a cause (observe: [events])", LagDistribution::drawTail),
    LAG_BOXES(
            "a packet that arrived",
            // a lambda: a method reference would load java.awt with this enum, and a small JDK does not have it
            (context, name) -> LagBoxes.draw(context, name)),
    INTER_PACKET_DELAY("a run of two packets", eachPoint(RunView::interPacketDelay)),
    LAG_OVER_SEND_DELAY("a run with a packet that arrived", eachPoint(RunView::lagOverSendDelay)),
    LAG_OVER_TIME("a run with a packet that arrived", eachPoint(RunView::lagOverTime)),
    BUFFER_OCCUPANCY("runs that recorded it (observe: [timestamping])", eachPoint(RunView::bufferOccupancy)),
    LEDGER(
            "slow packets whose lags are divided (observe: [events])",
            (context, name) -> LedgerChart.draw(context, name)),
    OVER_PACKET_SIZE("two packet sizes, and two values of an axis", PacketSizeChart::draw),
    LOSS_OVER_LATENCY("two latencies of a transport that repairs losses", RecoveryChart::draw),
    COMPRESSION_OVER_BANDWIDTH(
            "compressed and uncompressed transfers over two networks", CompressionCharts::overBandwidth),
    COMPRESSION_OVER_SIZE("compressed and uncompressed transfers of two sizes", CompressionCharts::overSize),
    COMPRESSION_ERRORS(
            "compressed and uncompressed transfers over two networks or with two sizes of chunks",
            CompressionCharts::errors),
    TURNING_POINT(
            "transfers with four codecs compute-N, on both sides of the turning point",
            CompressionCharts::turningPoints),
    ERROR_HISTOGRAM("--between AXIS, and repeats", eachStudy(EquivalenceCharts::histogram)),
    ERROR_DISTRIBUTION("--between AXIS, and repeats", eachStudy(EquivalenceCharts::distribution));

    /** A chart with its file name, without extension. */
    public record Drawing(String name, Chart chart) {
        /** Adds a drawing, with a number in its file name if another one has this name. */
        static void add(List<Drawing> drawings, String name, Chart chart) {
            String file = PointNames.filePart(name);
            boolean isTaken =
                    drawings.stream().anyMatch(drawing -> drawing.name().equals(file));
            drawings.add(new Drawing(isTaken ? file + "-" + (drawings.size() + 1) : file, chart));
        }
    }

    /** Draws the charts of one kind of a session. */
    @FunctionalInterface
    private interface Drawer {
        /** Returns the drawings, whose names begin with that of the kind; none if the session has no data for it. */
        List<Drawing> draw(ChartContext context, String name) throws LagbenchException;
    }

    /** Draws a run. */
    @FunctionalInterface
    interface RunDrawer {
        /** Returns the chart, or null if the run has no data for it. */
        @Nullable
        Chart draw(RunView view) throws LagbenchException;
    }

    private final String needs;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Drawer drawer;

    ChartKind(String needs, Drawer drawer) {
        this.needs = needs;
        this.drawer = drawer;
    }

    /** Draws the first run of each point. */
    private static Drawer eachPoint(RunDrawer drawer) {
        return (context, name) -> {
            List<Drawing> drawings = new ArrayList<>();
            for (PointSummary point : context.points()) {
                RunSummary shown = point.runs().get(0);
                try (JoinedRun run = context.open(shown.name())) {
                    Chart chart = drawer.draw(new RunView(context, point, shown, run, RunView.PRINTED_COLUMNS, false));
                    if (chart != null) {
                        drawings.add(new Drawing(name + "-" + context.names().fileName(point.point()), chart));
                    }
                }
            }
            return drawings;
        };
    }

    /** Draws each study whose forecasts could be scored. */
    private static Drawer eachStudy(Function<Equivalence, Chart> drawer) {
        return (context, name) -> context.studies().stream()
                .filter(study -> study.equivalence().first().errors().errors().size() > 1)
                .map(study -> {
                    Comparison comparison = study.comparison();
                    String file = PointNames.filePart(String.join(
                            "-",
                            name,
                            context.names().fileName(comparison.point()),
                            comparison.metric().id()));
                    return new Drawing(
                            file,
                            drawer.apply(study.equivalence())
                                    .withNotes(List.of(context.session() + ": "
                                            + comparison.metric().title() + " of "
                                            + context.names().full(comparison.point()) + ", compared with "
                                            + context.names().full(comparison.baselinePoint())
                                            + ". Each repeat is a value.")));
                })
                .toList();
    }

    /** Returns the data that a session needs for these charts, for the help. */
    public String needs() {
        return needs;
    }

    /**
     * Draws the charts of this kind.
     *
     * @return none if the session has no data for it
     * @throws LagbenchException if the captures cannot be read
     */
    public List<Drawing> draw(ChartContext context) throws LagbenchException {
        return drawer.draw(context, text());
    }
}
