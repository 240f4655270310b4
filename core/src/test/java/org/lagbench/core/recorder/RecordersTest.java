package org.lagbench.core.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.KeptFiles;
import org.lagbench.core.run.SideFacts;

class RecordersTest {
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Exception> notRecorded = new HashMap<>();
    private final Map<String, Exception> notClosed = new HashMap<>();

    private final Recorders.Failures failures = new Recorders.Failures() {
        @Override
        public void notRecorded(String name, Exception why) {
            notRecorded.put(name, why);
        }

        @Override
        public void notClosed(String name, Exception why) {
            notClosed.put(name, why);
        }
    };

    private enum Phase {
        PREPARE,
        CONNECTED,
        WARM_UP,
        WARMED_UP,
        BEGIN,
        END,
        WRITE,
        FACTS,
        CLOSE
    }

    private static final List<Phase> ALL = List.of(Phase.values());

    /** Notes its calls, and fails in some of them. */
    private class TestRecorder implements Recorder {
        private final String name;
        private final Map<Phase, Exception> planted;

        TestRecorder(String name, Map<Phase, Exception> planted) {
            this.name = name;
            this.planted = planted;
        }

        private void call(Phase phase) {
            calls.add(name + " " + phase);
            if (planted.get(phase) instanceof RuntimeException e) {
                throw e;
            }
        }

        private void callChecked(Phase phase) throws IOException, LagbenchException {
            call(phase);
            if (planted.get(phase) instanceof IOException e) {
                throw e;
            } else if (planted.get(phase) instanceof LagbenchException e) {
                throw e;
            }
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void prepare() throws IOException, LagbenchException {
            callChecked(Phase.PREPARE);
        }

        @Override
        public void connected() throws IOException, LagbenchException {
            callChecked(Phase.CONNECTED);
        }

        @Override
        public void warmUp() throws IOException, LagbenchException {
            callChecked(Phase.WARM_UP);
        }

        @Override
        public void warmedUp() throws IOException, LagbenchException {
            callChecked(Phase.WARMED_UP);
        }

        @Override
        public void begin() throws IOException, LagbenchException {
            callChecked(Phase.BEGIN);
        }

        @Override
        public void end() throws IOException, LagbenchException {
            callChecked(Phase.END);
        }

        @Override
        public void write() throws IOException, LagbenchException {
            callChecked(Phase.WRITE);
        }

        @Override
        public List<KeptFiles> metadata() {
            call(Phase.FACTS);
            return List.of(new KeptFiles(name));
        }

        @Override
        public void close() throws IOException {
            call(Phase.CLOSE);
            if (planted.get(Phase.CLOSE) instanceof IOException e) {
                throw e;
            }
        }
    }

    private static Map<Phase, Exception> failureOf(Phase phase, Exception failure) {
        return Map.of(phase, failure);
    }

    /** Calls all phases of a run, and returns what was recorded. */
    private List<SideFacts> run(Map<Phase, Exception> planted) {
        Recorder first = new TestRecorder("first", Map.of());
        Recorder failing = new TestRecorder("failing", planted);
        Recorder last = new TestRecorder("last", Map.of());
        try (Recorders recorders = new Recorders(List.of(first, failing, last), failures)) {
            recorders.prepare();
            recorders.connected();
            recorders.warmUp();
            recorders.warmedUp();
            recorders.begin();
            recorders.end();
            recorders.write();
            recorders.write(); // the run breaks
            return recorders.metadata();
        }
    }

    private List<String> callsOf(String name) {
        return calls.stream().filter(call -> call.startsWith(name + " ")).toList();
    }

    private static List<String> calls(String name, List<Phase> phases) {
        return phases.stream().map(phase -> name + " " + phase).toList();
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatOthersRecordedIfOneFails(Phase phase) {
        IllegalStateException failure = new IllegalStateException("planted");

        List<SideFacts> metadata = run(failureOf(phase, failure));

        assertThat(callsOf("first")).isEqualTo(calls("first", ALL));
        assertThat(callsOf("last")).isEqualTo(calls("last", ALL));
        assertThat(metadata)
                .contains(new KeptFiles("first"), new KeptFiles("last"))
                .hasSize(phase == Phase.FACTS ? 2 : 3);
        assertThat(phase == Phase.CLOSE ? notClosed : notRecorded).containsExactly(Map.entry("failing", failure));
        assertThat(phase == Phase.CLOSE ? notRecorded : notClosed).isEmpty();
        assertThat(calls).contains("failing CLOSE");
    }

    @Test
    void callsNoFurtherPhaseOfRecorderThatFailedBeforePackets() {
        List<SideFacts> metadata = run(failureOf(Phase.CONNECTED, new IOException("planted")));

        assertThat(callsOf("failing"))
                .startsWith("failing PREPARE", "failing CONNECTED", "failing CLOSE")
                .doesNotContain("failing BEGIN", "failing WRITE");
        assertThat(metadata).contains(new KeptFiles("failing")); // why, and what it knew before
    }

    @Test
    void writesWhatRecorderHasThatFailedAtItsEnd() {
        LagbenchException failure = ExitCode.UNAVAILABLE.failure("planted.");

        List<SideFacts> metadata = run(failureOf(Phase.END, failure));

        assertThat(callsOf("failing")).isEqualTo(calls("failing", ALL));
        assertThat(metadata).contains(new KeptFiles("failing"));
        assertThat(notRecorded).containsExactly(Map.entry("failing", failure));
    }

    @Test
    void reportsRecorderThatFailsToCloseAfterItFailed() {
        IOException whenWriting = new IOException("disk full");
        UncheckedIOException whenClosing = new UncheckedIOException(new IOException("disk full too"));

        run(Map.of(Phase.WRITE, whenWriting, Phase.CLOSE, whenClosing));

        assertThat(notRecorded).containsExactly(Map.entry("failing", whenWriting));
        assertThat(notClosed).containsExactly(Map.entry("failing", whenClosing));
        assertThat(calls).endsWith("first CLOSE", "failing CLOSE", "last CLOSE");
    }

    /** A run that breaks before its first recorded packet has no end of them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endsOnlyWhatHasBegun(boolean hasBegun) {
        try (Recorders recorders = new Recorders(List.of(new TestRecorder("first", Map.of())), failures)) {
            recorders.prepare();
            if (hasBegun) {
                recorders.begin();
            }
            recorders.end();
        }
        assertThat(calls.contains("first END")).isEqualTo(hasBegun);
    }
}
