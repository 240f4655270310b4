package org.lagbench.report.page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.LagbenchException;

/** A session of many points whose labels need much room: lags from 90 ns to seconds, long settings, all events. */
final class CrowdedSession {
    static final List<Integer> SIZES = List.of(1_400, 992, 396, 24);
    static final List<String> TRANSPORTS = List.of("tcp", "udp", "ieee1394");
    static final String MARK = "The receiver's clock was stepped by +2.000 ms: lags before and after differ.";

    private static final int PACKETS = 200;
    private static final long INTERVAL_NS = 1_000_000;
    private static final long MIN_LAG_NS = 90;

    private CrowdedSession() {}

    static Path write(Path directory) throws IOException, LagbenchException {
        SessionFixture session = new SessionFixture(directory.resolve("crowded"));
        int number = 0;
        for (String transport : TRANSPORTS) {
            for (int size : SIZES) {
                for (int buffer = 65_536; buffer <= 262_144; buffer *= 2) {
                    run(session, transport, size, buffer, number++);
                }
            }
        }
        return session.path();
    }

    private static void run(SessionFixture session, String transport, int size, int buffer, int number)
            throws IOException, LagbenchException {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            // each run has another range, of up to four decades
            double share = (double) i / PACKETS;
            double decades = 0.1 * number + share * number / 9;
            received[i] = new long[] {i, sent[i] + Math.round(MIN_LAG_NS * Math.pow(10, decades))};
        }
        Path run = session.run(String.format("%04d-%s-%d-r1", number, transport, size), transport, size)
                .metadata(Map.of("bus", "virtual bus"), Map.of())
                .setting("receive-queue-packets", buffer)
                .clock(SessionFixture.clockOf(1L, ClockBound.Basis.SAME_KERNEL, MARK))
                .sent(sent)
                .received(received)
                .write();
        try (GrowingCapture sender = EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME));
                GrowingCapture receiver = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME))) {
            for (Cause cause : Cause.values()) {
                for (int i = 0; i < 5; i++) {
                    long fromNs = SessionFixture.EPOCH_NS + (i * 40 + 8) * INTERVAL_NS;
                    long lengthNs = 100_000L * (i + 1) * (i + 1) * cause.code();
                    sender.append(cause.code(), fromNs, fromNs + lengthNs, lengthNs, 0, 0);
                    receiver.append(cause.code(), fromNs, fromNs + 2 * lengthNs, lengthNs, 0, 0);
                }
            }
        }
    }
}
