package org.lagbench.report.page;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.Thinning;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * How full the buffers of a run's sockets were while packets were under way, in bytes over ns since the first packet
 * was sent, each by the clock of its own side.
 */
final class OccupancyCurves {
    private static final String AT = "at_ns";

    /** The files of both sides with their fields. */
    private static final Map<String, List<String>> FIELDS = Map.of(
            "sender-buffers.npy", List.of("send_bytes", "not_sent_bytes", "unacked_bytes"),
            "receiver-buffers.npy", List.of("receive_bytes"));

    private OccupancyCurves() {}

    /**
     * The level of each buffer that the run's transport has.
     *
     * @param columns how many, for all of them together
     */
    static Map<String, Curve> levels(Path directory, JoinedRun run, int columns) throws LagbenchException {
        Map<String, Curve> levels = new LinkedHashMap<>();
        if (run.sent() == 0 || run.received() == 0) {
            return levels;
        }
        long fromNs = run.sentNs(0);
        long untilNs = Math.max(fromNs, run.receivedNs(run.received() - 1));
        int columnsEach = Math.max(1, columns / 4);
        for (String file : FIELDS.keySet().stream().sorted().toList()) {
            if (!Files.exists(directory.resolve(file))) {
                continue;
            }
            try (CaptureReader reader = CaptureReader.open(directory.resolve(file))) {
                for (String field : FIELDS.getOrDefault(file, List.of())) {
                    Curve level = level(reader, field, fromNs, untilNs, columnsEach);
                    if (level.size() > 0) {
                        levels.put(field, level);
                    }
                }
            }
        }
        return levels;
    }

    /** Negative values are of what the kernel does not tell. */
    private static Curve level(CaptureReader reader, String field, long fromNs, long untilNs, int columns)
            throws LagbenchException {
        Thinning thinning = new Thinning(0, untilNs - fromNs, columns);
        if (reader.has(field)) {
            int at = reader.field(AT);
            int bytes = reader.field(field);
            for (long i = 0; i < reader.records(); i++) {
                long value = reader.value(i, bytes);
                if (value >= 0) {
                    thinning.accept(reader.value(i, at) - fromNs, value);
                }
            }
        }
        return thinning.curve();
    }
}
