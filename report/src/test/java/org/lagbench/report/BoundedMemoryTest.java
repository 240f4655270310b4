package org.lagbench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.TableFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Summarizes captures of 96 MB in a JVM whose memory holds neither them nor one of their series. */
class BoundedMemoryTest {
    private static final int PACKETS = 2_000_000;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void summarizesTwoMillionPacketsInBoundedMemory(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        int copies = PACKETS / 1_000;
        Path run = session.run("0001-udp-24-r1", "udp", 24)
                .packets(PACKETS)
                .counts(new RunRecord.Counts(PACKETS + copies, PACKETS, copies, 0, 0, 0, 0, null))
                .write();
        overwrite(run);
        JsonNode metrics = summarizedBySmallJvm(session.path())
                .get("points")
                .get(0)
                .get("runs")
                .get(0)
                .get("metrics");
        assertThat(metrics.get("packets.sent").asInt()).isEqualTo(PACKETS);
        assertThat(metrics.get("packets.duplicated").asInt()).isEqualTo(copies);
        assertThat(metrics.get("packets.lost").asInt()).isZero();
        // each lag from 100,000 to 100,000 + n − 1 ns once
        double last = PACKETS - 1;
        assertThat(metrics.get("lag.count").asInt()).isEqualTo(PACKETS);
        isNs(metrics.get("lag.median"), 100_000 + last / 2);
        isNs(metrics.get("lag.mean"), 100_000 + last / 2);
        isNs(metrics.get("lag.standardDeviation"), Math.sqrt(PACKETS * (PACKETS + 1.0) / 12));
        isNs(metrics.get("lag.q95"), 100_000 + last * 95 / 100);
        isNs(metrics.get("lag.q99"), 100_000 + last * 99 / 100);
        assertThat(metrics.get("lag.withoutQ99.dropped").asInt()).isEqualTo(PACKETS / 100);
        isNs(metrics.get("sendDelay.mean"), 5_000);
    }

    /** The program of the small JVM. */
    static final class Summarize {
        private Summarize() {}

        public static void main(String[] arguments) throws LagbenchException, IOException {
            Session session = Session.open(Path.of(arguments[0]));
            Files.writeString(
                    Path.of(arguments[1]), TableFormat.JSON.text(Summaries.of(session, SummaryOptions.DEFAULT)));
        }
    }

    private static void overwrite(Path run) throws IOException {
        Path senders = run.resolve(SenderCapture.FILE_NAME);
        Path receivers = run.resolve(ReceiverCapture.FILE_NAME);
        Files.delete(senders);
        Files.delete(receivers);
        try (SenderCapture sender = SenderCapture.create(senders, PACKETS, false);
                ReceiverCapture receiver = ReceiverCapture.create(receivers, PACKETS + PACKETS / 1_000, false)) {
            for (int i = 0; i < PACKETS; i++) {
                long sentNs = SessionFixture.EPOCH_NS + 5_000L * i;
                long lagNs = 100_000 + i * 7_919L % PACKETS;
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs);
                receiver.append(i, sentNs + lagNs, 0);
                if (i % 1_000 == 0) {
                    receiver.append(i, sentNs + lagNs + 1, 0);
                }
            }
        }
    }

    private static JsonNode summarizedBySmallJvm(Path session) throws Exception {
        Path json = session.resolve("out.json");
        Path output = session.resolve("out.txt");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx16m",
                        "-XX:MaxDirectMemorySize=4m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Summarize.class.getName(),
                        session.toString(),
                        json.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue())
                .as(Files.readString(output, StandardCharsets.UTF_8))
                .isZero();
        return JSON.readTree(Files.readString(json));
    }

    private static void isNs(JsonNode us, double ns) {
        assertThat(us.asDouble() * 1e3).isBetween(ns * (1 - 1e-9), ns * (1 + 1e-9));
    }
}
