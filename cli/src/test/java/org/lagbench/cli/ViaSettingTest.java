package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.experiment.ExperimentReader;

/** Destinations of packets that an experiment names besides its receiver. */
class ViaSettingTest {
    private final ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load(), false);

    @Test
    void isRefusedInStreams() {
        assertThatThrownBy(() -> reader.build(
                        "test",
                        List.of("streams=[{name: a, transport: udp, packet-bytes: 992, packets: 10,"
                                + " settings: {via: '192.0.2.9:9'}}]")))
                .hasMessageContaining("a stream is sent to its receiver only");
    }
}
