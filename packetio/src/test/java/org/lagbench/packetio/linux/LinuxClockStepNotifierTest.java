package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.clock.ClockStepNotifier;

class LinuxClockStepNotifierTest {
    @Test
    void doesNotNotifyBeforeClockIsSet() throws Exception {
        try (ClockStepNotifier notice = Objects.requireNonNull(ClockStepNotifier.find())) {
            assertThat(notice).isInstanceOf(LinuxClockStepNotifier.class);
            CompletableFuture<Boolean> notified = CompletableFuture.supplyAsync(notice::await);
            Thread.sleep(200); // nothing may be notified in this time
            assertThat(notified).isNotDone();
            notice.end();
            assertThat(notified.get()).isFalse();
        }
    }

    @Test
    void canBeClosedTwiceAndEndedAfterwards() {
        ClockStepNotifier notice = Objects.requireNonNull(ClockStepNotifier.find());
        notice.close();
        notice.close();
        notice.end();
    }

    @Test
    void releasesThreadsAndDescriptors() throws Exception {
        ClockStepMonitor.start().close();
        long before = timers();
        for (int i = 0; i < 100; i++) {
            try (ClockStepMonitor watch = ClockStepMonitor.start()) {
                assertThat(timers()).isGreaterThan(before);
                assertThat(watch.steps()).isEmpty();
            }
        }
        assertThat(timers()).isEqualTo(before);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("clock-step-monitor"));
    }

    /** Returns how many timers this process has open. */
    private static long timers() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(LinuxClockStepNotifierTest::isTimer).count();
        }
    }

    private static boolean isTimer(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("timerfd");
        } catch (IOException e) {
            return false; // a descriptor that is closed by now, such as the one for listing the directory
        }
    }
}
