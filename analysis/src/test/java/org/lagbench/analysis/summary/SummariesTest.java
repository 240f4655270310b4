package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunFileNames;
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
        assertThat(point.pooled().require(MetricGroup.RUNS)).isEqualTo(2);
        assertThat(point.pooled().packets()).isEqualTo(new RunPacketCounts(10, 10, 0, 0, 0, 0, 0));
        assertThat(lag(point.pooled()).n()).isEqualTo(10);
        assertThat(lag(point.pooled()).medianNs()).isEqualTo(15);
        SeriesStatistics delay = point.pooled().series().get(PacketDelay.SEND_DELAY);
        assertThat(delay).isNotNull();
        assertThat(delay.n()).as("no delay from one run to the next").isEqualTo(8);
    }

    @Test
    void poolsRatesByTheTimeOfEachRun() throws Exception {
        session.run("0002-udp-24-r2", "udp", 24)
                .sent(0, 4_000, 8_000, 12_000, 16_000)
                .received(new long[] {0, 10}, new long[] {2, 8_010})
                .write();
        Rates rates = summary().points().get(0).pooled().require(MetricGroup.RATES);
        // 4 packets in 4 µs and 4 in 16 µs were sent; 4 in 4 µs and 1 in 8 µs arrived; 24 bytes are 192 bits
        assertThat(rates.sent().packetsPerS()).isEqualTo(8 / 20e-6, Offset.offset(1e-6));
        assertThat(rates.received().packetsPerS()).isEqualTo(5 / 12e-6, Offset.offset(1e-6));
        assertThat(rates.received().mbitPerS()).isEqualTo(80, Offset.offset(1e-9));
    }

    @Test
    void hasNoRateOfOnePacket() throws Exception {
        session.run("0002-tcp-24-r1", "tcp", 24)
                .sent(0, 8_000)
                .received(new long[] {0, 10})
                .write();
        Rates rates = summary().points().get(0).pooled().require(MetricGroup.RATES);
        assertThat(rates.sent().packetsPerS()).isEqualTo(125_000);
        assertThat(rates.received().mbitPerS()).isNaN();
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
    void separatesPointsByBusNetworkAndEngine() throws Exception {
        RunRecord.LabRecord lab = new RunRecord.LabRecord("ethernet-100", "yaml", 100_000_000, null, List.of());
        fivePackets("b-virtual", "ieee1394", 24).write();
        fivePackets("c-real", "ieee1394", 24)
                .metadata(Map.of("bus", "TSB43AB23"), Map.of("bus", "FW323"))
                .write();
        fivePackets("d-old", "ieee1394", 24).metadata(Map.of(), Map.of()).write();
        fivePackets("e-lab", "udp", 24).lab(lab).write();
        fivePackets("f-engine", "udp", 24).engine("c", "default").write();
        assertThat(summary().points())
                .extracting(point -> point.point().label())
                .containsExactly(
                        "UDP/IP",
                        "UDP/IP, C engine",
                        "UDP/IP (emulated link ethernet-100)",
                        "IEEE-1394 (TSB43AB23 to FW323)",
                        "IEEE-1394 (bus not recorded)",
                        "IEEE-1394 (virtual bus)");
    }

    @Test
    void usesTheLargestClockBoundOfTheRuns() throws Exception {
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
    void excludesABrokenRunButKeepsItsMetrics() throws Exception {
        fivePackets("0002-udp-24-r2", 90)
                .ended(State.BROKEN, "The receiver vanished.")
                .write();
        Summary summary = summary();
        assertThat(summary.points().get(0).pooled().require(MetricGroup.RUNS)).isEqualTo(1);
        ExcludedRun excluded = summary.excluded().get(0);
        assertThat(excluded.name()).isEqualTo("0002-udp-24-r2");
        assertThat(excluded.reason()).isEqualTo("broke off: The receiver vanished.");
        Metrics metrics = excluded.metrics();
        assertThat(metrics).isNotNull();
        assertThat(lag(metrics).medianNs()).isEqualTo(90);
    }

    @Test
    void poolsABrokenRunIfRequested() throws Exception {
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
        Files.writeString(
                fivePackets("0005-udp-24-r5", 10).captures().resolve(RunRecord.FILE_NAME), "{\"name\": \"run\"}");
        assertThat(summary().excluded())
                .extracting(ExcludedRun::reason)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("there is no run.json"),
                        second -> assertThat(second).contains("run.json: line 1, column 17: this is not JSON. "),
                        third -> assertThat(third).contains("run.json: format: \"other\" is not \"lagbench-run-2\". "),
                        fourth -> assertThat(fourth).contains("run.json: format: it is missing. "));
    }

    @Test
    void excludesRunWithDamagedMetadata() throws Exception {
        fivePackets("0002-udp-24-r2", 10)
                .metadata(Map.of("leadOutPackets", "many"), Map.of())
                .write();
        assertThat(summary().excluded())
                .extracting(ExcludedRun::reason)
                .singleElement()
                .asString()
                .contains("sender.metadata.leadOutPackets: \"many\" is not a whole number of 64 bits.");
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
        Metrics metrics = summary().excluded().get(0).metrics();
        assertThat(metrics).isNotNull();
        assertThat(metrics.packets()).isEqualTo(new RunPacketCounts(3, 5, 0, 0, 0, 2, 0));
        assertThat(lag(metrics).n()).isEqualTo(3);
    }

    /** Two of seven packets arrive. The last three were sent within the drain of the last packet. */
    @Test
    void leavesOutPacketsInFlightWhenInterrupted() throws Exception {
        long ms = 1_000_000;
        for (State state : List.of(State.INTERRUPTED, State.BROKEN)) {
            session.run("0002-udp-64-" + state, "udp", 64)
                    .sent(0, ms, 2 * ms, 300 * ms, 600 * ms, 1000 * ms, 1050 * ms)
                    .received(new long[] {0, 200 * ms}, new long[] {2, 202 * ms})
                    .ended(state, "It ended.")
                    .write();
        }

        assertThat(summary().excluded())
                .extracting(run -> run.metrics() == null ? null : run.metrics().packets())
                .containsExactly(
                        new RunPacketCounts(7, 2, 5, 0, 0, 0, 0), // broken: all that did not arrive
                        new RunPacketCounts(4, 2, 2, 0, 0, 0, 0)); // interrupted: packets 1 and 3
    }

    @Test
    void leavesMetricsUndefinedIfNothingArrived() throws Exception {
        session.run("0002-tcp-24-r1", "tcp", 24).sent(0, 1).write();
        Metrics metrics = summary().points().get(0).pooled();
        assertThat(metrics.packets().lost()).isEqualTo(2);
        assertThat(lag(metrics).n()).isZero();
        assertThat(lag(metrics).medianNs()).isNaN();
    }

    @Test
    void acceptsMoreDuplicatesThanTheCaptureHas() throws Exception {
        fivePackets("0002-udp-24-r2", 10)
                .counts(new Counts(9, 5, 4, 0, 0, 4, 3, null))
                .write();
        Summary summary = summary();
        assertThat(summary.excluded()).isEmpty();
        assertThat(summary.points().get(0).pooled().get(MetricGroup.KERNEL_DROPS))
                .isEqualTo(3);
    }

    @Test
    void addsOverwrittenPacketsOfRuns() throws Exception {
        fivePackets("a-bus", "ieee1394", 24)
                .metadata(Map.of(), Map.of("bus", "virtual bus", "packetsOverwritten", 2))
                .write();
        fivePackets("b-bus", "ieee1394", 24)
                .metadata(Map.of(), Map.of("bus", "virtual bus", "packetsOverwritten", 3))
                .write();

        assertThat(summary().points())
                .extracting(point -> point.pooled().get(MetricGroup.OVERWRITTEN))
                .containsExactly(null, 5L);
    }

    @Test
    void excludesACompleteRunWithACorruptCapture() throws Exception {
        Path capture = fivePackets("0002-udp-24-r2", 10).write().resolve(SenderCapture.FILE_NAME);
        try (RandomAccessFile file = new RandomAccessFile(capture.toFile(), "rw")) {
            file.seek(CaptureFormat.HEADER_BYTES + SENDER_RECORD_BYTES);
            file.write(77);
        }
        assertOnlyTheFirstRunIsIncluded(
                "The capture " + capture + " is corrupt: its record 1 has sequence number 77 in place of 1.");
    }

    @Test
    void excludesACompleteRunWithAnUnreadableCapture() throws Exception {
        Path run = fivePackets("0002-udp-24-r2", 10).write();
        Path capture = run.resolve(ReceiverCapture.FILE_NAME);
        Files.writeString(capture, "junk");
        assertOnlyTheFirstRunIsIncluded("receiver.npy cannot be used: " + capture
                + " is not a capture: it has only 4 bytes, less than a header");
        Files.delete(capture);
        assertOnlyTheFirstRunIsIncluded("receiver.npy is missing");
    }

    private void assertOnlyTheFirstRunIsIncluded(String reason) throws LagbenchException {
        Summary summary = summary();
        assertThat(summary.points().get(0).runs()).extracting(RunSummary::name).containsExactly("0001-udp-24-r1");
        assertThat(summary.excluded()).extracting(ExcludedRun::reason).containsExactly(reason);
    }

    @Test
    void excludesARunWithMoreRecordsThanCounted() throws Exception {
        fivePackets("0002-udp-24-r2", 10)
                .packets(4)
                .counts(new Counts(4, 4, 0, 0, 0, 0, 0, null))
                .write();
        fivePackets("0003-udp-24-r3", 10)
                .counts(new Counts(4, 4, 0, 0, 0, 0, 0, null))
                .write();
        assertThat(summary().excluded())
                .extracting(ExcludedRun::reason)
                .containsExactly(
                        "the sender's capture is not of this run: it holds 5 of 4 packets",
                        "the receiver's capture is not of this run: it holds 5 of 4 packets");
    }

    @Test
    void excludesDamageThatOnlyChecksumsReveal() throws Exception {
        Path run = fivePackets("0002-udp-24-r2", 10).write();
        RunFileNames.addChecksums(run, file -> true);
        assertThat(summary().damage()).isEmpty();
        flip(run.resolve(ReceiverCapture.FILE_NAME), CaptureFormat.HEADER_BYTES + 9);
        assertOnlyTheFirstRunIsIncluded("receiver.npy is damaged: its checksums differ from byte 0 to byte 335");
        Summary all = Summaries.of(Session.open(session.path()), new SummaryOptions(true, false));
        assertThat(all.excluded()).isEmpty();
        assertThat(all.damage())
                .extracting(DamagedFile::sentence)
                .containsExactly("receiver.npy is damaged: its checksums differ from byte 0 to byte 335."
                        + " Metrics of this run may be wrong.");
        Files.delete(run.resolve(ReceiverCapture.FILE_NAME));
        assertOnlyTheFirstRunIsIncluded("receiver.npy is missing");
    }

    @Test
    void excludesAndNamesDamagedEvents() throws Exception {
        for (String name : List.of("0002-udp-24-r2", "0003-udp-24-r3")) {
            Path run = fivePackets(name, 10).write();
            for (String file : List.of(EventsCapture.SENDER_FILE_NAME, EventsCapture.RECEIVER_FILE_NAME)) {
                try (GrowingCapture events = EventsCapture.create(run.resolve(file))) {
                    events.append(3, SessionFixture.EPOCH_NS, SessionFixture.EPOCH_NS + 10, 10, 0, 0);
                    events.append(3, SessionFixture.EPOCH_NS + 20, SessionFixture.EPOCH_NS + 30, 10, 0, 0);
                }
            }
        }
        Files.delete(session.path().resolve("runs/0001-udp-24-r1/run.json"));
        assertThat(summary().points().get(0).pooled().get(CauseGroups.LEDGER)).isNotNull();
        // truncated: without checksums nobody would notice the missing event
        Path events = session.path().resolve("runs/0003-udp-24-r3/receiver-events.npy");
        try (RandomAccessFile file = new RandomAccessFile(events.toFile(), "rw")) {
            file.setLength(CaptureFormat.HEADER_BYTES + (long) EventsCapture.FIELDS.size() * Long.BYTES);
        }
        Summary summary = summary();
        assertThat(summary.points().get(0).pooled().get(CauseGroups.LEDGER))
                .as("of the other run")
                .isNotNull();
        assertThat(summary.points().get(0).runs().get(1).metrics().get(CauseGroups.LEDGER))
                .isNull();
        assertThat(summary.damage())
                .containsExactly(
                        new DamagedFile("0003-udp-24-r3", "receiver-events.npy", "is cut off after 1 of its records"));
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 1);
        }
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

    private static SeriesStatistics lag(Metrics metrics) {
        SeriesStatistics lag = metrics.series().get(PacketDelay.TRANSMIT_LAG);
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
