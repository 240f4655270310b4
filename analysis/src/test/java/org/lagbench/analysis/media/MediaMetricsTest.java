package org.lagbench.analysis.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.MediaMetrics.Duplication;
import org.lagbench.analysis.media.MediaMetrics.Jitter;
import org.lagbench.analysis.statistics.CountStatistics;

/** Compares the metrics with the examples in their RFCs and with values computed by hand. */
class MediaMetricsTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path directory;

    private SessionFixture session;

    @BeforeEach
    void makeSession() throws Exception {
        session = new SessionFixture(directory);
    }

    /** RFC 4737 §7.1, table 1: packet 4 of ten, sent every 20 ms, arrives 82 ms late; all others take 68 ms. */
    @Test
    void agreesWithTable1OfRfc4737() throws Exception {
        MediaMetrics media =
                arrived(20, new int[] {1, 2, 3, 5, 6, 7, 8, 4, 9, 10}, 68, 88, 108, 148, 168, 188, 208, 210, 228, 248);
        assertThat(media.reordering().reordered()).isEqualTo(1);
        assertThat(media.reordering().ratio()).isEqualTo(0.1);
        assertThat(media.reordering().extents().maximum()).isEqualTo(4);
        assertThat(media.reordering().threeReordered()).isEqualTo(1);
        assertThat(media.reordering().greatestN()).isEqualTo(4);
        // the table's column IPDV: 0, 0, -82 of packet 5, 82 of packet 4, else 0
        assertThat(media.ipdv().signed().n()).isEqualTo(9);
        assertThat(media.ipdv().signed().minimumNs()).isEqualTo(-82 * MS);
        assertThat(media.ipdv().signed().maximumNs()).isEqualTo(82 * MS);
        assertThat(media.ipdv().signed().meanNs()).isCloseTo(0, within(1e-3));
        assertThat(media.ipdv().size().meanNs()).isCloseTo(2 * 82 * (double) MS / 9, within(1e-3));
        assertThat(media.ipdv().undefined()).isZero();
        assertThat(media.pdv().maximumNs()).isEqualTo(82 * MS);
        assertThat(media.pdv().medianNs()).isZero();
    }

    /** RFC 4737 §7.2 to 7.4: the extents, and which packet is n-reordered. */
    @ParameterizedTest
    @CsvSource({
        "'1 2 3 4 7 5 6 8 9 10', '1 2', 0, 1",
        "'1 2 3 7 8 9 10 4 5 6 11', '4 5 6', 1, 4",
        "'1 2 3 6 7 4 5 8 9 10 12 13 11 14 15 16', '2 3 2', 0, 2",
        // §5.3: packets 4, 5 and 6 are reordered, but only 4 is n-reordered
        "'1 2 3 7 8 9 4 5 6', '3 4 5', 1, 3",
    })
    void agreesWithTheExtentsOfRfc4737(String order, String extents, long threeReordered, long greatestN)
            throws Exception {
        int[] packets = numbers(order);
        long[] times = new long[packets.length];
        for (int i = 0; i < times.length; i++) {
            times[i] = 1_000L + i;
        }
        Reordering reordering = arrived(1, packets, times).reordering();
        int[] expected = numbers(extents);
        assertThat(reordering.reordered()).isEqualTo(expected.length);
        assertThat(reordering.extents().mean())
                .isCloseTo(Arrays.stream(expected).average().orElseThrow(), within(1e-12));
        assertThat(reordering.extents().maximum())
                .isEqualTo(Arrays.stream(expected).max().orElseThrow());
        assertThat(reordering.threeReordered()).isEqualTo(threeReordered);
        assertThat(reordering.greatestN()).isEqualTo(greatestN);
    }

    /** RFC 3357 §6.5: of ten packets 2, 5, 7, 9 and 10 are lost; delta = 2. */
    @Test
    void agreesWithTheLossPatternOfRfc3357() throws Exception {
        try (JoinedRun run = JoinedRun.open(lossy(10, Set.of(2, 5, 7, 9, 10)))) {
            LossPattern loss = LossPattern.of(List.of(run), 2);
            assertThat(loss.lost()).isEqualTo(5);
            assertThat(loss.noticeable()).isEqualTo(3);
            assertThat(loss.noticeableRate()).isEqualTo(3 / 5.0);
            assertThat(loss.periodLengths()).isEqualTo(new CountStatistics(4, 1, 5 / 4.0, 1, 1.85, 2));
            // 5 - 2, 7 - 5, 9 - 7 and, within the last period, 10 - 9
            assertThat(loss.interPeriodLengths().n()).isEqualTo(3);
            assertThat(loss.interPeriodLengths().mean()).isCloseTo(7 / 3.0, within(1e-12));
            assertThat(loss.distances().n()).isEqualTo(4);
            assertThat(loss.distances().mean()).isEqualTo(2);
        }
    }

    /** RFC 3357 §6.1 on delta = 99: a burst of three after 50; and of 500 packets those at 175 and 290. */
    @ParameterizedTest
    @CsvSource({"500, '50 125 126 127', 3", "500, '100 200 300 400 500', 0", "500, '100 175 275 290 400', 2"})
    void agreesWithTheNoticeableLossesOfRfc3357(int packets, String lost, long noticeable) throws Exception {
        Set<Integer> numbers = new HashSet<>();
        for (int packet : numbers(lost)) {
            numbers.add(packet);
        }
        try (JoinedRun run = JoinedRun.open(lossy(packets, numbers))) {
            assertThat(MediaMetrics.of(List.of(run), 0, 1).loss().noticeable()).isEqualTo(noticeable);
        }
    }

    /** RFC 5560 §5.3, cases 1 to 4 and 2b. */
    @ParameterizedTest
    @CsvSource({
        "'1 2 3 4', 0, 0",
        "'1 1 2 2 3 3 4 4', 1, 1",
        "'1 1 1 2 2 2 3 3 3 4 4 4', 2, 1",
        "'1 1 1 2 3 3 3 4', 1, 0.5",
        "'1 2 3 4 4 3 2 1', 1, 1",
    })
    void agreesWithTheDuplicationOfRfc5560(String order, double fraction, double replicated) throws Exception {
        int[] packets = numbers(order);
        long[] times = new long[packets.length];
        for (int i = 0; i < times.length; i++) {
            times[i] = 100L + i;
        }
        Duplication duplication = arrived(1, packets, times).duplication();
        assertThat(duplication.fraction()).isEqualTo(fraction);
        assertThat(duplication.replicatedRate()).isEqualTo(replicated);
    }

    /** |D| = 0, 16, 32, 16 ms: J = 0, 16/16 = 1, 1 + 31/16 = 2.9375, 2.9375 + 13.0625/16 = 3.75390625 ms. */
    @Test
    void computesJitter() throws Exception {
        Jitter jitter =
                arrived(20, new int[] {1, 2, 3, 4, 5}, 5, 25, 61, 49, 85).jitter();
        assertThat(jitter.lastNs()).isEqualTo(3.75390625 * MS);
        assertThat(jitter.maximumNs()).isEqualTo(3.75390625 * MS);
        assertThat(jitter.meanNs()).isCloseTo((0 + 0 + 1 + 2.9375 + 3.75390625) / 5 * MS, within(1e-6));
    }

    /** §6.4.1: the difference is to the packet that arrived before, also for an overtaken packet. */
    @Test
    void computesJitterInTheOrderOfArrival() throws Exception {
        // transits 10, 10, 35 ms in the order of arrival 1, 3, 2: |D| = 0, 25; by number it would be 25, 25
        assertThat(arrived(20, new int[] {1, 3, 2}, 10, 50, 55).jitter().lastNs())
                .isEqualTo(25 / 16.0 * MS);
    }

    /**
     * A packet every 100 ms, of which the last arrives after 3.05 s, so that the fourth period is left out. After the
     * first arrival, at 0: packets at 100, 300, 301, 400 ms. VB in ms of media before and after each: -100, 0; -200,
     * -100; -101, -1; -100, 0. So DF = 0 - -200. In the second period, from the arrival at 400 ms: packet 6 (5 is lost)
     * at 1,000 ms: -600, -500, then 7 at 1,100: -600, -500, so 600. Nothing arrives in the third.
     */
    @Test
    void computesTheDeliveryIndex() throws Exception {
        RunFixture run = session.run("mdi", "udp", 24);
        run.sent(msEach(100, 10));
        long[][] arrivals = {{0, 0}, {1, 100}, {2, 300}, {3, 301}, {4, 400}, {6, 1_000}, {7, 1_100}, {8, 3_050}};
        for (long[] arrival : arrivals) {
            arrival[1] *= MS;
        }
        try (JoinedRun joined = JoinedRun.open(run.received(arrivals).write())) {
            assertThat(MediaMetrics.of(List.of(joined), 100 * MS, 1).deliveryIndex())
                    .isEqualTo(new DeliveryIndex(10, 2, 1, 1, 400 * MS, 600 * MS, 1 / 3.0, 1));
            assertThat(MediaMetrics.of(List.of(joined), 0, 1).deliveryIndex()).isNull();
        }
    }

    @Test
    void delayFactorOfAnEvenStreamIsOnePacket() throws Exception {
        List<Integer> order = new ArrayList<>();
        List<Long> times = new ArrayList<>();
        for (int i = 1; i <= 250; i++) {
            order.add(i);
            times.add(7L + 20L * (i - 1));
        }
        MediaMetrics media = arrived(
                20,
                order.stream().mapToInt(Integer::intValue).toArray(),
                times.stream().mapToLong(Long::longValue).toArray());
        assertThat(media.deliveryIndex()).isEqualTo(new DeliveryIndex(50, 5, 0, 0, 20 * MS, 20 * MS, 0, 0));
    }

    /** 100 bursts of 4 packets, each burst at once every 40 ms. */
    @Test
    void delayFactorIsIntervalOfBursts() throws Exception {
        long[] sent = new long[400];
        long[][] arrivals = new long[sent.length][];
        for (int i = 0; i < sent.length; i++) {
            long frame = i / 4;
            sent[i] = frame * 40 * MS;
            arrivals[i] = at(i, sent[i] + 5 * MS);
        }
        Path run = session.run("run", "udp", 24).sent(sent).received(arrivals).write();
        try (JoinedRun joined = JoinedRun.open(run)) {
            DeliveryIndex index = MediaMetrics.of(List.of(joined), 40 * MS, 4).deliveryIndex();
            assertThat(index).isEqualTo(new DeliveryIndex(100, 4, 0, 0, 40 * MS, 40 * MS, 0, 0));
            assertThat(index.packetsPerSecond()).isEqualTo(100);
        }
    }

    /** A packet every 10 ms for 2.5 s; number 30 arrives after number 31. */
    @Test
    void countsReorderedPacketsAsMediaLoss() throws Exception {
        int[] order = IntStream.rangeClosed(1, 250).toArray();
        long[] times = IntStream.range(0, 250).mapToLong(i -> 10L * i).toArray();
        order[29] = 31;
        order[30] = 30;
        DeliveryIndex index = arrived(10, order, times).deliveryIndex();
        assertThat(index).isNotNull();
        assertThat(index.mediaLossRateMaximum()).isEqualTo(1);
        assertThat(index.mediaLossRateMean()).isEqualTo(0.5);
        assertThat(index.incompletePeriods()).isEqualTo(1);
    }

    /**
     * 350 packets, one every 10 ms, of which 200 arrive: the third second loses 100 of 100, the last half is left out.
     */
    @Test
    void countsPacketsLostAtTheEndWhenTheyWereDue() throws Exception {
        long[] sent = msEach(10, 350);
        long[][] arrivals = IntStream.range(0, 200)
                .mapToObj(i -> at(i, 7 * MS + 10L * i * MS))
                .toArray(long[][]::new);
        Path run = session.run("died", "udp", 24).sent(sent).received(arrivals).write();
        try (JoinedRun joined = JoinedRun.open(run)) {
            DeliveryIndex index = MediaMetrics.of(List.of(joined), 10 * MS, 1).deliveryIndex();
            assertThat(index).isEqualTo(new DeliveryIndex(100, 2, 1, 1, 10 * MS, 10 * MS, 100 / 3.0, 100));
        }
    }

    @Test
    void hasNoDeliveryIndexOfLessThanAPeriod() throws Exception {
        DeliveryIndex index = arrived(10, new int[] {1, 2, 3}, 0, 10, 20).deliveryIndex();
        assertThat(index).isNotNull();
        assertThat(index.periods()).isZero();
        assertThat(index.incompletePeriods()).isEqualTo(1);
        assertThat(index.delayFactorMaximumNs()).isNaN();
    }

    @Test
    void separatesRunsAndIgnoresClockOffset() throws Exception {
        try (JoinedRun first = JoinedRun.open(session.run("a", "udp", 24)
                        .sent(0, 10, 20)
                        .received(at(0, 5), at(1, 16), at(2, 25))
                        .write());
                JoinedRun second = JoinedRun.open(session.run("b", "udp", 24)
                        .sent(0, 10, 20)
                        .received(at(0, 5_005), at(1, 5_016), at(2, 5_025))
                        .write())) {
            MediaMetrics one = MediaMetrics.of(List.of(first), 0, 1);
            MediaMetrics other = MediaMetrics.of(List.of(second), 0, 1);
            MediaMetrics both = MediaMetrics.of(List.of(first, second), 0, 1);
            assertThat(other).isEqualTo(one);
            assertThat(both.jitter().lastNs()).isCloseTo(one.jitter().lastNs(), within(1e-12));
            assertThat(both.ipdv().size().n()).isEqualTo(4);
            assertThat(both.pdv().maximumNs()).isEqualTo(1);
        }
    }

    /**
     * Two thousand reversed blocks of 50 packets: each has the extents 1 to 49, and one packet that is n-reordered for
     * each n.
     */
    @Test
    void computesExtentsOfManyReorderedPackets() throws Exception {
        int blocks = 2_000;
        List<Integer> order = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                numbers.add(block * 50 + i);
            }
            Collections.reverse(numbers);
            order.addAll(numbers);
        }
        long[] times = new long[order.size()];
        for (int i = 0; i < times.length; i++) {
            times[i] = 1_000_000L + i;
        }
        Reordering reordering = arrived(
                        1, order.stream().mapToInt(Integer::intValue).toArray(), times)
                .reordering();
        assertThat(reordering.reordered()).isEqualTo(49L * blocks);
        assertThat(reordering.extents().mean()).isCloseTo(25, within(1e-9));
        assertThat(reordering.extents().maximum()).isEqualTo(49);
        assertThat(reordering.greatestN()).isEqualTo(49);
        assertThat(reordering.threeReordered()).isEqualTo(47L * blocks);
    }

    @Test
    void leavesMetricsUndefinedIfNothingArrived() throws Exception {
        try (JoinedRun run =
                JoinedRun.open(session.run("a", "udp", 24).sent(0, 10, 20).write())) {
            MediaMetrics media = MediaMetrics.of(List.of(run), 10, 1);
            assertThat(media.jitter().lastNs()).isNaN();
            assertThat(media.pdv().n()).isZero();
            assertThat(media.loss().periodLengths().maximum()).isEqualTo(3);
            assertThat(media.duplication().fraction()).isNaN();
            assertThat(media.reordering().ratio()).isNaN();
            assertThat(media.deliveryIndex()).isNotNull();
        }
    }

    /** Computes the metrics of packets numbered from 1, in the order of arrival, with times in ms. */
    private MediaMetrics arrived(long eachMs, int[] order, long... receivedMs) throws Exception {
        long[][] arrivals = new long[order.length][];
        int packets = 0;
        for (int i = 0; i < order.length; i++) {
            arrivals[i] = at(order[i] - 1, receivedMs[i] * MS);
            packets = Math.max(packets, order[i]);
        }
        Path run = session.run("run", "udp", 24)
                .sent(msEach(eachMs, packets))
                .received(arrivals)
                .write();
        try (JoinedRun joined = JoinedRun.open(run)) {
            return MediaMetrics.of(List.of(joined), eachMs * MS, 1);
        }
    }

    /** Writes a run of packets numbered from 1, all received except these. */
    private Path lossy(int packets, Set<Integer> lost) throws Exception {
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < packets; i++) {
            if (!lost.contains(i + 1)) {
                arrivals.add(at(i, i * MS + 5));
            }
        }
        return session.run("lossy", "udp", 24)
                .sent(msEach(1, packets))
                .received(arrivals.toArray(long[][]::new))
                .write();
    }

    private static long[] msEach(long ms, int packets) {
        long[] times = new long[packets];
        for (int i = 0; i < packets; i++) {
            times[i] = i * ms * MS;
        }
        return times;
    }

    private static long[] at(long packet, long ns) {
        return new long[] {packet, ns};
    }

    private static int[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
