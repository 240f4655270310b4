package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;

class ProgramArgumentsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"c, true", "java, false"})
    void optimizesOnlySidesThatMovePackets(String engine, boolean isLimited) throws Exception {
        Experiment experiment = new ExperimentReader(Transports.load(), Engines.load())
                .build("test", List.of("transports=udp", "packet-bytes=100", "packets=10", "engine=" + engine));
        RunSpec run = experiment.run().numbered(1, 1).runs().get(0);
        try (Execution execution = new Execution(
                experiment,
                SessionDirectory.createIn(directory.resolve("session"), experiment),
                Duration.ZERO,
                false,
                false,
                null,
                null,
                new ShutdownCoordinator())) {
            assertThat(List.of(
                            ProgramArguments.requested(ProgramArguments.SENDER, execution, run, Hosts.LOOPBACK),
                            ProgramArguments.receiver(execution, run, Hosts.LOOPBACK)))
                    .allSatisfy(program -> assertThat(program.commandLine().contains("-XX:TieredStopAtLevel=1"))
                            .isEqualTo(isLimited));
        }
    }
}
