package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Pace.Mode;
import org.lagbench.packetio.engine.Pacer;

class LinuxSleepTest {
    private static final long INTERVAL_NS = 500_000;

    @Test
    void sleepsAtLeastTheRequestedTime() throws Exception {
        LinuxSleep.load();
        for (long lengthNs : new long[] {1, 125_000, 20_000_000}) {
            long beforeNs = System.nanoTime();
            LinuxSleep.sleepNs(lengthNs);
            assertThat(System.nanoTime() - beforeNs).isGreaterThanOrEqualTo(lengthNs);
        }
    }

    @Test
    void rejectsAnInvalidTime() throws Exception {
        LinuxSleep.load();
        assertThatThrownBy(() -> LinuxSleep.sleepNs(1_000_000_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("clock_nanosleep of 1000000000 ns: Invalid argument (errno 22)");
    }

    @ParameterizedTest
    @EnumSource(names = {"SLEEP", "HYBRID"})
    void schedulesPacketsAtExactIntervals(Mode mode) throws Exception {
        Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS));
        pacer.start();
        long first = pacer.await(0);
        for (int i = 1; i < 200; i++) {
            long scheduledNs = pacer.await(i);
            assertThat(RealtimeClock.nowNs()).isGreaterThanOrEqualTo(scheduledNs);
            assertThat(scheduledNs - first).isEqualTo(i * INTERVAL_NS);
        }
        assertThat(pacer.metadata())
                .containsEntry("sleepCall", "clock_nanosleep")
                .containsEntry("clockSteps", 0L);
    }

    @Test
    void stoppingEndsALongWait() throws Exception {
        Pacer pacer = Pacer.of(new Pace(Mode.SLEEP, RunParameters.MAXIMUM_INTERVAL_NS));
        Thread stopper = new Thread(pacer::stop);
        pacer.start();
        pacer.await(0);
        stopper.start();
        assertThatThrownBy(() -> pacer.await(1)).isInstanceOf(InterruptedException.class);
        stopper.join();
    }
}
