package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.packetio.engine.Pacer.SystemClocks;
import org.lagbench.packetio.linux.LinuxSockets;

class SystemClocksTest {
    private static final long TEN_MINUTES_NS = TimeUnit.MINUTES.toNanos(10);

    private final List<Long> slept = new ArrayList<>();
    private final SystemClocks clocks = new SystemClocks("listed", slept::add);

    @Test
    void sleepsShortTimeInOneCall() {
        clocks.parkNs(125_000);
        clocks.parkNs(SystemClocks.SHORT_NS);
        assertThat(slept).containsExactly(125_000L, SystemClocks.SHORT_NS);
        assertThat(clocks.sleepCall()).isEqualTo("listed");
    }

    @Test
    void unparkingEndsALongSleep() {
        LockSupport.unpark(Thread.currentThread());
        clocks.parkNs(TEN_MINUTES_NS);
        assertThat(slept).as("uninterruptible sleeps").isEmpty();
    }

    @Test
    void doesNotParkAnInterruptedThread() {
        Thread.currentThread().interrupt();
        clocks.parkNs(TEN_MINUTES_NS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(slept).isEmpty();
    }

    @Test
    void parksWithoutTheNativeLibrary(@TempDir Path empty) {
        String property = LinuxSockets.DIRECTORY_PROPERTY;
        String directory = System.getProperty(property);
        System.setProperty(property, empty.toString());
        try {
            assertThat(SystemClocks.find()).isSameAs(SystemClocks.PARKING);
        } finally {
            if (directory == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, directory);
            }
        }
    }
}
