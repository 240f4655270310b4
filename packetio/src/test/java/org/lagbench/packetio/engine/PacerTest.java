package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Pace.Mode;
import org.lagbench.packetio.engine.Pacer.Clocks;

class PacerTest {
    private static final long INTERVAL_NS = 500_000;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void schedulesPacketsAtExactIntervals(Mode mode) throws Exception {
        int packets = 600;
        long[] scheduledNs = new long[packets];
        long[] sentNs = new long[packets];
        Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS));
        long beforeNs = RealtimeClock.nowNs();
        pacer.start();
        for (int i = 0; i < packets; i++) {
            scheduledNs[i] = pacer.await(i);
            sentNs[i] = RealtimeClock.nowNs();
        }
        assertThat(pacer.metadata()).containsEntry("clockSteps", 0L);
        assertThat(scheduledNs[0]).isBetween(beforeNs, sentNs[0]);
        for (int i = 0; i < packets; i++) {
            assertThat(scheduledNs[i] - scheduledNs[0]).isEqualTo(i * INTERVAL_NS);
            assertThat(sentNs[i]).isGreaterThanOrEqualTo(scheduledNs[i]);
        }
    }

    /** Paces a third of a second of video, 60 frames/s of 48 packets, on the machine's clocks. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void schedulesABurstAtOneInstant(Mode mode) throws Exception {
        int burst = 48;
        int packets = 20 * burst;
        long frameNs = 16_666_667;
        long[] scheduledNs = new long[packets];
        Pacer pacer = Pacer.of(new Pace(mode, frameNs, burst));
        pacer.start();
        for (int i = 0; i < packets; i++) {
            scheduledNs[i] = pacer.await(i);
            assertThat(RealtimeClock.nowNs()).isGreaterThanOrEqualTo(scheduledNs[i]);
        }
        assertThat(pacer.metadata()).containsEntry("clockSteps", 0L);
        for (int frame = 0; frame < 20; frame++) {
            for (int i = frame * burst; i < (frame + 1) * burst; i++) {
                assertThat(scheduledNs[i] - scheduledNs[0]).isEqualTo(frame * frameNs);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void startsAtTheGivenTimeUnlessItIsPast(Mode mode) throws Exception {
        FakeClocks clocks = new FakeClocks();
        Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS), clocks);
        long startNs = clocks.realtimeNs() + 1_000_000;
        pacer.start(startNs);
        assertThat(pacer.await(0)).isCloseTo(startNs, within(10 * clocks.lookNs));
        long againNs = clocks.realtimeNs();
        pacer.start(startNs);
        assertThat(pacer.await(0)).isBetween(againNs, clocks.realtimeNs());
    }

    @Test
    void doesNotWaitWithinABurst() throws Exception {
        FakeClocks clocks = new FakeClocks();
        Pacer pacer = Pacer.of(new Pace(Mode.HYBRID, INTERVAL_NS, 10), clocks);
        pacer.start();
        long first = pacer.await(0);
        long beganNs = clocks.monotonicNs;
        for (int i = 1; i < 10; i++) {
            assertThat(pacer.await(i)).isEqualTo(first);
        }
        assertThat(clocks.monotonicNs - beganNs).isLessThan(10 * 10 * clocks.lookNs);
        assertThat(pacer.await(10)).isEqualTo(first + INTERVAL_NS);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void sendsOverduePacketsAtOnceWithTheirOwnTimes(Mode mode) throws Exception {
        FakeClocks clocks = new FakeClocks();
        Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS), clocks);
        pacer.start();
        long first = pacer.await(0);
        clocks.monotonicNs += 100 * INTERVAL_NS; // the sender was stalled for a hundred intervals
        long stalled = clocks.monotonicNs;
        for (int i = 1; i < 100; i++) {
            assertThat(pacer.await(i)).isEqualTo(first + i * INTERVAL_NS);
        }
        assertThat(clocks.monotonicNs).as("no wait").isLessThan(stalled + INTERVAL_NS);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void ignoresClockStepsWhileWaiting(Mode mode) throws Exception {
        for (long stepNs : new long[] {3_600_000_000_000L, -3_600_000_000_000L, 20_000_000, -20_000_000}) {
            FakeClocks clocks = new FakeClocks();
            Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS), clocks);
            pacer.start();
            long first = pacer.await(0);
            long firstMonotonic = clocks.monotonicNs;
            clocks.stepNs = stepNs;
            for (int i = 1; i < 10; i++) {
                long scheduled = pacer.await(i);
                assertThat(scheduled - first - stepNs)
                        .as("on the scale of the stepped clock")
                        .isCloseTo(i * INTERVAL_NS, within(1_000L));
                assertThat(clocks.realtimeNs()).isGreaterThanOrEqualTo(scheduled);
                assertThat(clocks.monotonicNs - firstMonotonic)
                        .isBetween(i * INTERVAL_NS - 10_000, (i + 1) * INTERVAL_NS);
            }
            assertThat(pacer.metadata()).containsEntry("clockSteps", 1L);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FLOOD")
    void followsAClockStepWithinTenMicroseconds(Mode mode) throws Exception {
        FakeClocks clocks = new FakeClocks();
        Pacer pacer = Pacer.of(new Pace(mode, INTERVAL_NS, 10_000), clocks);
        pacer.start();
        long first = pacer.await(0);
        clocks.stepNs = 20_000_000;
        long steppedNs = clocks.monotonicNs;
        for (int i = 1; i < 10_000; i++) {
            long beforeNs = clocks.monotonicNs;
            long scheduled = pacer.await(i);
            if (beforeNs - steppedNs >= 10_000) {
                assertThat(scheduled - first).isCloseTo(20_000_000, within(1_000L));
            }
        }
        assertThat(pacer.metadata()).containsEntry("clockSteps", 1L);
    }

    @Test
    void doesNotMistakeASlowClockForAStep() throws Exception {
        FakeClocks clocks = new FakeClocks();
        clocks.lookNs = 20_000; // a clock as slow to read as in User-Mode Linux
        Pacer pacer = Pacer.of(new Pace(Mode.SPIN, INTERVAL_NS), clocks);
        pacer.start();
        long first = pacer.await(0);
        for (int i = 1; i < 100; i++) {
            assertThat(pacer.await(i)).isEqualTo(first + i * INTERVAL_NS);
        }
        assertThat(pacer.metadata()).containsEntry("clockSteps", 0L);
    }

    @Test
    void returnsAtOnceInAFlood() throws Exception {
        Pacer pacer = Pacer.of(Pace.flood());
        pacer.start();
        for (long i : new long[] {0, 1, 1_000_000_000L}) {
            assertThat(pacer.await(i)).isEqualTo(SenderCapture.UNSCHEDULED);
        }
    }

    @Test
    void restartsTheSchedule() throws Exception {
        Pacer pacer = Pacer.of(new Pace(Mode.SPIN, INTERVAL_NS));
        pacer.start();
        long first = pacer.await(5);
        pacer.start();
        long again = pacer.await(0);
        assertThat(again).isGreaterThanOrEqualTo(first);
        assertThat(pacer.await(1)).isEqualTo(again + INTERVAL_NS);
    }

    @ParameterizedTest
    @EnumSource
    void stoppingEndsCurrentAndLaterWaits(Mode mode) throws Exception {
        Pacer pacer = pacerOfTenSeconds(mode);
        Thread stopper = new Thread(pacer::stop);
        pacer.start();
        if (mode == Mode.FLOOD) {
            pacer.stop();
        } else {
            pacer.await(0);
            stopper.start();
        }
        assertThatThrownBy(() -> pacer.await(1)).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> pacer.await(0)).isInstanceOf(InterruptedException.class);
        stopper.join();
    }

    @ParameterizedTest
    @EnumSource
    void interruptingTheThreadEndsTheWait(Mode mode) throws Exception {
        Pacer pacer = pacerOfTenSeconds(mode);
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        Thread sender = new Thread(() -> {
            pacer.start();
            started.countDown();
            try {
                for (int i = 0; ; i++) {
                    pacer.await(i);
                }
            } catch (InterruptedException e) {
                ended.countDown();
            }
        });
        sender.start();
        started.await();
        await().atMost(Duration.ofMinutes(2))
                .pollDelay(20, TimeUnit.MILLISECONDS)
                .until(() -> true);
        sender.interrupt();
        assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        sender.join();
    }

    @Test
    void rejectsAWaitBeforeTheStart() {
        Pacer pacer = pacerOfTenSeconds(Mode.SLEEP);
        assertThatThrownBy(() -> pacer.await(0)).isInstanceOf(IllegalStateException.class);
    }

    private static Pacer pacerOfTenSeconds(Mode mode) {
        return Pacer.of(mode == Mode.FLOOD ? Pace.flood() : new Pace(mode, RunParameters.MAXIMUM_INTERVAL_NS));
    }

    /** Time advances with each reading; a sleep ends 20 µs late. */
    private static final class FakeClocks implements Clocks {
        private long monotonicNs =
                Long.MAX_VALUE - 3 * INTERVAL_NS; // the monotonic clock's zero is arbitrary: it may wrap
        private long stepNs;
        private long lookNs = 100;
        private final long zeroNs = 1_700_000_000_000_000_000L - monotonicNs;

        @Override
        public long monotonicNs() {
            monotonicNs += lookNs;
            return monotonicNs;
        }

        @Override
        public long realtimeNs() {
            monotonicNs += lookNs;
            return zeroNs + monotonicNs + stepNs;
        }

        @Override
        public void parkNs(long nanoseconds) {
            monotonicNs += nanoseconds + 20_000;
        }

        @Override
        public String sleepCall() {
            return "none";
        }
    }
}
