package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;

/** The order in which the sources of a side are switched does not depend on time, only the length of the windows. */
class ObserverSwitchTest {
    private static final ObservedWindows WINDOWS = new ObservedWindows(10, 3, 100);
    private static final Pace PACE = new Pace(Pace.Mode.SLEEP, 1_000_000);
    private static final long SEED = 5;

    @TempDir
    Path directory;

    private final EventLog log = new EventLog();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private boolean isRefused;

    private final class RecordedCalls implements ObserverSwitch.Sources {
        @Override
        public void load(long recordNs) throws LagbenchException {
            calls.add("load");
            if (isRefused) {
                throw ExitCode.UNAVAILABLE.failure("The kernel refuses it.");
            }
        }

        @Override
        public void arm() {
            calls.add("arm");
        }

        @Override
        public void read(long sleepNs, RunQueueDelay own) {
            calls.add("read");
        }

        @Override
        public void readAll() {
            calls.add("readAll");
        }

        @Override
        public long sleepNs() {
            return TimeUnit.SECONDS.toNanos(1);
        }

        @Override
        public void disarm() {
            calls.add("disarm");
        }
    }

    private ObserverSwitch start(long passed) {
        PacketThread self = Objects.requireNonNull(PacketThread.current());
        return new ObserverSwitch(WINDOWS, SEED, PACE, self, () -> passed, new RecordedCalls(), log);
    }

    @Test
    void armsSourcesInObservedWindows() throws Exception {
        try (ObserverSwitch toggled = start(1)) {
            await().atMost(Duration.ofSeconds(60)).until(toggled::hasEnded);
            assertThat(toggled.error()).isNull();
        }
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).equals("read")) {
                assertThat(calls.get(i - 1)).as("call before call %s", i).isIn("arm", "read");
            } else if (calls.get(i).equals("disarm")) { // so that the price includes the time to read all
                assertThat(calls.get(i - 1)).as("call before call %s", i).isEqualTo("readAll");
            }
        }
        calls.removeIf(call -> call.startsWith("read"));
        assertThat(calls).containsExactly("load", "arm", "disarm", "arm", "disarm", "arm", "disarm");
        List<Boolean> observed = new ArrayList<>();
        for (boolean isObserved : WINDOWS.areObserved(SEED)) {
            observed.add(isObserved);
        }
        assertThat(loggedWindows()).isEqualTo(observed);
    }

    @Test
    void waitsForFirstPacket() {
        try (ObserverSwitch toggled = start(0)) {
            assertThat(toggled.hasEnded()).isFalse();
        }
        assertThat(calls).isEmpty();
        assertThat(log.size()).isZero();
    }

    @Test
    void saysWhyKernelRefusesSources() {
        isRefused = true;
        try (ObserverSwitch toggled = start(1)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> toggled.error() != null);
            assertThat(toggled.error()).isEqualTo("The kernel refuses it.");
        }
        assertThat(calls).containsExactly("load");
        assertThat(log.size()).isZero();
    }

    private List<Boolean> loggedWindows() throws Exception {
        Path file = directory.resolve("events.npy");
        try (GrowingCapture capture = EventsCapture.create(file)) {
            log.writeTo(capture);
        }
        List<Boolean> windows = new ArrayList<>();
        try (CaptureReader events = CaptureReader.open(file)) {
            for (long i = 0; i < events.records(); i++) {
                windows.add(events.value(i, events.field("cause")) == Cause.OBSERVED.code());
            }
        }
        return windows;
    }
}
