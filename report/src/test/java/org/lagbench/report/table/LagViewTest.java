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
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.ObservedWindows;

class LagViewTest {
    private static final long INTERVAL_NS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void showsGapOfMoreThanTenIntervals() throws Exception {
        assertThat(tables(11 * INTERVAL_NS)).containsPattern("(?m)Longest *$").contains("11.0");
    }

    @Test
    void showsNoGapOfTenIntervals() throws Exception {
        assertThat(tables(10 * INTERVAL_NS)).doesNotContain("Longest");
    }

    @Test
    void statesPriceOfObservation() throws Exception {
        int asked = 1_560;
        int blocks = 6;
        int ofWindow = 60;
        int first = asked + ofWindow;
        long intervalNs = 5_000_000;
        long[] sent = new long[first + 2 * blocks * ofWindow];
        long[][] received = new long[sent.length][];
        for (int packet = 0; packet < sent.length; packet++) {
            sent[packet] = packet * intervalNs;
            boolean isObserved = packet >= first && (packet - first) / ofWindow % 2 == 1;
            received[packet] = new long[] {packet, sent[packet] + (isObserved ? 8_430 : 8_000)};
        }
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        Path run = session.run("a", "udp", 24)
                .packets(asked)
                .sent(sent)
                .received(received)
                .observed(ObservedSource.AUTO)
                .metadata(Map.of(ObservedWindows.SEED, 5), Map.of())
                .scheduled(intervalNs)
                .write();
        for (String side : List.of(EventsCapture.SENDER_FILE_NAME, EventsCapture.RECEIVER_FILE_NAME)) {
            try (GrowingCapture events = EventsCapture.create(run.resolve(side))) {
                for (int window = 0; window < 2 * blocks; window++) {
                    Cause cause = window % 2 == 1 ? Cause.OBSERVED : Cause.NOT_OBSERVED;
                    long startNs = SessionFixture.EPOCH_NS + (first + window * ofWindow) * intervalNs;
                    long endNs = startNs + ofWindow * intervalNs - 1;
                    events.append(cause.code(), startNs, endNs, 100 + 10 * (window % 2), 0, 0);
                }
            }
        }
        assertThat(TableFormat.TEXT
                        .text(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT))
                        .replaceAll("\\s+", " "))
                .contains("Observing added 0.43 µs (0.43 to 0.43) to a lag of UDP/IP, 24,"
                        + " and 10.0 % (10.0 to 10.0) to the CPU time of its packet threads, by 6 pairs");
    }

    /** Returns the tables of a paced run with a gap before its last packet. */
    private String tables(long gapNs) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, INTERVAL_NS, INTERVAL_NS + gapNs)
                .scheduled(INTERVAL_NS, 0, INTERVAL_NS, INTERVAL_NS + gapNs)
                .received(
                        new long[] {0, 10}, new long[] {1, INTERVAL_NS + 10}, new long[] {2, INTERVAL_NS + gapNs + 10})
                .write();
        return TableFormat.TEXT.text(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT));
    }
}
