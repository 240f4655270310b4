package org.lagbench.report.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.State;

/** A session with known results. */
final class ReportSession {
    /** A name that a page must escape. */
    static final String NAME = "odd <b>&\"'${1+1} – µ";

    static final int PACKETS = 3_000;

    /** The run with the longest lag. */
    static final String SLOWEST_RUN = "0003-udp-24-r1";

    /** Its name in words. */
    static final String SLOWEST_TITLE = "UDP/IP, 24 bytes, run 1";

    static final long MAX_LAG_NS = 40_123_456;
    static final int SLOWEST_PACKET = 2_101;
    static final long INTERVAL_NS = 100_000;
    private static final long FIRST_KEY = 12;
    private static final int UNSTAMPED_PACKET = 500;

    private ReportSession() {}

    static Path write(Path directory) throws IOException, LagbenchException {
        SessionFixture session = new SessionFixture(directory.resolve(NAME));
        run(session, "0001-tcp-992-r1", "tcp", 992, 1);
        run(session, "0002-tcp-992-r2", "tcp", 992, 2);
        run(session, SLOWEST_RUN, "udp", 24, 3);
        session.run("0004-udp-992-r1", "udp", 992)
                .sent(0)
                .packets(10)
                .received(new long[] {0, 9})
                .ended(State.BROKEN, "the receiver said </script><script>alert(1)</script>")
                .write();
        events(session.path().resolve("runs").resolve(SLOWEST_RUN));
        occupancy(session.path().resolve("runs").resolve(SLOWEST_RUN));
        Files.writeString(
                session.path().resolve("environment.json"),
                "{\"kernel\":\"Linux <i>6</i>\",\"cpuCount\":2,\"x\":{\"y.z\":\"1\"}}");
        Files.writeString(session.path().resolve("experiment.yaml"), "name: <script>alert(2)</script>\n");
        return session.path();
    }

    /**
     * Writes samples of a send buffer whose level grows by one byte per sample. Its maximum was before the first
     * packet.
     */
    private static void occupancy(Path run) throws IOException {
        try (GrowingCapture sender = GrowingCapture.create(
                run.resolve("sender-buffers.npy"),
                List.of(
                        "at_ns",
                        "send_bytes",
                        "not_sent_bytes",
                        "unacked_bytes",
                        "busy_us",
                        "rwnd_limited_us",
                        "sndbuf_limited_us"))) {
            sender.append(SessionFixture.EPOCH_NS - 1_000_000, 1_000_000, -1, -1, -1, -1, -1);
            for (int i = 0; i < 300; i++) {
                sender.append(SessionFixture.EPOCH_NS + 1_000_000 + i * 900_000L, 4_000 + i, -1, -1, -1, -1, -1);
            }
        }
        try (GrowingCapture receiver =
                GrowingCapture.create(run.resolve("receiver-buffers.npy"), List.of("at_ns", "receive_bytes"))) {
            for (int i = 0; i < 300; i++) {
                receiver.append(SessionFixture.EPOCH_NS + 1_000_000 + i * 900_000L, i % 7);
            }
        }
    }

    /** Writes a garbage collection at the receiver during the transmission of the slowest packet. */
    private static void events(Path run) throws IOException {
        try (GrowingCapture sender = EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME));
                GrowingCapture receiver = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME))) {
            long sentNs = SessionFixture.EPOCH_NS + SLOWEST_PACKET * INTERVAL_NS;
            sender.append(Cause.SAFEPOINT.code(), sentNs - 50_000_000, sentNs - 49_000_000, 1_000_000, 0, 0);
            receiver.append(Cause.GARBAGE_COLLECTION.code(), sentNs, sentNs + MAX_LAG_NS, MAX_LAG_NS, 0, 0);
        }
    }

    private static void run(SessionFixture session, String name, String transport, int bytes, int seed)
            throws IOException, LagbenchException {
        Random random = new Random(seed);
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS + random.nextInt(5_000);
            long lagNs = 20_000L * seed + (long) (Math.exp(random.nextGaussian()) * 10_000);
            boolean slowest = name.equals(SLOWEST_RUN) && i == SLOWEST_PACKET;
            long receivedNs = sent[i] + (slowest ? MAX_LAG_NS : lagNs);
            received[i] = name.equals(SLOWEST_RUN)
                    ? new long[] {i, receivedNs, sent[i] + 9_000 + i}
                    : new long[] {i, receivedNs};
        }
        // a copy replaces a lost packet
        received[77] = received[76].clone();
        received[77][1] += 10;
        Path run = session.run(name, transport, bytes)
                .metadata(
                        Map.of(
                                KernelCapture.FIRST_KEY_NAME,
                                FIRST_KEY,
                                "sendBufferRequestedBytes",
                                100_000L + bytes,
                                "sendBufferBytes",
                                200_000L + bytes),
                        Map.of("receiveBufferRequestedBytes", 300_000L + bytes, "receiveBufferBytes", 600_000L + bytes))
                .scheduled(INTERVAL_NS, sent)
                .setting("receive-buffer", "</script>")
                .sent(sent)
                .received(received)
                .write();
        if (name.equals(SLOWEST_RUN)) {
            stamps(run, sent);
        }
    }

    /** Each packet is queued 2 µs after it was sent and reaches the driver 3 µs later; one lacks a stamp. */
    private static void stamps(Path run, long[] sent) throws IOException {
        try (KernelCapture capture = KernelCapture.create(run.resolve(KernelCapture.FILE_NAME), 2L * sent.length)) {
            for (int i = 0; i < sent.length; i++) {
                capture.append(KernelCapture.SCHEDULED, FIRST_KEY + i, SessionFixture.EPOCH_NS + sent[i] + 2_000);
                if (i != UNSTAMPED_PACKET) {
                    capture.append(KernelCapture.SENT, FIRST_KEY + i, SessionFixture.EPOCH_NS + sent[i] + 5_000);
                }
            }
        }
    }
}
