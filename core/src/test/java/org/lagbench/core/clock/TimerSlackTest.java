package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimerSlackTest {
    @BeforeEach
    void isAvailableOnLinuxOnly() {
        assumeTrue(Files.exists(Path.of("/proc/self/timerslack_ns")));
    }

    @Test
    void setsSlackOfCallingThreadOnly() throws Exception {
        AtomicLong set = new AtomicLong();
        long mine = TimerSlack.currentNs();
        Thread other = new Thread(() -> {
            try {
                TimerSlack.setNs(12_345);
                // what the kernel reports about this thread, read without the class under test
                String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                        .getFileName()
                        .toString();
                set.set(Long.parseLong(Files.readAllLines(Path.of("/proc", thread, "timerslack_ns"))
                        .get(0)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        other.start();
        other.join();
        assertThat(set.get()).isEqualTo(12_345);
        assertThat(TimerSlack.currentNs()).isEqualTo(mine);
    }

    @Test
    void acceptsOneNanosecond() throws Exception {
        long before = TimerSlack.currentNs();
        TimerSlack.setNs(TimerSlack.MINIMUM_NS);
        assertThat(TimerSlack.currentNs()).isEqualTo(1);
        TimerSlack.setNs(before);
    }

    @Test
    void refusesTimerSlackOfZero() {
        assertThatThrownBy(() -> TimerSlack.setNs(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
