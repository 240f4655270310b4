package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;
import static org.lagbench.core.cause.Cause.RUN_QUEUE;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.RunRecord.Counts;

/**
 * Runs of 1,000 packets, one every 1,000 ns, with a lag of 100 ns unless a stop with known times delays them. A
 * single-server queue computes the stamps, without the code under test.
 */
abstract class AttributionFixture {
    static final int PACKETS = 1_000;
    static final long INTERVAL_NS = 1_000;
    static final long TRANSIT_NS = 100;
    static final long SERVICE_NS = 10;

    /**
     * The beginning of the stop. Packets sent from 500,000 ns on wait until 506,500 ns: seven of the ten packets above
     * Q99.
     */
    static final long STOP_NS = 499_950;

    static final long GO_NS = 506_500;

    @TempDir
    Path directory;

    final List<long[]> senderEvents = new ArrayList<>();
    final List<long[]> receiverEvents = new ArrayList<>();

    int sessions;

    Path session;

    /** How long the send call of packet 500 takes. */
    long callNs = 1;

    String remoteAddress = "127.0.0.1:4711";

    /** How many of the sender's retransmissions, of which there is one, the receiver reports as duplicates. */
    int needless;

    /** Whether the receiving kernel stamps each packet, half of its lag after it was sent. */
    boolean hasStamps;

    /** How far the receiver's clock is ahead, in ns. */
    long aheadNs;

    @BeforeEach
    void nextSession() {
        session = directory.resolve("session-" + sessions++);
    }

    static long[] event(Cause cause, long startNs, long endNs) {
        return new long[] {cause.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, endNs - startNs};
    }

    /** Returns the event of a wait for a CPU on which a program ran, by the first 8 bytes of its name. */
    static long[] named(long startNs, long endNs, long program0) {
        return new long[] {RUN_QUEUE.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, endNs - startNs, program0, 0};
    }

    /** Returns the event of a wait for a CPU that took only {@code tookNs} of the time between start and end. */
    static long[] wait(long startNs, long endNs, long tookNs) {
        return new long[] {RUN_QUEUE.code(), EPOCH_NS + startNs, EPOCH_NS + endNs, tookNs};
    }

    LedgerMetrics received(long stopNs, long goNs) throws Exception {
        return received(stopNs, goNs, SERVICE_NS);
    }

    /** Computes the ledgers of a run whose receiver needs a service time per packet, and stops between two times. */
    LedgerMetrics received(long stopNs, long goNs, long serviceNs) throws Exception {
        nextSession();
        writeReceived("a-r1", stopNs, goNs, serviceNs);
        return ledger();
    }

    Path writeReceived(String name, long stopNs, long goNs, long serviceNs) throws Exception {
        long[] sent = new long[PACKETS];
        List<long[]> arrivals = new ArrayList<>();
        long freeNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * INTERVAL_NS;
            long beginNs = Math.max(freeNs, sent[i] + TRANSIT_NS - serviceNs);
            if (beginNs + serviceNs > stopNs && beginNs < goNs) {
                beginNs = goNs;
            }
            freeNs = beginNs + serviceNs;
            long receivedNs = freeNs + aheadNs;
            arrivals.add(
                    hasStamps
                            ? new long[] {i, receivedNs, sent[i] + TRANSIT_NS / 2 + aheadNs}
                            : new long[] {i, receivedNs});
        }
        return write(name, sent, sent, arrivals);
    }

    /** Computes the ledgers of a run whose sender stops between two times. */
    LedgerMetrics sent(long stopNs, long goNs) throws Exception {
        long[] scheduled = new long[PACKETS];
        long[] sent = new long[PACKETS];
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            scheduled[i] = i * INTERVAL_NS;
            sent[i] = scheduled[i] >= stopNs && scheduled[i] < goNs ? goNs + i : scheduled[i];
            arrivals.add(new long[] {i, sent[i] + TRANSIT_NS});
        }
        write("a-r1", scheduled, sent, arrivals);
        return ledger();
    }

    Path write(String name, long[] scheduled, long[] sent, List<long[]> arrivals) throws Exception {
        return write(name, scheduled, sent, nextOf(sent), arrivals);
    }

    static long[] nextOf(long[] timesNs) {
        return Arrays.stream(timesNs).map(ns -> ns + 1).toArray();
    }

    Path write(String name, long[] scheduled, long[] sent, long[] returned, List<long[]> arrivals) throws Exception {
        return write("udp", name, scheduled, sent, returned, arrivals);
    }

    Path write(String transport, String name, long[] scheduled, long[] sent, long[] returned, List<long[]> arrivals)
            throws Exception {
        Path run = new SessionFixture(session)
                .run(name, transport, 24)
                .scheduled(INTERVAL_NS, scheduled)
                .sent(sent)
                .returned(returned)
                .received(arrivals.toArray(long[][]::new))
                .metadata(
                        Map.of(
                                "remoteAddress",
                                remoteAddress,
                                KernelCapture.FIRST_KEY_NAME,
                                0,
                                "retransmittedSegments",
                                1,
                                "needlessRetransmissions",
                                needless),
                        Map.of())
                .counts(new Counts(arrivals.size(), arrivals.size(), 0, 0, 0, 0, 3, null))
                .write();
        write(run.resolve(EventsCapture.SENDER_FILE_NAME), senderEvents);
        write(run.resolve(EventsCapture.RECEIVER_FILE_NAME), receiverEvents);
        return run;
    }

    static void write(Path file, List<long[]> events) throws Exception {
        try (GrowingCapture capture = EventsCapture.create(file)) {
            for (long[] event : events) {
                capture.append(
                        event[0],
                        event[1],
                        event[2],
                        event[3],
                        event.length > 4 ? event[4] : 0,
                        event.length > 4 ? event[5] : 0);
            }
        }
    }

    LedgerMetrics ledger() throws Exception {
        return ledger(Tail.DEFAULT);
    }

    LedgerMetrics ledger(Tail tail) throws Exception {
        SummaryOptions options = new SummaryOptions(false, false, tail, SummaryOptions.all());
        LedgerMetrics ledger = Summaries.of(Session.open(session), options)
                .points()
                .get(0)
                .pooled()
                .get(CauseGroups.LEDGER);
        assertThat(ledger).isNotNull();
        return ledger;
    }

    /** Returns the number of slow packets by their main cause. */
    static Map<String, Long> packets(LagLedgers lag) {
        Map<String, Long> packets = new TreeMap<>();
        lag.tail().parts().forEach((cause, part) -> {
            if (part.packets() > 0) {
                packets.merge(cause.side().text() + " " + cause.cause().text(), part.packets(), Long::sum);
            }
        });
        return packets;
    }

    /** Returns the names of what made packets slow. */
    static List<String> excess(LagLedgers lag) {
        return lag.tail().parts().entrySet().stream()
                .filter(part -> part.getValue().excessNs() > 0)
                .map(part -> part.getKey().text())
                .toList();
    }
}
