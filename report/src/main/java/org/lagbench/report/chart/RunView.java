package org.lagbench.report.chart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Thinning;
import org.lagbench.analysis.statistics.Thinning.Curve;
import org.lagbench.analysis.summary.BufferMetrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TimeScale;

/**
 * A run to draw, for a file or for a page with zoom, and its charts.
 *
 * @param run its captures
 * @param columns the number of stretches of a curve whose extremes are kept
 * @param isZoomable whether the chart is for a page: all of the run, one panel high, in the color of the run
 */
record RunView(
        ChartContext context, PointSummary point, RunSummary summary, JoinedRun run, int columns, boolean isZoomable) {
    /** The columns of a thinned curve in a file: one pixel each at 300 dots per inch. */
    static final int PRINTED_COLUMNS = 2_000;

    private static final double ZOOMABLE_HEIGHT = 75;
    private static final double PACKETS_HEIGHT = 92;
    private static final double LAG_HEIGHT = 120;
    private static final double BUFFER_HEIGHT = 72;
    private static final double DELAY_HEADROOM = 0.04;
    private static final double BUFFER_HEADROOM = 1.05;

    /**
     * The longest gap of samples, in ns, that a line joins: they are 1 ms apart unless something delayed the sampler.
     */
    private static final double MAX_GAP_NS = 5e6;

    /** How many packets of a run have their ledgers in a page. */
    private static final int MAX_LEDGERS = 200;

    /** Draws a run. */
    @FunctionalInterface
    interface RunDrawer {
        /** Returns the chart, or null if the run has no data for it. */
        @Nullable
        Chart draw(RunView view) throws LagbenchException;
    }

    /** Returns the name of the point for the title. */
    String pointName() {
        return context.names().full(point.point());
    }

    RunDirectory directory() {
        return context.directory(summary.name());
    }

    private LineStyle style(int series) {
        return isZoomable ? LineStyle.ofRun(true) : LineStyle.hairline(series);
    }

    private double height(double printed) {
        return isZoomable ? ZOOMABLE_HEIGHT : printed;
    }

    /** Returns the unit of a time axis, the same for all runs of a page. */
    private TimeScale timeUnit(double endNs) {
        return isZoomable ? TimeScale.MILLISECONDS : TimeScale.ofDuration(endNs);
    }

    /**
     * Returns the inter-packet delay of receiver and sender over packet number, as in figure 1 of Norris and Miller. It
     * shows whether packets that were sent at even intervals arrive in bursts. All panels have one logarithmic scale,
     * because the packets of a burst are microseconds apart and the bursts milliseconds.
     *
     * @return null if the run has no data for it
     */
    @Nullable
    Chart interPacketDelay() throws LagbenchException {
        if (run.sent() <= 1) {
            return null;
        }
        PacketStretch stretch = PacketStretch.around(run.sent() / 2, run.sent());
        List<Curve> received = curves(RunCurve.RECEIVE_DELAY, stretch);
        List<Curve> sent = curves(RunCurve.SEND_DELAY, stretch);
        LongSummaryStatistics range = Stream.concat(received.stream(), sent.stream())
                .filter(curve -> curve.size() > 0)
                .flatMapToLong(curve -> LongStream.of(curve.minY(), curve.maxY()))
                .summaryStatistics();
        double minNs = (double) range.getMin();
        double maxNs = (double) range.getMax();
        List<String> notes = new ArrayList<>();
        notes.add("Run " + summary.name() + ": " + Numbers.grouped(run.sent()) + " packets sent, "
                + Numbers.grouped(run.received()) + " received, nothing removed. IPD: inter-packet delay, between"
                + " consecutive stamps of one side; it needs no common clock.");
        if (!isZoomable) {
            Axis.addNoteBelowMin(notes, "Delays", minNs);
        }
        return new Chart(
                "Inter-packet delay, " + pointName(),
                !isZoomable && stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                isZoomable
                        ? List.of(new Column("", Axis.linear(PacketStretch.LABEL, 0, (double) run.sent() - 1)))
                        : stretch.columns(),
                List.of(
                        new Row(
                                Axis.logarithmicUs("IPD at receiver", minNs, maxNs),
                                height(PACKETS_HEIGHT),
                                stretch.panels(received, "received", style(1), TimeScale.MICROSECONDS, true)),
                        new Row(
                                Axis.logarithmicUs("IPD at sender", minNs, maxNs),
                                height(PACKETS_HEIGHT),
                                stretch.panels(sent, "sent", style(0), TimeScale.MICROSECONDS, true))),
                List.of(),
                notes);
    }

    private List<Curve> curves(RunCurve curve, PacketStretch stretch) throws LagbenchException {
        return isZoomable ? List.of(curve.of(run, columns)) : stretch.curves(curve, run);
    }

    /**
     * Returns the transmit lag above the inter-packet delay of the sender, over packet number, as in figures 2 and 3 of
     * Norris and Miller. A buffer that fills shows as rising lag, and a sender that waits for space as spikes of the
     * delay where the lag drops. Both have one scale, so that the sizes of spikes and drops can be compared.
     *
     * @return null if the run has no data for it
     */
    @Nullable
    Chart lagOverSendDelay() throws LagbenchException {
        if (run.sent() <= 1 || run.sent() <= run.counts().lost()) {
            return null;
        }
        PacketStretch stretch = PacketStretch.around(longestDelay(), run.sent());
        List<Curve> lag = stretch.curves(RunCurve.LAG, run);
        List<Curve> delay = stretch.curves(RunCurve.SEND_DELAY, run);
        double minLagNs = lag.stream().mapToLong(Curve::minY).min().orElse(0);
        double maxLagNs = lag.stream().mapToLong(Curve::maxY).max().orElse(0);
        double maxDelayNs = delay.stream().mapToLong(Curve::maxY).max().orElse(0);
        double fromLagNs = Math.min(minLagNs, maxLagNs - minLagNs > minLagNs ? 0 : minLagNs);
        double spanNs = Math.max(Math.max(maxLagNs - fromLagNs, maxDelayNs), 1);
        TimeScale unit = TimeScale.forUpTo(Math.max(maxLagNs, maxDelayNs));
        double roomNs = spanNs * DELAY_HEADROOM;
        Axis lagAxis = Axis.linear(
                "transmit lag (" + unit.symbol() + ")",
                unit.of(fromLagNs - roomNs),
                unit.of(fromLagNs + spanNs + roomNs));
        Axis delayAxis =
                Axis.linear("IPD at sender (" + unit.symbol() + ")", unit.of(-roomNs), unit.of(spanNs + roomNs));
        return new Chart(
                "Transmit lag and inter-packet delay, " + pointName(),
                stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                stretch.columns(),
                List.of(
                        new Row(
                                lagAxis,
                                PACKETS_HEIGHT,
                                stretch.panels(lag, "lag", LineStyle.hairline(0), unit, false)),
                        new Row(
                                delayAxis,
                                PACKETS_HEIGHT,
                                stretch.panels(delay, "sent", LineStyle.hairline(1), unit, false))),
                List.of(),
                List.of(Notes.lags(this, run.sent() - run.counts().lost())
                        + " IPD: inter-packet delay. Both have one scale."));
    }

    /** Returns the packet before which the sender waited longest. */
    private long longestDelay() throws LagbenchException {
        Curve delay = RunCurve.SEND_DELAY.of(run, 1);
        long packet = 0;
        for (int i = 0; i < delay.size(); i++) {
            if (delay.y(i) == delay.maxY()) {
                packet = delay.x(i);
            }
        }
        return packet;
    }

    /**
     * Returns the transmit lag over the time of sending, and below it the concurrent events of each side that may have
     * caused it.
     *
     * @return null if the run has no data for it
     */
    @Nullable
    Chart lagOverTime() throws LagbenchException {
        if (run.sent() <= run.counts().lost()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.maxX(run);
        Curve lag = RunCurve.LAG_OVER_TIME.of(run, columns);
        TimeScale time = timeUnit(endNs);
        List<Row> rows = new ArrayList<>();
        double maxGap = 2 * time.of(endNs) / columns;
        Layer line =
                style(0).brokenLine("lag", CurveTimes.x(lag, time), CurveTimes.y(lag, TimeScale.MICROSECONDS), maxGap);
        if (isZoomable) {
            line = line.with(
                    "packets",
                    LayerData.packets(
                            IntStream.range(0, lag.size()).mapToObj(lag::packet).toList()));
        }
        if (isZoomable && directory().isIntact(RunCauses.FILES)) {
            line = line.with("ledgers", ledgers());
        }
        Axis axis = Axis.logarithmicUs("transmit lag", (double) lag.minY(), (double) lag.maxY());
        rows.add(Row.of(axis, height(LAG_HEIGHT), List.of(line)));
        rows.addAll(CauseLanes.of(this, (long) endNs, time));
        List<String> notes = new ArrayList<>();
        notes.add(Notes.lags(this, lag.thinnedFrom()));
        if (!isZoomable) {
            Axis.addNoteBelowMin(notes, "Lags", (double) lag.minY());
            if (rows.size() > 1) {
                notes.add("Below the lag: steps of the clocks, and events that may delay packets, in the time of their"
                        + " side's clock. The duration of the longest event is shown.");
            }
        }
        return overTime("Transmit lag over time, ", time, endNs, rows, notes);
    }

    private Chart overTime(String title, TimeScale time, double endNs, List<Row> rows, List<String> notes) {
        return new Chart(
                title + pointName(),
                Chart.TWO_COLUMNS,
                List.of(CurveTimes.sinceFirstSent(time, endNs)),
                rows,
                List.of(),
                notes);
    }

    /** Returns the ledgers of the slowest packets for the script of a page, by packet. */
    private Map<Long, String> ledgers() throws LagbenchException {
        Map<Long, String> texts = new LinkedHashMap<>();
        for (Ledger ledger : Ledger.slowest(run, MAX_LEDGERS)) {
            texts.put(ledger.packet(), ledger.text());
        }
        return texts;
    }

    /**
     * Returns the fill level of the socket buffers over time. The send buffer, its unsent and its unacknowledged part,
     * and the receive buffer have a panel each, on one scale, to show which of them holds the packets.
     *
     * @return null if the run has no data for it
     */
    @Nullable
    Chart bufferOccupancy() throws LagbenchException {
        Map<String, Curve> buffers = new LinkedHashMap<>();
        if (run.sent() > 0 && directory().isIntact(BufferMetrics.FILES)) {
            add(buffers, "send buffer", BufferFiles.SENDER_FILE_NAME, "send_bytes");
            add(buffers, "not yet sent", BufferFiles.SENDER_FILE_NAME, "not_sent_bytes");
            add(buffers, "unacknowledged", BufferFiles.SENDER_FILE_NAME, "unacked_bytes");
            add(buffers, "receive buffer", BufferFiles.RECEIVER_FILE_NAME, "receive_bytes");
        }
        if (buffers.isEmpty()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.maxX(run);
        TimeScale time = timeUnit(endNs);
        double max = buffers.values().stream().mapToLong(Curve::maxY).max().orElse(0);
        double maxGap = time.of(Math.max(MAX_GAP_NS, 2 * endNs / columns));
        List<Row> rows = new ArrayList<>();
        buffers.forEach((name, curve) -> {
            double[] kib = CurveTimes.scaled(curve.size(), curve::y, Units.BYTES_PER_KIB);
            rows.add(Row.of(
                    Axis.linear(name + " (KiB)", 0, max * BUFFER_HEADROOM / Units.BYTES_PER_KIB),
                    height(BUFFER_HEIGHT),
                    List.of(style(rows.size()).brokenLine(name, CurveTimes.x(curve, time), kib, maxGap))));
        });
        long samples =
                buffers.values().stream().mapToLong(Curve::thinnedFrom).max().orElse(0);
        String note = "Run " + summary.name() + ": " + Numbers.grouped(samples)
                + " samples per buffer, by the clock of its side, nothing removed. Gaps have no samples. "
                + Notes.clock(this);
        return overTime("Socket buffers over time, ", time, endNs, rows, List.of(note));
    }

    /** Adds a curve: the bytes in a buffer over the time since the first packet was sent, in ns. */
    private void add(Map<String, Curve> buffers, String name, String fileName, String field) throws LagbenchException {
        Path file = directory().path().resolve(fileName);
        if (!Files.exists(file)) {
            return;
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            long beginNs = run.sentNs(0);
            int at = reader.field("at_ns");
            int bytes = reader.field(field);
            Thinning thinning = new Thinning(0, RunCurve.LAG_OVER_TIME.maxX(run), columns);
            for (long i = 0; i < reader.records(); i++) {
                if (reader.value(i, bytes) >= 0) {
                    thinning.accept(reader.value(i, at) - beginNs, reader.value(i, bytes));
                }
            }
            Curve curve = thinning.curve();
            if (curve.size() > 0) {
                buffers.put(name, curve);
            }
        }
    }

    /**
     * The part of a run in charts over packet number: a stretch in which single packets are visible, and next to it the
     * whole run, if that is longer.
     *
     * @param packets the number of packets of the run
     * @param from the first packet of the stretch
     * @param to its last packet
     */
    private record PacketStretch(long packets, long from, long to) {
        /**
         * The packets of a stretch, as many as can be seen apart in a panel: three times the packets of 24 bytes that
         * fill a buffer of 4,096.
         */
        private static final int LENGTH = 510;

        /** The label of the horizontal axis. */
        private static final String LABEL = "packet number";

        /** The columns of a thinned curve: one pixel each at 300 dots per inch. */
        private static final int COLUMNS = 900;

        /** Returns the stretch around a packet, moved to lie within the run. */
        static PacketStretch around(long packet, long packets) {
            if (packets <= 2 * LENGTH) {
                return new PacketStretch(packets, 0, Math.max(0, packets - 1));
            }
            long from = Math.min(packets - LENGTH, Math.max(0, packet - LENGTH / 2));
            return new PacketStretch(packets, from, from + LENGTH - 1);
        }

        boolean isAll() {
            return to - from + 1 >= packets;
        }

        /** Returns a column of panels for the run, if it is longer than the stretch, and one for the stretch. */
        List<Column> columns() {
            Column stretch = new Column(
                    isAll() ? "" : "packets " + Numbers.grouped(from) + " to " + Numbers.grouped(to),
                    Axis.linear(LABEL, (double) from, (double) to));
            return isAll()
                    ? List.of(stretch)
                    : List.of(new Column("whole run", Axis.linear(LABEL, 0, (double) packets)), stretch);
        }

        /** Returns the largest distance between packets that a line in a column joins. No line spans a lost packet. */
        double maxGap(int column) {
            return column == 0 && !isAll() ? Math.max(1, 2.0 * (double) packets / COLUMNS) : 1;
        }

        /** Returns a panel with a line for each column; dots for the stretch if {@code isDotted}. */
        List<List<Layer>> panels(List<Curve> curves, String name, LineStyle style, TimeScale unit, boolean isDotted) {
            List<List<Layer>> panels = new ArrayList<>();
            for (int i = 0; i < curves.size(); i++) {
                double[] x = CurveTimes.numbers(curves.get(i));
                double[] y = CurveTimes.y(curves.get(i), unit);
                boolean isDots = isDotted && i == curves.size() - 1;
                panels.add(List.of(isDots ? style.dots(name, x, y) : style.brokenLine(name, x, y, maxGap(i))));
            }
            return panels;
        }

        /** Returns a curve for each column, in one pass over the captures. */
        List<Curve> curves(RunCurve curve, JoinedRun run) throws LagbenchException {
            Thinning whole = new Thinning(0, Math.max(0, packets - 1), COLUMNS);
            // with one column for each packet, it keeps all
            Thinning stretch = new Thinning(from, to, (int) (to - from + 1));
            curve.forEach(run, (packet, x, y) -> {
                whole.accept(packet, x, y);
                stretch.accept(packet, x, y);
            });
            return isAll() ? List.of(stretch.curve()) : List.of(whole.curve(), stretch.curve());
        }
    }
}
