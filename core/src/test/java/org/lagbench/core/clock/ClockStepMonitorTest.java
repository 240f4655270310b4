package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ClockStepMonitorTest {
    private static final long SET_NS = 1_700_000_000_000_000_000L;

    /** The monotonic clock. The other clock reads this plus {@link #setNs}, which a test changes to step it. */
    private final AtomicLong monotonicNs = new AtomicLong(1_000_000_000_000L);

    private final AtomicLong setNs = new AtomicLong(SET_NS);

    /** A notifier that reports each time the test sets the clock. */
    private static final class Notice implements ClockStepNotifier {
        private final BlockingQueue<Boolean> words = new ArrayBlockingQueue<>(10);
        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public boolean await() {
            try {
                return words.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void end() {
            words.add(false);
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }

    private ClockStepMonitor start(Notice notice) {
        return new ClockStepMonitor(notice, () -> setNs.get() + monotonicNs.get(), monotonicNs::get);
    }

    @Test
    void detectsNotifiedStepDespiteLateCheck() {
        Notice notice = new Notice();
        try (ClockStepMonitor watch = start(notice)) {
            monotonicNs.addAndGet(TimeUnit.HOURS.toNanos(5));
            setNs.addAndGet(-30_000);
            notice.words.add(true);
            Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !watch.steps()
                    .isEmpty());
            assertThat(watch.steps())
                    .containsExactly(new ClockHistory.ClockStep(SET_NS - 30_000 + monotonicNs.get(), -30_000));
        }
        assertThat(notice.closed).isTrue();
    }

    /** Each bracket is much wider than the first one, as on a busy machine: no comparison follows the close. */
    @Test
    void comparesClocksAtCloseDespiteSlowReadings() {
        AtomicLong readNs = new AtomicLong();
        ClockStepMonitor watch = new ClockStepMonitor(
                null, () -> setNs.get() + monotonicNs.get(), () -> monotonicNs.addAndGet(readNs.get()));
        readNs.set(1_000_000);
        setNs.addAndGet(1_000_000_000);
        watch.close();
        assertThat(watch.steps()).singleElement().satisfies(step -> assertThat(step.sizeNs())
                .isBetween(999_000_000L, 1_001_000_000L));
    }

    @Test
    void ignoresNotificationWithoutJump() {
        Notice notice = new Notice();
        ClockStepMonitor watch = start(notice);
        monotonicNs.addAndGet(TimeUnit.HOURS.toNanos(5));
        setNs.addAndGet(-ClockStepMonitor.StepDetector.SMALLEST_STEP_NS);
        notice.words.add(true);
        Awaitility.await().atMost(60, TimeUnit.SECONDS).until(notice.words::isEmpty);
        watch.close(); // after the close, the thread has compared the clocks and ended
        assertThat(watch.steps()).isEmpty();
    }

    @Test
    void pollsWithoutNotifierAndOnceAtClose() {
        ClockStepMonitor watch = new ClockStepMonitor(null, () -> setNs.get() + monotonicNs.get(), monotonicNs::get);
        setNs.addAndGet(1_000_000);
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> watch.steps().size() == 1);
        setNs.addAndGet(-2_000_000);
        watch.close();
        assertThat(watch.steps()).extracting(ClockHistory.ClockStep::sizeNs).containsExactly(1_000_000L, -2_000_000L);
    }

    @Test
    void closesRepeatedly() {
        for (Notice notice : new Notice[] {new Notice(), null}) {
            ClockStepMonitor watch =
                    new ClockStepMonitor(notice, () -> setNs.get() + monotonicNs.get(), monotonicNs::get);
            watch.close();
            watch.close();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().equals("clock-step-monitor"));
        }
    }
}
