package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Chart;

/** The kinds of figures, in the order in which they are drawn. */
public enum Figure {
    LAG_DISTRIBUTION(
            "cumulative and complementary distribution of the transmit lag, on logarithmic axes",
            "a packet that arrived",
            LagDistribution::draw),
    LAG_BOXES(
            "a box of the transmit lag for each packet size and network, with Q95, Q99 and the maximum",
            "a packet that arrived",
            LagBoxes::draw),
    INTER_PACKET_DELAY(
            "inter-packet delay of receiver and sender over packet number",
            "a run of two packets",
            eachPoint(InterPacketDelay::chart)),
    LAG_OVER_SEND_DELAY(
            "transmit lag above the sender's inter-packet delay, over packet number",
            "a run with a packet that arrived",
            eachPoint(LagOverSendDelay::chart)),
    LAG_OVER_TIME(
            "transmit lag over time, with the concurrent events of each side below",
            "a run with a packet that arrived",
            eachPoint(LagOverTime::chart)),
    BUFFER_OCCUPANCY(
            "fill level of the socket buffers over time",
            "runs that recorded it (observe: [stages])",
            eachPoint(BufferOccupancy::chart)),
    STAGE_STACK(
            "the stages that make up the median, Q95 and Q99 of the transmit lag",
            "runs that recorded it (observe: [stages])",
            StageStack::draw);

    /** A chart with its file name, without extension. */
    public record Drawing(String name, Chart chart) {}

    /** Draws a figure of a session. */
    @FunctionalInterface
    private interface Drawer {
        /** Returns the drawings, whose names begin with that of the figure; none if the session lacks the data. */
        List<Drawing> draw(FigureContext context, String name) throws LagbenchException;
    }

    /** Draws a run. */
    @FunctionalInterface
    interface RunDrawer {
        /** Returns the chart, or null if the run lacks the data. */
        @Nullable
        Chart draw(RunView view) throws LagbenchException;
    }

    private final String description;
    private final String needs;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final Drawer drawer;

    Figure(String description, String needs, Drawer drawer) {
        this.description = description;
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

    /** Returns the name on the command line, with which the names of its files begin. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns its content, for the help. */
    public String description() {
        return description;
    }

    /** Returns the data that a session must have for it. */
    public String needs() {
        return needs;
    }

    /**
     * Draws the figure.
     *
     * @return none if the session lacks the data
     * @throws LagbenchException if the captures cannot be read
     */
    public List<Drawing> draw(FigureContext context) throws LagbenchException {
        return drawer.draw(context, text());
    }
}
