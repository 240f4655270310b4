package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.SessionFixture.RunFixture;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.State;

class SummariesTest {
    private static final int SENDER_RECORD_BYTES = 32;

    private SessionFixture session;

    SummariesTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @BeforeEach
    void writeACompleteRun() throws IOException, LagbenchException {
        fivePackets("0001-udp-24-r1", 10).write();
    }

    @Test
    void poolsRepeatsOfAPoint() throws Exception {
        fivePackets("0002-udp-24-r2", 20).write();
        PointSummary point = summary().points().get(0);
        assertThat(point.runs()).extracting(RunSummary::repeat).containsExactly(1, 2);
        assertThat(point.pooled().runs()).isEqualTo(2);
        assertThat(point.pooled().packets()).isEqualTo(new RunPacketCounts(10, 10, 0, 0, 0, 0, 0));
        assertThat(lag(point.pooled()).n()).isEqualTo(10);
        assertThat(lag(point.pooled()).medianNs()).isEqualTo(15);
        SeriesStatistics delay = point.pooled().series().get(Series.SEND_DELAY);
        assertThat(delay).isNotNull();
        assertThat(delay.n()).as("no delay from one run to the next").isEqualTo(8);
    }

    @Test
    void separatesPointsByTransportSizePaceAndSettings() throws Exception {
        fivePackets("tcp", "tcp", 24).write();
        fivePackets("size", "udp", 992).write();
        fivePackets("pace", "udp", 24)
                .scheduled(1_000, 0, 1_000, 2_000, 3_000, 4_000)
                .write();
        fivePackets("large", "udp", 24).setting("send-buffer", 100_000).write();
        fivePackets("small", "udp", 24).setting("send-buffer", 9_000).write();
        fivePackets("bus", "ieee1394", 24).write();
        assertThat(summary().points())
                .extracting(point -> point.runs().get(0).name())
                .containsExactly("tcp", "size", "small", "large", "0001-udp-24-r1", "pace", "bus");
    }

    @Test
    void takesTheGreatestClockBoundOfTheRuns() throws Exception {
        fivePackets("0002-udp-24-r2", 10)
                .clock(SessionFixture.clockOf(700L, ClockBound.Basis.CHRONY))
                .write();
        assertThat(summary().points().get(0).pooled().clock().boundNs()).isEqualTo(700L);
        fivePackets("0003-udp-24-r3", 10)
                .clock(SessionFixture.clockOf(null, ClockBound.Basis.NOTHING))
                .write();
        assertThat(summary().points().get(0).pooled().clock().boundNs()).isNull();
    }

    @Test
    void excludesABrokenRunWithItsFigures() throws Exception {
        fivePackets("0002-udp-24-r2", 90)
                .ended(State.BROKEN, "The receiver vanished.")
                .write();
        Summary summary = summary();
        assertThat(summary.points().get(0).pooled().runs()).isEqualTo(1);
        ExcludedRun excluded = summary.excluded().get(0);
        assertThat(excluded.name()).isEqualTo("0002-udp-24-r2");
        assertThat(excluded.reason()).isEqualTo("broke off: The receiver vanished.");
        Figures figures = excluded.figures();
        assertThat(figures).isNotNull();
        assertThat(lag(figures).medianNs()).isEqualTo(90);
    }

    @Test
    void poolsABrokenRunOnRequest() throws Exception {
        fivePackets("0002-udp-24-r2", 90).ended(State.INTERRUPTED, null).write();
        Summary summary = Summaries.of(Session.open(session.path()), new SummaryOptions(true, false));
        assertThat(summary.excluded()).isEmpty();
        assertThat(summary.points().get(0).runs())
                .extracting(RunSummary::state)
                .containsExactly(State.COMPLETE, State.INTERRUPTED);
    }

    @Test
    void excludesARunWithoutRecord() throws Exception {
        fivePackets("0002-udp-24-r2", 10).captures();
        Files.writeString(
                fivePackets("0003-udp-24-r3", 10).captures().resolve(RunRecord.FILE_NAME), "{\"format\": \"lagb");
        Files.writeString(
                fivePackets("0004-udp-24-r4", 10).captures().resolve(RunRecord.FILE_NAME), "{\"format\": \"other\"}");
        assertThat(summary().excluded())
                .extracting(ExcludedRun::reason)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("there is no run.json"),
                        second -> assertThat(second).contains("run.json is not the record of a run: "),
                        third -> assertThat(third).endsWith("run.json is of format other, not lagbench-run-1."));
    }

    @Test
    void excludesARunWithATruncatedCapture() throws Exception {
        cut(fivePackets("0002-udp-24-r2", 10).write().resolve(SenderCapture.FILE_NAME), 3 * SENDER_RECORD_BYTES + 7);
        cut(fivePackets("0003-udp-24-r3", 10).write().resolve(ReceiverCapture.FILE_NAME), 16);
        assertThat(summary().excluded())
                .extracting(ExcludedRun::reason)
                .containsExactly(
                        "the sender's capture was cut off: it holds 3 of 5 packets",
                        "the receiver's capture was cut off: it holds 1 of 5 packets");
    }

    @Test
    void countsPacketsOfAKilledSenderAsUnmatched() throws Exception {
        Path run = fivePackets("0002-udp-24-r2", 10)
                .ended(State.BROKEN, "The sender was killed.")
                .write();
        cut(run.resolve(SenderCapture.FILE_NAME), 3 * SENDER_RECORD_BYTES);
        Figures figures = summary().excluded().get(0).figures();
        assertThat(figures).isNotNull();
        assertThat(figures.packets()).isEqualTo(new RunPacketCounts(3, 5, 0, 0, 0, 2, 0));
        assertThat(lag(figures).n()).isEqualTo(3);
    }

    @Test
    void leavesFiguresUndefinedIfNothingArrived() throws Exception {
        session.run("0002-tcp-24-r1", "tcp", 24).sent(0, 1).write();
        Figures figures = summary().points().get(0).pooled();
        assertThat(figures.packets().lost()).isEqualTo(2);
        assertThat(lag(figures).n()).isZero();
        assertThat(lag(figures).medianNs()).isNaN();
    }

    @Test
    void acceptsUnrecordedDuplicates() throws Exception {
        fivePackets("0002-udp-24-r2", 10)
                .counts(new Counts(9, 5, 4, 0, 0, 4, 3))
                .write();
        Summary summary = summary();
        assertThat(summary.excluded()).isEmpty();
        assertThat(summary.points().get(0).pooled().kernelDrops()).isEqualTo(3);
    }

    @Test
    void rejectsACorruptCaptureOfACompleteRun() throws Exception {
        Path capture = fivePackets("0002-udp-24-r2", 10).write().resolve(SenderCapture.FILE_NAME);
        try (RandomAccessFile file = new RandomAccessFile(capture.toFile(), "rw")) {
            file.seek(CaptureFormat.HEADER_BYTES + SENDER_RECORD_BYTES);
            file.write(77);
        }
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(this::summary)
                .withMessage(
                        "The capture " + capture + " is corrupt: its record 1 has sequence number 77 in place of 1.")
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }

    @Test
    void rejectsAnUnreadableCaptureOfACompleteRun() throws Exception {
        Path run = fivePackets("0002-udp-24-r2", 10).write();
        Files.writeString(run.resolve(ReceiverCapture.FILE_NAME), "junk");
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(this::summary)
                .withMessageContaining(run.resolve(ReceiverCapture.FILE_NAME).toString());
        Files.delete(run.resolve(ReceiverCapture.FILE_NAME));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(this::summary)
                .withMessageContaining(run.resolve(ReceiverCapture.FILE_NAME).toString());
    }

    @Test
    void excludesABrokenRunWithoutReceiverCapture() throws Exception {
        Path run = fivePackets("0002-udp-24-r2", 10)
                .ended(State.BROKEN, "No receiver.")
                .write();
        Files.delete(run.resolve(ReceiverCapture.FILE_NAME));
        assertThat(summary().excluded().get(0).reason())
                .startsWith("broke off: No receiver.; ")
                .contains(ReceiverCapture.FILE_NAME);
    }

    private Summary summary() throws LagbenchException {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private RunFixture fivePackets(String name, long lag) {
        return fivePackets(name, "udp", 24, lag);
    }

    private RunFixture fivePackets(String name, String transport, int packetBytes) {
        return fivePackets(name, transport, packetBytes, 10);
    }

    private RunFixture fivePackets(String name, String transport, int packetBytes, long lag) {
        long[] sent = {0, 1_000, 2_000, 3_000, 4_000};
        long[][] received = new long[sent.length][];
        for (int i = 0; i < sent.length; i++) {
            received[i] = new long[] {i, sent[i] + lag};
        }
        return session.run(name, transport, packetBytes).sent(sent).received(received);
    }

    private static SeriesStatistics lag(Figures figures) {
        SeriesStatistics lag = figures.series().get(Series.TRANSMIT_LAG);
        if (lag == null) {
            throw new AssertionError("there is no lag");
        }
        return lag;
    }

    private static void cut(Path capture, long bytesOfRecords) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(capture.toFile(), "rw")) {
            file.setLength(CaptureFormat.HEADER_BYTES + bytesOfRecords);
        }
    }
}
