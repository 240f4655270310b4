package org.lagbench.analysis.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/** The number of threads that read a run does not change any bit of the results. */
class PartitionsTest {
    private static final int PACKETS = 30_011;

    private final Random random = new Random(11);
    private final Path directory;

    PartitionsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void computesSameResultsForPacketsInOrder(int partitions) throws Exception {
        long[] sent = sent();
        List<long[]> arrivals = arrivals(sent);
        arrivals.removeIf(arrival -> random.nextInt(50) == 0);
        assertSameResults(partitions, run(sent, arrivals));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void computesSameResultsForDuplicatedAndReorderedPackets(int partitions) throws Exception {
        long[] sent = sent();
        List<long[]> arrivals = arrivals(sent);
        for (int i = 100; i < PACKETS; i += 1_000) {
            arrivals.add(i, arrivals.get(i - 70));
            arrivals.add(i - 50, arrivals.remove(i + 20));
        }
        assertSameResults(partitions, run(sent, arrivals));
    }

    /** Each partition is in order, but the run is not. */
    @Test
    void computesSameResultsForSwappedHalves() throws Exception {
        long[] sent = sent();
        List<long[]> arrivals = arrivals(sent);
        List<long[]> swapped = new ArrayList<>(arrivals.subList(PACKETS / 2 + 1, PACKETS));
        swapped.addAll(arrivals.subList(0, PACKETS / 2 + 1));
        Path run = run(sent, swapped);
        assertSameResults(2, run);
        try (JoinedRun joined = JoinedRun.open(run, packets -> 2)) {
            assertThat(joined.counts().reordered()).isEqualTo(PACKETS / 2 + 1);
        }
    }

    private long[] sent() {
        long[] sent = new long[PACKETS];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = 10_000L * i + random.nextInt(5_000);
        }
        return sent;
    }

    private List<long[]> arrivals(long... sent) {
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < PACKETS; i++) {
            long lag = random.nextInt(500) == 0 ? random.nextLong(5_000_000_000L) : random.nextInt(200_000) - 100L;
            arrivals.add(new long[] {i, sent[i] + lag});
        }
        return arrivals;
    }

    private Path run(long[] sent, List<long[]> arrivals) throws Exception {
        return new SessionFixture(directory.resolve("session"))
                .run("0001-udp-24-r1", "udp", 24)
                .scheduled(10_000, sent.clone())
                .sent(sent)
                .received(arrivals.toArray(long[][]::new))
                .write();
    }

    private static void assertSameResults(int partitions, Path run) throws LagbenchException {
        try (JoinedRun one = JoinedRun.open(run, packets -> 1);
                JoinedRun several = JoinedRun.open(run, packets -> partitions)) {
            assertThat(several.partitions()).isEqualTo(partitions);
            assertThat(several.counts()).isEqualTo(byEach(one)).isEqualTo(one.counts());
            assertThat(statistics(several)).isEqualTo(statistics(one));
        }
    }

    /** Counts the packets one by one, to check the counts made in parallel. */
    private static RunPacketCounts byEach(JoinedRun run) throws LagbenchException {
        Map<Long, Integer> copies = new LinkedHashMap<>();
        long reordered = 0;
        long negative = 0;
        long max = -1;
        for (long arrival = 0; arrival < run.received(); arrival++) {
            long packet = run.packetOf(arrival);
            if (copies.merge(packet, 1, Integer::sum) == 1) {
                reordered += packet < max ? 1 : 0;
                max = Math.max(max, packet);
                negative += run.receivedNs(arrival) < run.sentNs(packet) ? 1 : 0;
            }
        }
        return new RunPacketCounts(
                run.sent(),
                run.received(),
                run.sent() - copies.size(),
                run.received() - copies.size(),
                reordered,
                0,
                negative);
    }

    private static Map<String, SeriesStatistics> statistics(JoinedRun run) throws LagbenchException {
        Map<String, SeriesStatistics> found = new LinkedHashMap<>();
        for (PacketDelay series : PacketDelay.values()) {
            found.put(series.id(), SeriesStatistics.of(series.pooled(List.of(run, run))));
        }
        return found;
    }
}
