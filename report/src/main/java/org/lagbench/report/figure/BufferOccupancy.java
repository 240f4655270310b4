package org.lagbench.report.figure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.curve.Thinning;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Line;
import org.lagbench.report.plot.LineStyle;

/**
 * How full the socket buffers were over time: a panel for what was not yet sent, what was sent and not acknowledged,
 * and what the receiver had not read, on one scale, so that it can be seen which of them holds the packets.
 */
final class BufferOccupancy extends PointFigure {
    private static final double HEIGHT = 72;
    private static final double ROOM = 1.05;
    private static final double BYTES_PER_KIB = 1024;

    /** Samples are a millisecond apart unless something was in the way. */
    private static final double LONGEST_GAP_NS = 5e6;

    /** A pixel each at 300 dots an inch. */
    private static final int COLUMNS = 2_000;

    @Override
    public String name() {
        return "buffer-occupancy";
    }

    @Override
    public String description() {
        return "how full the socket buffers were over time";
    }

    @Override
    public String needs() {
        return "runs that recorded it (observe: [stages])";
    }

    @Override
    @Nullable
    Chart chart(Material material, PointSummary point, RunSummary shown, JoinedRun run) throws LagbenchException {
        List<Occupancy> buffers = buffers(material.directory(shown.name()).path(), run);
        return buffers.isEmpty() ? null : chartOf(material, point, shown, run, buffers);
    }

    /**
     * How full one buffer was.
     *
     * @param name what it is
     * @param curve bytes over ns since the first packet was sent
     */
    private record Occupancy(String name, Curve curve) {}

    private static List<Occupancy> buffers(Path directory, JoinedRun run) throws LagbenchException {
        List<Occupancy> buffers = new ArrayList<>();
        if (run.sent() > 0) {
            Path sender = directory.resolve(BufferFiles.SENDER_FILE_NAME);
            Path receiver = directory.resolve(BufferFiles.RECEIVER_FILE_NAME);
            add(buffers, "not yet sent", sender, "not_sent_bytes", run);
            add(buffers, "unacknowledged", sender, "unacked_bytes", run);
            if (buffers.isEmpty()) { // datagrams are not acknowledged
                add(buffers, "send buffer", sender, "send_bytes", run);
            }
            add(buffers, "receive buffer", receiver, "receive_bytes", run);
        }
        return buffers;
    }

    private static void add(List<Occupancy> buffers, String name, Path file, String field, JoinedRun run)
            throws LagbenchException {
        if (!Files.exists(file)) {
            return;
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            long beginNs = run.sentNs(0);
            int at = reader.field("at_ns");
            int bytes = reader.field(field);
            Thinning thinning = new Thinning(0, RunCurve.LAG_OVER_TIME.greatestX(run), COLUMNS);
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

    private static Chart chartOf(
            Material material, PointSummary point, RunSummary shown, JoinedRun run, List<Occupancy> buffers)
            throws LagbenchException {
        double endNs = (double) RunCurve.LAG_OVER_TIME.greatestX(run);
        TimeUnit time = TimeUnit.ofDuration(endNs);
        double most = buffers.stream()
                .mapToDouble(buffer -> (double) buffer.curve().greatestY())
                .max()
                .orElse(0);
        List<Row> rows = new ArrayList<>();
        for (Occupancy buffer : buffers) {
            double[] kib = new double[buffer.curve().size()];
            for (int i = 0; i < kib.length; i++) {
                kib[i] = (double) buffer.curve().y(i) / BYTES_PER_KIB;
            }
            rows.add(new Row(
                    Axis.linear(buffer.name() + " (KiB)", 0, most * ROOM / BYTES_PER_KIB),
                    HEIGHT,
                    List.of(new Panel(List.of(Line.broken(
                            buffer.name(),
                            LineStyle.hairline(rows.size()),
                            time.x(buffer.curve()),
                            kib,
                            time.of(Math.max(LONGEST_GAP_NS, 2 * endNs / COLUMNS))))))));
        }
        long samples = buffers.stream()
                .mapToLong(buffer -> buffer.curve().thinnedFrom())
                .max()
                .orElse(0);
        return new Chart(
                "Socket buffers over time, " + material.names().full(point.point()),
                Chart.TWO_COLUMNS,
                List.of(time.sinceFirstSent(endNs)),
                rows,
                List.of(),
                List.of("Run " + shown.name() + ": " + Notes.count(samples)
                        + " samples a buffer, by the clock of its side, nothing removed; where there is no line none"
                        + " was taken. "
                        + Notes.clock(shown.figures().clock())));
    }
}
