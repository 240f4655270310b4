package org.lagbench.report.chart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.stage.BufferMetrics;
import org.lagbench.analysis.statistics.Curve;
import org.lagbench.analysis.statistics.Thinning;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.table.Numbers;

/**
 * The fill level of the socket buffers over time. The send buffer, its unsent and its unacknowledged part, and the
 * receive buffer have a panel each, on one scale, to show which of them holds the packets.
 */
final class BufferOccupancy {
    private static final double HEIGHT = 72;
    private static final double HEADROOM = 1.05;

    /** The longest gap, in ns, that a line joins: samples are 1 ms apart unless something delayed the sampler. */
    private static final double MAX_GAP_NS = 5e6;

    private BufferOccupancy() {}

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        Map<String, Curve> buffers = new LinkedHashMap<>();
        if (view.run().sent() > 0 && view.context().isIntact(view.summary().name(), BufferMetrics.FILES)) {
            add(buffers, "send buffer", view, BufferFiles.SENDER_FILE_NAME, "send_bytes");
            add(buffers, "not yet sent", view, BufferFiles.SENDER_FILE_NAME, "not_sent_bytes");
            add(buffers, "unacknowledged", view, BufferFiles.SENDER_FILE_NAME, "unacked_bytes");
            add(buffers, "receive buffer", view, BufferFiles.RECEIVER_FILE_NAME, "receive_bytes");
        }
        if (buffers.isEmpty()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.maxX(view.run());
        TimeUnit time = view.timeUnit(endNs);
        double max = buffers.values().stream().mapToLong(Curve::maxY).max().orElse(0);
        double maxGap = time.of(Math.max(MAX_GAP_NS, 2 * endNs / view.columns()));
        List<Row> rows = new ArrayList<>();
        buffers.forEach((name, curve) -> rows.add(Row.of(
                Axis.linear(name + " (KiB)", 0, max * HEADROOM / Units.BYTES_PER_KIB),
                view.height(HEIGHT),
                List.of(Line.broken(
                        name,
                        view.style(rows.size()),
                        time.x(curve),
                        TimeUnit.scaled(curve.size(), curve::y, Units.BYTES_PER_KIB),
                        maxGap)))));
        long samples =
                buffers.values().stream().mapToLong(Curve::thinnedFrom).max().orElse(0);
        return new Chart(
                "Socket buffers over time, " + view.pointName(),
                Chart.TWO_COLUMNS,
                List.of(time.sinceFirstSent(endNs)),
                rows,
                List.of(),
                List.of("Run " + view.summary().name() + ": " + Numbers.grouped(samples)
                        + " samples per buffer, by the clock of its side, nothing removed. Gaps have no samples. "
                        + Notes.clock(view)));
    }

    /** Adds a curve: the bytes in a buffer over the time since the first packet was sent, in ns. */
    private static void add(Map<String, Curve> buffers, String name, RunView view, String fileName, String field)
            throws LagbenchException {
        Path file = view.directory().resolve(fileName);
        if (!Files.exists(file)) {
            return;
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            long beginNs = view.run().sentNs(0);
            int at = reader.field("at_ns");
            int bytes = reader.field(field);
            Thinning thinning = new Thinning(0, RunCurve.LAG_OVER_TIME.maxX(view.run()), view.columns());
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
}
