package org.lagbench.packetio.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SystemClocksTest {
    private static final long TEN_MINUTES_NS = TimeUnit.MINUTES.toNanos(10);

    private final List<Long> slept = new ArrayList<>();
    private final SystemClocks clocks = new SystemClocks(new ShortSleep() {
        @Override
        public void check() {
            // it is there
        }

        @Override
        public void sleepNs(long nanoseconds) {
            slept.add(nanoseconds);
        }

        @Override
        public String call() {
            return "listed";
        }
    });

    @Test
    void aShortTimeIsSleptThroughWhole() {
        clocks.parkNs(125_000);
        clocks.parkNs(SystemClocks.SHORT_NS);
        assertThat(slept).containsExactly(125_000L, SystemClocks.SHORT_NS);
        assertThat(clocks.sleepCall()).isEqualTo("listed");
    }

    @Test
    void whoeverIsParkedForLongCanBeWoken() {
        LockSupport.unpark(Thread.currentThread());
        clocks.parkNs(TEN_MINUTES_NS);
        assertThat(slept).as("sleeps that nobody can end").isEmpty();
    }

    @Test
    void whoeverIsInterruptedIsNotParked() {
        Thread.currentThread().interrupt();
        clocks.parkNs(TEN_MINUTES_NS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(slept).isEmpty();
    }

    @Test
    void withoutTheSystemsOwnSleepJavasIsTaken() {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader()); // which finds no sleep of ours
        try {
            assertThat(ShortSleep.find()).isSameAs(ShortSleep.PARKING);
        } finally {
            thread.setContextClassLoader(loader);
        }
    }
}
