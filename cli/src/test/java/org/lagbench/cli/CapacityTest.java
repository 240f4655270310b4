package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ExitCode;

class CapacityTest {
    @Test
    void refusesBudgetBelowMegabyte() {
        CommandResult capacity = CommandResult.of("capacity", "--budget", "0");
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains("--budget: 0 is not accepted; it takes 1 or more.");
    }

    @Test
    void namesUnknownKeyBeforeItMeasures() {
        CommandResult capacity = CommandResult.of("capacity", "--set", "tcp.congestion=reno");
        assertThat(capacity.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(capacity.err()).contains("tcp.congestion");
    }
}
