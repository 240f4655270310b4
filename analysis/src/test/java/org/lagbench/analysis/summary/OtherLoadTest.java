package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunRecord;

/** Marks of runs on a host with two CPUs, so 200 ticks a second. */
class OtherLoadTest {
    private static final String SENTENCE = "Other programs used more of the host's processors than"
            + " machine.max-other-load allows, 10%: slow packets may be theirs.";

    private SessionFixture session;
    private Map<String, Object> receiverMetadata = Map.of();

    @BeforeEach
    void createSession(@TempDir Path directory) throws Exception {
        session = new SessionFixture(directory);
    }

    /**
     * Readings at a fixed interval of seconds, in each of which others use a fixed number of ticks, and the program 20.
     */
    private static List<HostLoad> readings(long program, double everyS, long otherTicks) {
        return IntStream.range(0, RunRecord.Machine.READINGS)
                .mapToObj(i -> new HostLoad(
                        (long) (i * everyS * 1e9),
                        1,
                        (long) (i * everyS * (otherTicks + 20)),
                        0,
                        0,
                        (long) (i * everyS * 200),
                        0,
                        program,
                        (long) (i * everyS * 20),
                        List.of(),
                        List.of()))
                .toList();
    }

    private List<RunMark> marks(List<HostLoad> sender, List<HostLoad> receiver) throws Exception {
        session.run("0001-r1", "udp", 24)
                .sent(0, 1_000)
                .received(new long[] {0, 500}, new long[] {1, 1_500})
                .metadata(Map.of(), receiverMetadata)
                .machine(new RunRecord.Machine(100_000, sender, receiver))
                .write();
        SummaryOptions options = new SummaryOptions(Set.of());
        return Summaries.of(Session.open(session.path()), options)
                .points()
                .get(0)
                .pooled()
                .clock()
                .marks();
    }

    @Test
    void marksRunDuringOtherLoad() throws Exception {
        assertThat(marks(readings(7, 2, 86), readings(7, 2, 86)))
                .containsExactly(new RunMark("0001-r1 (43 %)", SENTENCE, true));
    }

    @Test
    void summarizesLoadOfSeveralRuns() {
        RunMark low = new RunMark("0001-r1 (43 %)", SENTENCE, true);
        assertThat(RunMark.shares(List.of(low, new RunMark("0002-r1 (87 %)", SENTENCE, true))))
                .isEqualTo("They used 43–87 % ");
        assertThat(RunMark.shares(List.of(low))).isEqualTo("They used 43 % ");
    }

    @Test
    void acceptsLessLoad() throws Exception {
        assertThat(marks(readings(7, 2, 18), readings(7, 2, 18))).isEmpty();
    }

    /** The receiver's program used 20 of the 36 ticks that are not the sender's. */
    @Test
    void doesNotCountReceiverOnSameHost() throws Exception {
        assertThat(marks(readings(7, 2, 36), readings(8, 2, 36))).isEmpty();
    }

    @Test
    void marksRunThatAQuotaStopped() throws Exception {
        receiverMetadata = Map.of("cpuQuota", 0.5, "cpuQuotaThrottledNs", 1_690_000_000L);
        assertThat(marks(List.of(), List.of()))
                .containsExactly(new RunMark(
                        "0001-r1 (1690 ms)",
                        "The CPU quota of the receiver's control group, 0.50 CPUs, stopped it, in the sum over CPUs:"
                                + " packets waited for its end. Raise the quota (docker --cpus, cpu.max).",
                        true));
    }

    @Test
    void acceptsAQuotaThatStoppedNothing() throws Exception {
        receiverMetadata = Map.of("cpuQuota", 2.0, "cpuQuotaThrottledNs", 0);
        assertThat(marks(List.of(), List.of())).isEmpty();
    }

    @Test
    void hasNoMarkWithoutReadings() throws Exception {
        assertThat(marks(List.of(), List.of())).isEmpty();
    }
}
