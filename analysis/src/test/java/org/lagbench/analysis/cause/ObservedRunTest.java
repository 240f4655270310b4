package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.analysis.SessionFixture.EPOCH_NS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.Parts.Kind;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.WindowCounts;

/** A run with windows after its packets, in which the observer adds a known time. */
class ObservedRunTest {
    private static final int ASKED = 1_800;
    private static final int WINDOW_PACKETS = 60;
    private static final int BLOCKS = 7;
    private static final int FIRST = ASKED + WINDOW_PACKETS;
    private static final int ALL = FIRST + 2 * BLOCKS * WINDOW_PACKETS;
    private static final long INTERVAL_NS = 5_000_000;
    private static final long LAG_NS = 10_000;
    private static final long ADDED_NS = 400;
    private static final long CALL_NS = 1_000;
    private static final long STAMP_NS = 4_000;

    @TempDir
    Path directory;

    private final Map<String, Object> ofReceiver = new HashMap<>(Map.of(
            "kernelStamps",
            "the observer in the kernel",
            "waitsLost",
            0,
            "waits",
            "the observer in the kernel",
            "causeEventsForgotten",
            0));

    private final Set<Integer> lost = new TreeSet<>();

    /** Every block begins with the observed window, except the first one. */
    private static boolean isObserved(int window) {
        return window < 2 ? window == 1 : window % 2 == 0;
    }

    private static int window(int packet) {
        return packet < FIRST ? -1 : (packet - FIRST) / WINDOW_PACKETS;
    }

    /** Writes the run; the first packet of the windows arrives before the last one that was asked for. */
    private Path write() throws Exception {
        return write("udp");
    }

    /** Over TCP, the packets in observed windows have stamps of arrival, except each tenth. */
    private Path write(String transport) throws Exception {
        long[] sent = new long[ALL];
        List<long[]> arrivals = new ArrayList<>();
        for (int packet = 0; packet < ALL; packet++) {
            sent[packet] = packet * INTERVAL_NS;
            int window = window(packet);
            long addedNs = window >= 0 && isObserved(window) ? ADDED_NS + window % 3 : 0;
            long lateNs = packet == ASKED - 1 ? 2 * INTERVAL_NS : 0;
            boolean isStamped = transport.equals("tcp") && window >= 0 && isObserved(window) && packet % 10 > 0;
            long stampNs = isStamped ? sent[packet] + STAMP_NS : -EPOCH_NS;
            if (!lost.contains(packet)) {
                arrivals.add(new long[] {packet, sent[packet] + LAG_NS + packet % 10 + addedNs + lateNs, stampNs});
            }
        }
        arrivals.sort((one, other) -> Long.compare(one[1], other[1]));
        Path run = new SessionFixture(directory)
                .run("a-r1", transport, 24)
                .packets(ASKED)
                .sent(sent)
                .returned(LongStream.of(sent).map(ns -> ns + CALL_NS).toArray())
                .received(arrivals.toArray(long[][]::new))
                .observed(ObservedSource.AUTO)
                .metadata(
                        Map.of(
                                ObservedWindows.SEED,
                                5,
                                "remoteAddress",
                                "192.0.2.1:4711",
                                "waitsLost",
                                0,
                                "waits",
                                "the observer in the kernel",
                                "causeEventsForgotten",
                                0),
                        ofReceiver)
                .scheduled(INTERVAL_NS)
                .counts(new Counts(ASKED, ASKED, 0, 1, 0, 0, 0, new WindowCounts(ALL - ASKED, ALL - ASKED, 0)))
                .write();
        write(run.resolve(EventsCapture.SENDER_FILE_NAME), 3);
        write(run.resolve(EventsCapture.RECEIVER_FILE_NAME), 1);
        return run;
    }

    /** Writes the windows of a side, each without its first and last ten packets. */
    private static void write(Path file, int cpuPercent) throws Exception {
        try (GrowingCapture capture = EventsCapture.create(file)) {
            for (int window = 0; window < 2 * BLOCKS; window++) {
                long startNs = EPOCH_NS + (FIRST + window * WINDOW_PACKETS + 10) * INTERVAL_NS;
                long endNs = startNs + (WINDOW_PACKETS - 20) * INTERVAL_NS;
                long tookNs = (endNs - startNs) / 100 * (cpuPercent + (isObserved(window) ? 1 : 0));
                Cause cause = isObserved(window) ? Cause.OBSERVED : Cause.NOT_OBSERVED;
                capture.append(cause.code(), startNs, endNs, tookNs, 0, 0);
            }
        }
    }

    @Test
    void countsOnlyPacketsAskedFor() throws Exception {
        try (JoinedRun run = JoinedRun.open(write())) {
            assertThat(run.counts().sent()).isEqualTo(ASKED);
            assertThat(run.counts().lost()).isZero();
            assertThat(run.counts().unmatched()).isZero();
            assertThat(run.counts().duplicated()).isZero();
            assertThat(lag(run).n()).isEqualTo(ASKED);
            assertThat(lag(run).medianNs()).isBetween((double) LAG_NS, LAG_NS + 10.0);
            assertThat(run.receiverRecords()).isEqualTo(ALL);
        }
    }

    @Test
    void countsOnlyObservedPacketsForCauses() throws Exception {
        Path path = write();
        try (JoinedRun run = ObservedRun.open(path, RunRecord.read(path));
                JoinedRun asked = JoinedRun.open(path)) {
            assertThat(lag(run).n()).isEqualTo(BLOCKS * (WINDOW_PACKETS - 20L));
            assertThat(lag(run).minimumNs()).isGreaterThanOrEqualTo(LAG_NS + ADDED_NS);
            assertThat(run.arrivedPackets().cardinality()).isEqualTo(ALL);
            assertThat(RunCauses.open(run, Tail.DEFAULT)).isNotNull();
            assertThat(RunCauses.open(asked, Tail.DEFAULT)).isNull();
        }
    }

    /** The kernel recorded the drop of two packets asked for, and of each lost one in windows. */
    @Test
    void countsLossesOnlyOfPacketsAskedFor() throws Exception {
        lost.addAll(List.of(5, 6, 7, FIRST + 1, FIRST + 70, FIRST + 71));
        ofReceiver.put("dropTimes", DropFacts.OBSERVER);
        ofReceiver.put("dropTimesLost", 0);
        ofReceiver.put("dropReasons", "12 NETFILTER_DROP");
        Path run = write();
        try (GrowingCapture drops = DropsCapture.create(run.resolve(DropsCapture.FILE_NAME))) {
            for (long packet : List.of(6, 7, FIRST + 1, FIRST + 70, FIRST + 71)) {
                drops.append(packet, EPOCH_NS + packet * INTERVAL_NS + STAMP_NS, 12);
            }
        }
        assertThat(losses(run, 0)).isEqualTo(new LossCauses(3, 2, 0, Map.of("NETFILTER_DROP", 2L)));
    }

    /** Without the record, the windows do not have the times of drops before them. */
    @Test
    void countsLossesBeforeWindowsByTheCounter() throws Exception {
        lost.addAll(List.of(5, 6, 7, FIRST + 70));
        assertThat(losses(write(), 2)).isEqualTo(new LossCauses(3, 2, 0, Map.of()));
    }

    private static LossCauses losses(Path run, long kernelDrops) throws Exception {
        try (JoinedRun observed = ObservedRun.open(run, RunRecord.read(run));
                JoinedRun asked = JoinedRun.open(run)) {
            LedgerMetrics ledger = LedgerMetrics.of(
                    observed, asked, Map.of(PacketDelay.TRANSMIT_LAG, lag(observed)), kernelDrops, 0, 0, Tail.DEFAULT);
            return Objects.requireNonNull(ledger).losses();
        }
    }

    @Test
    void dividesLagOfTcpPacketsInWindowsByTheirStamps() throws Exception {
        Path path = write("tcp");
        try (JoinedRun run = ObservedRun.open(path, RunRecord.read(path))) {
            RunCauses causes = RunCauses.open(run, Tail.DEFAULT);
            assertThat(causes).isNotNull();
            long observed = BLOCKS * (WINDOW_PACKETS - 20L);
            assertThat(causes.arrivals().counts()).isEqualTo(new StampCounts(observed, observed * 9 / 10, 0, 0));
            TailEvent packet = TailEvent.of("a-r1", run, FIRST + WINDOW_PACKETS + 21);
            assertThat(packet.slowest().parts().parts())
                    .extracting(part -> part.cause() == null ? "" : part.cause().text(), Part::kind, Part::sinceNs)
                    .containsExactly(
                            tuple("sender.send-call", Kind.BOUND, 0L),
                            tuple("path.before-receiver", Kind.BOUND, CALL_NS),
                            tuple("receiver.receiver-kernel", Kind.STAMP, STAMP_NS));
        }
    }

    /** The sides decide whether the run has the windows of its point. */
    @Test
    void countsAllPacketsOfRunWithoutWindows() throws Exception {
        long[] sent = new long[ASKED];
        long[][] arrivals = new long[ASKED][];
        for (int packet = 0; packet < ASKED; packet++) {
            sent[packet] = packet * INTERVAL_NS;
            arrivals[packet] = new long[] {packet, sent[packet] + LAG_NS};
        }
        Path path = new SessionFixture(directory)
                .run("a-r1", "udp", 24)
                .packets(ASKED)
                .sent(sent)
                .received(arrivals)
                .observed(ObservedSource.AUTO)
                .scheduled(INTERVAL_NS)
                .write();
        RunDirectory run = RunDirectory.read(path);
        try (JoinedRun joined = ObservedRun.open(path, run.record())) {
            assertThat(run.flaws()).isEmpty();
            assertThat(run.mismatch(joined)).isNull();
            assertThat(lag(joined).n()).isEqualTo(ASKED);
        }
    }

    @Test
    void marksRunsThatWereDecidedDifferently() throws Exception {
        SessionFixture session = new SessionFixture(directory);
        for (int repeat = 1; repeat <= 2; repeat++) {
            session.run("a-r" + repeat, "udp", 24)
                    .sent(0, INTERVAL_NS)
                    .received(new long[] {0, LAG_NS}, new long[] {1, INTERVAL_NS + LAG_NS})
                    .observed(ObservedSource.AUTO)
                    .metadata(Map.of("observed", repeat == 1 ? "nothing: No right." : "all packets"), Map.of())
                    .write();
        }
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(summary.points()).singleElement().satisfies(point -> {
            assertThat(point.runs()).hasSize(2);
            assertThat(point.pooled().get(MetricGroup.CLOCK).marks())
                    .filteredOn(mark -> mark.sentence().contains("other runs of the same point"))
                    .singleElement()
                    .satisfies(mark -> assertThat(mark.run()).isEqualTo("a-r2"));
        });
    }

    @Test
    void computesPriceByBlocks() throws Exception {
        Path run = write();
        ObservationPrice price = ObservationPrice.of(Map.of(run, RunRecord.read(run)));
        assertThat(price).isNotNull();
        assertThat(price.blocks()).isEqualTo(BLOCKS);
        assertThat(price.lagUs().value() * 1e3).isBetween((double) ADDED_NS, ADDED_NS + 2.0);
        assertThat(price.lagUs().low() * 1e3).isEqualTo(ADDED_NS, within(1e-9));
        assertThat(price.lagUs().high() * 1e3).isEqualTo(ADDED_NS + 2.0, within(1e-9));
        assertThat(price.meanLagUs().value() * 1e3).isBetween((double) ADDED_NS, ADDED_NS + 2.0);
        assertThat(price.cpu().value()).isEqualTo(2.0 / 4, within(1e-9));
    }

    @Test
    void hasNoPriceIfReceiverDidNotObserve() throws Exception {
        Path path = write();
        Files.delete(path.resolve(EventsCapture.RECEIVER_FILE_NAME));
        assertThat(ObservationPrice.of(Map.of(path, RunRecord.read(path)))).isNull();
        try (JoinedRun run = ObservedRun.open(path, RunRecord.read(path))) {
            assertThat(RunCauses.open(run, Tail.DEFAULT)).isNull();
        }
    }

    private static SeriesStatistics lag(JoinedRun run) throws Exception {
        return SeriesStatistics.of(PacketDelay.TRANSMIT_LAG.pooled(List.of(run)));
    }
}
