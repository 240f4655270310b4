package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.lagbench.analysis.capacity.SlowStart;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.transfer.ConnectionMetrics;
import org.lagbench.analysis.transfer.ConnectionMetrics.RoundMetrics;
import org.lagbench.analysis.transfer.ConnectionMetrics.VerdictMetrics;
import org.lagbench.analysis.transfer.TransferGroups;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.analysis.transfer.TransferMetrics.Rate;
import org.lagbench.core.text.Units;

/** The throughput of transfers by three formulas, and what limited them. */
public final class TransferView extends View {

    /** From this share of the time on, a limit has its own note. */
    private static final double NOTED_SHARE = 0.05;

    public TransferView() {
        super("transfer", 90, TransferGroups.TRANSFERS);
    }

    @Override
    Predicate<Summary> defaultFor() {
        return summary -> !summary.points().isEmpty()
                && summary.points().stream().allMatch(point -> point.pooled().get(TransferGroups.TRANSFERS) != null);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        return List.of(throughput(rows), verdicts(rows), limits(rows), growth(rows));
    }

    private static Table throughput(PointRows rows) {
        TableColumns<TransferMetrics> columns = new TableColumns<TransferMetrics>()
                .number("Size", "bytes", metrics -> Numbers.grouped(metrics.transferBytes()))
                .number("Transfers", "", metrics -> Numbers.grouped(metrics.transfers()))
                .fixed(3, "Δt", "ms", metrics -> metrics.medianElapsedNs() / Units.NS_PER_MS)
                .fixed(3, "Latency", "ms", metrics -> metrics.medianLatencyNs() / Units.NS_PER_MS)
                .addAll(rate("S/Δt"), TransferMetrics::elapsedBitsPerS)
                .addAll(rate("S/(Δt − latency)"), TransferMetrics::latencySubtractedBitsPerS)
                .addAll(rate("Receiver, first to last"), TransferMetrics::receiverBitsPerS);
        if (isEncoded(rows)) {
            columns.addAll(rate("The same, encoded"), TransferMetrics::encodedBitsPerS);
        }
        return rows.table("Throughput of transfers", columns, TransferGroups.TRANSFERS);
    }

    private static boolean isEncoded(PointRows rows) {
        return rows.pooled(TransferGroups.TRANSFERS).stream().anyMatch(transfers -> transfers.compression() != null);
    }

    private static TableColumns<Rate> rate(String title) {
        return new TableColumns<Rate>()
                .group(title)
                .number("Median", "Mbit/s", rate -> Numbers.mbitText(rate.median()))
                .number("Low", "Mbit/s", rate -> Numbers.mbitText(rate.low()))
                .number("High", "Mbit/s", rate -> Numbers.mbitText(rate.high()));
    }

    private static Table verdicts(PointRows rows) {
        TableColumns<VerdictMetrics> columns = new TableColumns<VerdictMetrics>()
                .text("Verdict", metrics -> metrics.verdict().phrase())
                .number("Transfers", "", metrics -> Numbers.grouped(metrics.transfers()))
                .addAll(rate("Achieved rate"), VerdictMetrics::bitsPerS);
        return rows.table(
                "Verdicts: a rate is the path's only if the verdict is network",
                columns,
                TransferGroups.TRANSFERS,
                transfers -> {
                    ConnectionMetrics connection = transfers.connection();
                    return connection == null ? List.of() : connection.verdicts();
                });
    }

    /** The table of slow start in the form of Yousaf, Welzl and Junaid (2007): measured and computed values. */
    private static Table growth(PointRows rows) {
        TableColumns<Growth> columns = new TableColumns<Growth>()
                .number("Round trip", "", row -> Numbers.grouped(row.measured().round()))
                .fixed(0, "Time", "ms", row -> row.timeNs() / Units.NS_PER_MS)
                .group("Window, segments")
                .mean("Measured", "", row -> row.measured().medianCwndSegments())
                .mean("Arithmetic", "", Growth::window)
                .group("Sent before, KB")
                .mean("Measured", "", row -> row.measured().medianSentBytes() / Units.BYTES_PER_KB)
                .mean("Arithmetic", "", row -> row.sentBytes() / Units.BYTES_PER_KB);
        return rows.table("Slow start", columns, TransferGroups.TRANSFERS, TransferView::slowStart);
    }

    /** A round trip of slow start: the measured window, and the window computed from the initial window. */
    private record Growth(RoundMetrics measured, double timeNs, double window, double sentBytes) {}

    private static List<Growth> slowStart(TransferMetrics transfers) {
        ConnectionMetrics connection = transfers.connection();
        if (connection == null || connection.slowStart().isEmpty()) {
            return List.of();
        }
        int initialWindow = (int) connection.slowStart().get(0).medianCwndSegments();
        SlowStart arithmetic = new SlowStart(initialWindow, SlowStart.DOUBLING);
        return connection.slowStart().stream()
                .map(measured -> new Growth(
                        measured,
                        measured.round() * 2 * transfers.medianLatencyNs(),
                        arithmetic.windowAfter(measured.round()),
                        arithmetic.sentIn(measured.round()) * connection.medianSegmentBytes()))
                .toList();
    }

    private static Table limits(PointRows rows) {
        TableColumns<ConnectionMetrics> columns = new TableColumns<ConnectionMetrics>()
                .number("In slow start", "transfers", states -> Numbers.grouped(states.inSlowStart()))
                .mean("Window at end", "segments", ConnectionMetrics::medianCwndSegments)
                .number("Delivery", "Mbit/s", states -> Numbers.mbitText(states.medianDeliveryBitsPerS()))
                .group("Limited by")
                .fixed(1, "Receive window", "% of time", states -> 100 * states.receiveWindowLimited())
                .fixed(1, "Send buffer", "% of time", states -> 100 * states.sendBufferLimited())
                .group("")
                .number("Sent again", "segments", states -> Numbers.grouped(states.retransmittedSegments()));
        return rows.table(
                "What limited the transfers, by TCP_INFO",
                columns,
                TransferGroups.TRANSFERS,
                transfers -> Stream.ofNullable(transfers.connection()).toList());
    }

    @Override
    protected List<String> notes(PointRows rows) {
        if (rows.pooled(TransferGroups.TRANSFERS).isEmpty()) {
            return List.of("There are no transfers. Set \"traffic: transfer\" in the experiment.");
        }
        List<String> notes = new ArrayList<>();
        notes.add("S: size of a transfer. Δt: from just before its first piece was sent until its reply was received."
                + " Latency: half the shortest round trip.");
        notes.add("S/Δt: as in the Network Weather Service. S/(Δt − latency): Yousaf, Welzl and Junaid (2007)."
                + " Receiver: the bytes after the first receive call, by the time until the last.");
        if (isEncoded(rows)) {
            notes.add("All rates count the bytes before encoding, except the last: it counts the encoded bytes with"
                    + " their headers.");
        }
        notes.add(
                "Low and high: the interval of the median over all transfers of the point's runs, by order statistics."
                        + " With 6 transfers or more its confidence is at least 95 %.");
        if (rows.pooled(TransferGroups.TRANSFERS).stream().anyMatch(TransferView::hasUnfilled)) {
            notes.add(CapacityReport.OF_SECOND_HALF);
        }
        for (PointSummary point : rows.summary().points()) {
            TransferMetrics transfers = point.pooled().get(TransferGroups.TRANSFERS);
            if (transfers != null && transfers.connection() != null) {
                addLimits(rows.name(point), transfers, transfers.connection(), notes);
            }
        }
        return notes;
    }

    /** Returns whether a transfer did not fill the path, so that its rate is not the path's. */
    private static boolean hasUnfilled(TransferMetrics transfers) {
        ConnectionMetrics connection = transfers.connection();
        return connection != null
                && connection.verdicts().stream().anyMatch(metrics -> metrics.verdict() != TransferLimit.NETWORK);
    }

    private static void addLimits(
            String point, TransferMetrics transfers, ConnectionMetrics states, List<String> notes) {
        if (states.inSlowStart() > 0) {
            notes.add(point + ": " + states.inSlowStart() + " of " + transfers.transfers()
                    + " transfers never left slow start. Their throughput depends on the round trip and the initial"
                    + " window, not only on the link.");
        }
        if (states.receiveWindowLimited() >= NOTED_SHARE) {
            notes.add(point + ": the receiver's window limited the transfers for "
                    + Numbers.fixed(1, 100 * states.receiveWindowLimited())
                    + " % of the time. See tcp.receive-buffer.");
        }
        if (states.sendBufferLimited() >= NOTED_SHARE) {
            notes.add(point + ": the send buffer limited the transfers for "
                    + Numbers.fixed(1, 100 * states.sendBufferLimited()) + " % of the time. See tcp.send-buffer.");
        }
    }
}
