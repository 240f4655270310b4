package org.lagbench.report.figure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.curve.Thinning;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Line;

/**
 * How full the socket buffers were over time: a panel for the send buffer, what of it was not yet sent, what was sent
 * and not acknowledged, and what the receiver had not read, on one scale, so that it can be seen which of them holds
 * the packets.
 */
final class BufferOccupancy {
    static final Figure FIGURE = Figure.ofPoints(
            "buffer-occupancy",
            "how full the socket buffers were over time",
            "runs that recorded it (observe: [stages])",
            BufferOccupancy::chart);

    private static final double HEIGHT = 72;
    private static final double ROOM = 1.05;
    private static final double BYTES_PER_KIB = 1024;

    /** Samples are a millisecond apart unless something was in the way. */
    private static final double LONGEST_GAP_NS = 5e6;

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        List<Occupancy> buffers = buffers(view);
        if (buffers.isEmpty()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.greatestX(view.run());
        TimeUnit time = view.timeUnit(endNs);
        double most = buffers.stream()
                .mapToDouble(buffer -> (double) buffer.curve().greatestY())
                .max()
                .orElse(0);
        double longestGap = time.of(Math.max(LONGEST_GAP_NS, 2 * endNs / view.columns()));
        List<Row> rows = new ArrayList<>();
        for (Occupancy buffer : buffers) {
            double[] kib = new double[buffer.curve().size()];
            for (int i = 0; i < kib.length; i++) {
                kib[i] = (double) buffer.curve().y(i) / BYTES_PER_KIB;
            }
            rows.add(new Row(
                    Axis.linear(buffer.name() + " (KiB)", 0, most * ROOM / BYTES_PER_KIB),
                    view.height(HEIGHT),
                    List.of(new Panel(List.of(Line.broken(
                            buffer.name(), view.style(rows.size()), time.x(buffer.curve()), kib, longestGap))))));
        }
        long samples = buffers.stream()
                .mapToLong(buffer -> buffer.curve().thinnedFrom())
                .max()
                .orElse(0);
        return new Chart(
                "Socket buffers over time, " + view.pointName(),
                Chart.TWO_COLUMNS,
                List.of(time.sinceFirstSent(endNs)),
                rows,
                List.of(),
                List.of("Run " + view.summary().name() + ": " + Notes.count(samples)
                        + " samples a buffer, by the clock of its side, nothing removed; where there is no line none"
                        + " was taken. "
                        + Notes.clock(view.summary().figures().clock())));
    }

    /**
     * How full one buffer was.
     *
     * @param name what it is
     * @param curve bytes over ns since the first packet was sent
     */
    private record Occupancy(String name, Curve curve) {}

    private static List<Occupancy> buffers(RunView view) throws LagbenchException {
        List<Occupancy> buffers = new ArrayList<>();
        if (view.run().sent() > 0) {
            add(buffers, "send buffer", view, BufferFiles.SENDER_FILE_NAME, "send_bytes");
            add(buffers, "not yet sent", view, BufferFiles.SENDER_FILE_NAME, "not_sent_bytes");
            add(buffers, "unacknowledged", view, BufferFiles.SENDER_FILE_NAME, "unacked_bytes");
            add(buffers, "receive buffer", view, BufferFiles.RECEIVER_FILE_NAME, "receive_bytes");
        }
        return buffers;
    }

    private static void add(List<Occupancy> buffers, String name, RunView view, String fileName, String field)
            throws LagbenchException {
        Path file = view.directory().resolve(fileName);
        if (!Files.exists(file)) {
            return;
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            long beginNs = view.run().sentNs(0);
            int at = reader.field("at_ns");
            int bytes = reader.field(field);
            Thinning thinning = new Thinning(0, RunCurve.LAG_OVER_TIME.greatestX(view.run()), view.columns());
            for (long i = 0; i < reader.records(); i++) {
                if (reader.value(i, bytes) >= 0) {
                    thinning.accept(reader.value(i, at) - beginNs, reader.value(i, bytes));
                }
            }
            Curve curve = thinning.curve();
            if (curve.size() > 0) {
                buffers.add(new Occupancy(name, curve));
            }
        }
    }
}
