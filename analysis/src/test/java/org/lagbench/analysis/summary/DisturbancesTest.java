package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunRecord.Machine;

/** Runs of 1,000 packets, one each ms, that other programs do not disturb by the CPU time that they use. */
class DisturbancesTest {
    private static final long MS = 1_000_000;
    private static final int PACKETS = 1_000;

    private SessionFixture session;

    @BeforeEach
    void createSession(@TempDir Path directory) throws Exception {
        session = new SessionFixture(directory);
    }

    /** Returns readings of a host on which runnable tasks waited for a CPU for a part of the time. */
    private static Machine waited(double share, int allowedPpm) {
        List<HostLoad> readings = IntStream.range(0, Machine.READINGS)
                .mapToObj(second -> new HostLoad(
                        second * 1_000L * MS,
                        1,
                        0,
                        0,
                        0,
                        second * 200L,
                        Math.round(second * share * 1e6),
                        7,
                        0,
                        List.of(),
                        List.of()))
                .toList();
        return new Machine(allowedPpm, readings, readings);
    }

    /** A run whose sender stands still for some ms before each of some packets, or is in its send call meanwhile. */
    private RunFixture run(int stops, long stopMs, boolean isInCall) throws Exception {
        long[] scheduled = new long[PACKETS];
        long[] sent = new long[PACKETS];
        long[] returned = new long[PACKETS];
        List<long[]> received = new ArrayList<>();
        long freeNs = 0;
        for (int i = 0; i < PACKETS; i++) {
            scheduled[i] = i * MS;
            boolean stands = i > 0 && i <= stops;
            sent[i] = Math.max(scheduled[i], freeNs) + (stands && !isInCall ? stopMs * MS : 0);
            returned[i] = sent[i] + 1_000 + (stands && isInCall ? stopMs * MS : 0);
            freeNs = returned[i];
            received.add(new long[] {i, returned[i] + 1_000});
        }
        return session.run("0001-r1", "udp", 24)
                .scheduled(MS, scheduled)
                .sent(sent)
                .returned(returned)
                .received(received.toArray(long[][]::new));
    }

    private List<RunMark> marks(RunFixture run) throws Exception {
        run.write();
        PointSummary point = Summaries.of(Session.open(session.path()), new SummaryOptions(true, false))
                .points()
                .get(0);
        List<RunMark> marks = point.runs().get(0).spoiledBy();
        assertThat(point.isSpoiled()).isEqualTo(!marks.isEmpty());
        assertThat(point.deciding().runs()).hasSize(marks.isEmpty() ? 1 : 0);
        return marks;
    }

    @ParameterizedTest
    @CsvSource({
        "3, 5, false, 0.5, 100000, true",
        "3, 5, false, 0.05, 100000, false",
        "3, 5, false, 0.5, 1000000, false",
        "3, 5, true, 0.5, 100000, false",
        "1, 5, false, 0.5, 100000, false",
        "900, 1, false, 0.5, 100000, false"
    })
    void lateSenderOnABusyMachineSpoils(
            int stops, long stopMs, boolean isInCall, double waited, int allowedPpm, boolean spoils) throws Exception {
        List<RunMark> marks = marks(run(stops, stopMs, isInCall).machine(waited(waited, allowedPpm)));
        assertThat(marks)
                .extracting(RunMark::sentence)
                .hasSize(spoils ? 1 : 0)
                .allMatch(sentence -> sentence.startsWith("The sender stood still for more than 1 % of the time"));
    }

    private static LabRecord lab(Map<String, Long> counts) {
        return new LabRecord("lab", "delay: 1ms", 0, null, List.of(new LabRecord.Station("relay forward", counts)));
    }

    @ParameterizedTest
    @CsvSource({
        "10, 0, 100000, ",
        "11, 0, 100000, More than 1 % of packets left the emulated link more than 1 ms late",
        "0, 1, 100000, The emulated link missed packets",
        "11, 1, 1000000, "
    })
    void lateLinkSpoils(long late, long missed, int allowedPpm, String beginning) throws Exception {
        Map<String, Long> counts = Map.of("forwarded", 1_000L, "lateOver1ms", late, "missed", missed);
        List<RunMark> marks = marks(run(0, 0, false).lab(lab(counts)).machine(waited(0, allowedPpm)));
        assertThat(marks).hasSize(beginning == null ? 0 : 1);
        assertThat(marks).allMatch(mark -> mark.sentence().startsWith(beginning));
    }

    /** A flood is as fast as the emulation, so that what this misses is what the flood measures. */
    @Test
    void floodThatALinkMissedIsNotSpoiled() throws Exception {
        assertThat(marks(session.run("0001-r1", "udp", 24)
                        .sent(0, 1_000)
                        .received(new long[] {0, 500}, new long[] {1, 1_500})
                        .lab(lab(Map.of("forwarded", 1_000L, "lateOver1ms", 0L, "missed", 500L)))))
                .isEmpty();
    }

    /** A quota that stopped a side for 1 % of the second that the run took may have decided the 99 % quantile. */
    @ParameterizedTest
    @CsvSource({"10000000, false", "10000001, true"})
    void longQuotaStopsSpoil(long throttledNs, boolean spoils) throws Exception {
        Map<String, Object> quota = Map.of("cpuQuota", 0.5, "cpuQuotaThrottledNs", throttledNs);
        assertThat(marks(run(0, 0, false).metadata(Map.of(), quota))).hasSize(spoils ? 1 : 0);
    }
}
