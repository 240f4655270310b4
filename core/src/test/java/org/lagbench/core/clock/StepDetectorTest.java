package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepDetectorTest {
    private static final long LOOK_NS = 50_000_000;

    /** A machine's two clocks; reading one takes time, and the reader may be kept from the CPU before any reading. */
    private static final class Machine {
        private final Random random = new Random(7);
        private final long readNs;
        private final double ratePpm;
        private double preempted;
        private final ClockStepMonitor.StepDetector detector = new ClockStepMonitor.StepDetector(
                this::realtimeNs, this::monotonicNs, ClockStepMonitor.StepDetector.LARGEST_DRIFT_PPM);
        private long nowNs = 1_000_000_000_000L;
        private long setNs = 1_700_000_000_000_000_000L;

        Machine(long readNs, double ratePpm, double preempted) {
            this.readNs = readNs;
            this.ratePpm = ratePpm;
            this.preempted = preempted;
        }

        private long monotonicNs() {
            nowNs += readNs / 2
                    + random.nextInt((int) readNs)
                    + (random.nextDouble() < preempted ? random.nextInt(10_000_000) : 0);
            return nowNs;
        }

        private long realtimeNs() {
            long monotonic = monotonicNs();
            return setNs + monotonic + (long) (monotonic * (ratePpm * 1e-6));
        }

        Machine looks(int times) {
            for (int i = 0; i < times; i++) {
                nowNs += LOOK_NS + random.nextInt(1_000_000);
                detector.compare();
            }
            return this;
        }

        Machine set(long byNs) {
            setNs += byNs;
            return this;
        }

        List<ClockHistory.ClockStep> steps() {
            return detector.steps();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "30, 0, 0", // an undisturbed machine
        "30, 100, 0.02",
        "30, -400, 0.02", // a clock with a separate rate, like a fake one
        "30, 0, 0.5", // the reader is interrupted in most brackets
        "20000, 100, 0.02", // a clock that is slow to read
        "200000, 0, 0"
    })
    void findsNoStepDespiteInterruptions(long readNs, double ratePpm, double preempted) {
        assertThat(new Machine(readNs, ratePpm, preempted).looks(20_000).steps())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "30, 0, 0, 50000",
        "30, 0, 0, -50000",
        "30, 0, 0.02, 1000000",
        "30, -100, 0.02, -1000000",
        "30, 100, 0.5, 50000000",
        "30, 0, 0, -1000000000",
        "20000, 0, 0.02, 1000000"
    })
    void findsStepOnce(long readNs, double ratePpm, double preempted, long sizeNs) {
        Machine machine = new Machine(readNs, ratePpm, preempted).looks(100).set(sizeNs);
        long setAtNs = machine.realtimeNs();

        List<ClockHistory.ClockStep> steps = machine.looks(100).steps();

        assertThat(steps).hasSize(1);
        assertThat(steps.get(0).sizeNs()).isCloseTo(sizeNs, within(30_000L));
        assertThat(steps.get(0).atNs()).isCloseTo(setAtNs, within(400_000_000L));
    }

    @Test
    void findsStepAfterDelayedReading() {
        Machine machine = new Machine(30, 0, 0).looks(10).set(700_000);
        machine.preempted = 1;
        assertThat(machine.looks(3).steps()).isEmpty();
        machine.preempted = 0;

        assertThat(machine.looks(3).steps()).hasSize(1);
        assertThat(machine.steps().get(0).sizeNs()).isCloseTo(700_000, within(1_000L));
    }

    @Test
    void findsSuccessiveSteps() {
        Machine machine = new Machine(30, 20, 0.02).looks(10);
        for (int i = 1; i <= 20; i++) {
            machine.set(i * 100_000L).looks(5).set(-i * 100_000L).looks(5);
        }
        assertThat(machine.steps()).hasSize(40);
        assertThat(machine.steps().get(39).sizeNs()).isCloseTo(-2_000_000, within(10_000L));
    }

    @Test
    void mayMissStepsBelowFiftyMicroseconds() {
        assertThat(new Machine(30, 0, 0).looks(10).set(40_000).looks(10).steps())
                .isEmpty();
    }

    @Test
    void confirmsStepDespiteDelayedReadings() {
        Machine machine = new Machine(30, 0, 0).looks(10).set(50_000_000);
        machine.preempted = 1;

        machine.detector.confirmStep();

        assertThat(machine.steps()).hasSize(1);
        assertThat(machine.steps().get(0).sizeNs()).isCloseTo(50_000_000, within(10_000_000L));
    }
}
