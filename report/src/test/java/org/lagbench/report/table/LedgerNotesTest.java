package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.run.ObservedSource;

class LedgerNotesTest {
    @TempDir
    private Path directory;

    @Test
    void namesOptionIfNoRunRecordedCauses() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (String run : new String[] {"0001-udp-24-r1", "0002-udp-24-r2"}) {
            session.run(run, "udp", 24)
                    .sent(0, 1_000)
                    .received(new long[] {0, 100}, new long[] {1, 1_200})
                    .write();
        }
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(Document.of(summary, TableView.of(new LedgerView())).notes())
                .contains("No run recorded causes: repeat the runs with --observe events.")
                .noneMatch(note -> note.contains("The tail is") || note.contains("observed nothing"));
    }

    @Test
    void statesThatWindowsHaveOtherPackets() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (String observed : List.of(DecidedObservation.WINDOWS, DecidedObservation.ALL_PACKETS)) {
            String run = observed.replace(' ', '-');
            session.run(run, "udp", 24)
                    .sent(0, 1_000)
                    .received(new long[] {0, 100}, new long[] {1, 1_200})
                    .observed(ObservedSource.AUTO)
                    .metadata(DecidedObservation.of(observed).metadata(), Map.of())
                    .write();
            for (String file : List.of(EventsCapture.SENDER_FILE_NAME, EventsCapture.RECEIVER_FILE_NAME)) {
                EventsCapture.create(session.path().resolve("runs").resolve(run).resolve(file))
                        .close();
            }
        }
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(Document.of(summary, TableView.of(new LedgerView())).notes())
                .filteredOn(note -> note.startsWith("observe: auto observed windows."))
                .singleElement()
                .asString()
                .contains("the lag table has other packets")
                .endsWith("Runs: windows.");
    }

    @Test
    void statesWhyRunsObservedNothing() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        List<Map<String, Object>> decisions = List.of(
                DecidedObservation.nothing("No right.").metadata(),
                DecidedObservation.nothing("Observing would lower the rate.").metadata(),
                DecidedObservation.of(DecidedObservation.ALL_PACKETS).metadata());
        for (Map<String, Object> decision : decisions) {
            String run = "r" + decisions.indexOf(decision);
            session.run(run, "udp", 24)
                    .sent(0, 1_000)
                    .received(new long[] {0, 100}, new long[] {1, 1_200})
                    .observed(ObservedSource.AUTO)
                    .metadata(decision, Map.of())
                    .write();
        }
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(Document.of(summary, TableView.of(new LedgerView())).notes())
                .filteredOn(note -> note.contains("observed nothing"))
                .containsExactly(
                        "observe: auto observed nothing: No right. Runs: r0.",
                        "observe: auto observed nothing: Observing would lower the rate. Runs: r1.");
    }

    @Test
    void statesWhyEventsAreMissing() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        Map<String, Object> full = Map.of("filesNotWritten", "receiver-events.npy (No space left on device)");
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 1_000)
                .received(new long[] {0, 100}, new long[] {1, 1_200})
                .metadata(Map.of(), full)
                .write();
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        assertThat(Document.of(summary, TableView.of(new LedgerView())).notes())
                .contains("! 0001-udp-24-r1: receiver-events.npy could not be written: No space left on device."
                        + " Metrics computed from it exclude this run.")
                .noneMatch(note -> note.contains("No run recorded causes"));
    }
}
