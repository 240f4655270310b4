package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Recovery;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

/** Experiments that send over transports of libraries and over others. */
class LibraryTransportsTest {
    private static final long MS = 1_000_000;

    private final ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load(), false);

    private Experiment build(String... values) throws LagbenchException {
        return reader.build("test", List.of(values));
    }

    private static List<String> pairs(Experiment experiment) {
        return experiment.runs(0).stream()
                .map(run ->
                        run.point().transport() + " " + run.point().program().engine())
                .distinct()
                .sorted()
                .toList();
    }

    @Test
    void areSentByTheirOwnEngineAlone(@TempDir Path directory) throws Exception {
        Experiment named =
                build("transports=[udp, srt]", "packet-bytes=992", "engine=[c, java]", "srt.latency=[0ms, 1s]");
        assertThat(pairs(named)).containsExactly("srt libsrt", "udp c", "udp java");
        assertThat(named.runCount()).isEqualTo(4).isEqualTo(named.runs(0).size());

        Path file = Files.writeString(directory.resolve("again.yaml"), named.toYaml());
        assertThat(reader.read(file, List.of())).isEqualTo(named);

        assertThat(pairs(build("transports=[udp, srt]", "packet-bytes=992"))).containsExactly("srt libsrt", "udp java");
        assertThat(pairs(build("transports=srt", "packet-bytes=992"))).containsExactly("srt libsrt");
        assertThat(pairs(build("packet-bytes=992"))).doesNotContain("srt libsrt");
    }

    @Test
    void areNotReplacedByTransportsThatTheirEngineCannotSend() {
        assertThatThrownBy(() -> build("transports=udp", "engine=libsrt", "packet-bytes=992"))
                .hasMessageContaining("engine: libsrt does not send and receive over udp");
        assertThatThrownBy(() -> build("transports=srt", "traffic=round-trip", "packet-bytes=992"))
                .hasMessageContaining("engine: libsrt has no round-trip traffic over srt");
        assertThatThrownBy(() -> build("transports=srt", "packet-bytes=1457"))
                .hasMessageContaining("srt takes a whole number from 24 to 1456");
    }

    /** Of five packets in each of two runs, one comes 6 ms after the others, and one 5 ms. */
    @Test
    void countLatePacketsAfterLatencyOfTheirConnection(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory);
        for (int run = 1; run <= 2; run++) {
            long latencyMs = 20L + 20L * run;
            session.run("000" + run + "-srt-100-r" + run, "srt", 100)
                    .setting("latency", "40ms")
                    .sent(0, 0, 0, 0, 0)
                    .received(
                            new long[] {0, latencyMs * MS},
                            new long[] {1, latencyMs * MS},
                            new long[] {4, latencyMs * MS},
                            new long[] {3, (latencyMs + 5) * MS},
                            new long[] {2, (latencyMs + 6) * MS})
                    .write();
        }
        Recovery recovery = Summaries.of(
                        Session.open(directory),
                        new SummaryOptions(true, false, Tail.DEFAULT, Set.of(MetricGroup.RECOVERY)))
                .points()
                .get(0)
                .pooled()
                .require(MetricGroup.RECOVERY);

        assertThat(recovery.configuredLatencyNs()).isEqualTo(40 * MS);
        assertThat(recovery.effectiveLatencyNs()).isEqualTo(50.0 * MS);
        assertThat(recovery.late()).isEqualTo(2);
        assertThat(recovery.lateShare()).isEqualTo(.2);
    }

    @Test
    void losePacketsThatAreTooLateForTheirLibrary(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory);
        session.run("0001-srt-100-r1", "srt", 100)
                .setting("latency", "40ms")
                .sent(0, 10)
                .received(new long[] {0, 40_000_000})
                .write();
        assertThat(CommandResult.of("table", directory.toString()).out())
                .contains("1 packet was not delivered", "--latency")
                .doesNotContain("--interval");
    }
}
