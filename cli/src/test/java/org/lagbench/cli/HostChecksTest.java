package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.cli.DoctorCommand.Finding.Verdict;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;

@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostChecksTest {
    @ParameterizedTest
    @ValueSource(longs = {1_700_000_000_000_000_000L, 0, Long.MIN_VALUE, Long.MAX_VALUE})
    void endsAlthoughClockOfPeerStandsStill(long atNs) throws Exception {
        HostLoad before = load(1_700_000_000_000_000_000L);

        assertThat(HostChecks.load("Load there", before, () -> load(atNs)).subject())
                .isEqualTo("Load there");
    }

    @Test
    void warnsOfMissingObserverOfFrames() {
        LagbenchException reason = ExitCode.UNAVAILABLE.failure("Use Linux 6.12 or later.");

        assertThat(HostChecks.arrivals(null, null).verdict()).isEqualTo(Verdict.OK);
        assertThat(HostChecks.arrivals(null, reason).verdict()).isEqualTo(Verdict.WARN);
        assertThat(HostChecks.arrivals(null, reason).found()).contains("leave and arrive, except in frames");
        assertThat(HostChecks.arrivals(null, reason).advice()).isEqualTo("Use Linux 6.12 or later.");
        assertThat(HostChecks.arrivals(reason, reason).found()).contains("only the sockets of some engines");
    }

    private static HostLoad load(long atNs) {
        return new HostLoad(atNs, 0.5, 2, 0, 0, 4, 5, 6, 1, List.of(2L), List.of(2_400L));
    }
}
