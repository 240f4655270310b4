package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.RunRecord.Counts;

/** Runs of packets with known times and events, and the parts of their ledgers. */
final class LedgerFixture {
    static final long INTERVAL_NS = 100_000;

    /** The time when a packet left that has no stamp of its departure. */
    static final long NONE = Long.MIN_VALUE;

    final List<long[]> senderEvents = new ArrayList<>();
    final List<long[]> receiverEvents = new ArrayList<>();
    final Map<String, Object> senderMetadata = new HashMap<>();
    final Map<String, Object> receiverMetadata = new HashMap<>();
    boolean hasDriverStamps;
    boolean hasEvents = true;
    boolean hasDepartures;

    private final Path directory;

    /** Creates a fixture of runs whose sources recorded all events. */
    LedgerFixture(Path directory) {
        this.directory = directory;
        senderMetadata.put("remoteAddress", "192.0.2.1:4711");
        senderMetadata.put(KernelCapture.FIRST_KEY_NAME, 0);
        for (Map<String, Object> metadata : List.of(senderMetadata, receiverMetadata)) {
            metadata.put("waits", "the observer in the kernel");
            metadata.put("waitsLost", 0);
            metadata.put("causeEventsForgotten", 0);
        }
    }

    /** The times of a packet since its scheduled time. */
    record Times(long sent, long returned, long left, long stamp, long received) {}

    static Attribution.TailScan scan(JoinedRun run, PacketDelay series) throws Exception {
        RunCauses causes = RunCauses.open(run, Tail.DEFAULT);
        assertThat(causes).isNotNull();
        return causes.attribution(series).scan();
    }

    static Map<String, Long> parts(Path path, PacketDelay series) throws Exception {
        return parts(path, series, 0);
    }

    static Map<String, Long> parts(Path path, PacketDelay series, int arrival) throws Exception {
        Map<String, Long> sums = new TreeMap<>();
        try (JoinedRun run = JoinedRun.open(path)) {
            Attribution.TailScan scan = scan(run, series);
            for (int i = 0; i <= arrival; i++) {
                scan.advance(i);
            }
            for (Part part : scan.ledger().parts().parts()) {
                SideCause cause = part.cause();
                String name = (cause == null ? "unexplained" : cause.text()) + " "
                        + part.kind().text();
                sums.merge(name, part.ns(), Long::sum);
            }
        }
        return sums;
    }

    static long[] event(Cause cause, long startNs, long endNs) {
        return new long[] {cause.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, endNs - startNs};
    }

    /** Writes a run whose packets are {@link #INTERVAL_NS} apart, with their arrivals in order. */
    Path write(String transport, List<Times> times) throws Exception {
        int packets = times.size();
        long[] scheduled = new long[packets];
        long[] sent = new long[packets];
        long[] returned = new long[packets];
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < packets; i++) {
            Times packet = times.get(i);
            scheduled[i] = i * INTERVAL_NS;
            sent[i] = scheduled[i] + packet.sent();
            returned[i] = scheduled[i] + packet.returned();
            long stamp = packet.stamp() == 0 ? -EPOCH_NS : scheduled[i] + packet.stamp();
            arrivals.add(new long[] {i, scheduled[i] + packet.received(), stamp});
        }
        arrivals.sort((one, other) -> Long.compare(one[1], other[1]));
        Path run = new SessionFixture(directory.resolve(transport + System.nanoTime()))
                .run("a-r1", transport, 24)
                .scheduled(INTERVAL_NS, scheduled)
                .sent(sent)
                .returned(returned)
                .received(arrivals.toArray(long[][]::new))
                .metadata(senderMetadata, receiverMetadata)
                .counts(new Counts(packets, packets, 0, 0, 0, 0, 3, null))
                .write();
        if (hasEvents) {
            write(run.resolve(EventsCapture.SENDER_FILE_NAME), senderEvents);
            write(run.resolve(EventsCapture.RECEIVER_FILE_NAME), receiverEvents);
        }
        if (hasDriverStamps) {
            Path stamps = Files.createDirectories(run).resolve(KernelCapture.FILE_NAME);
            try (KernelCapture capture = KernelCapture.create(stamps, 2L * packets)) {
                for (int i = 0; i < packets; i++) {
                    long leftNs = EPOCH_NS + scheduled[i] + times.get(i).left();
                    long key = transport.equals("tcp") ? 24L * i : i;
                    capture.append(KernelCapture.SCHEDULED, key, leftNs);
                    capture.append(KernelCapture.SENT, key, leftNs);
                }
            }
        }
        if (hasDepartures) {
            try (GrowingCapture capture = DeparturesCapture.create(run.resolve(DeparturesCapture.FILE_NAME))) {
                for (int i = 0; i < packets; i++) {
                    if (times.get(i).left() != NONE) {
                        capture.append(i, EPOCH_NS + scheduled[i] + times.get(i).left());
                    }
                }
            }
        }
        return run;
    }

    private static void write(Path file, List<long[]> events) throws Exception {
        try (GrowingCapture capture = EventsCapture.create(file)) {
            for (long[] event : events) {
                capture.append(event[0], event[1], event[2], event[3], 0, 0);
            }
        }
    }
}
