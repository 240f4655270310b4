package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.cli.RecordedValues.Value;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;

/**
 * Kills a monitor or its receiver, or cuts the network between them, at random moments. The property lagbench.outages
 * is the number of outages; lagbench.seed seeds the random numbers. The test compares the recorded values with the
 * captures of the probes in the session directory.
 */
@Tag("one-java")
@EnabledIfSystemProperty(
        named = "lagbench.outages",
        matches = "\\d+",
        disabledReason = "each outage takes some seconds")
class MonitorOutageTest {
    private static final long S = 1_000_000_000;
    private static final double NS_PER_US = 1e3;
    private static final int LONGEST_MS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SERIES = "ping.java.roundTrip.median";
    private static final String NO_CHRONY = "127.0.0.1:1";
    private static final String KEY = "LAGBENCH_KEY=0123456789abcdef0123456789abcdef";

    private static final String EXPERIMENT =
            """
            receiver: 10.139.77.2:5394
            clock: {chrony: 127.0.0.1:1}
            monitor:
              every: 1s
              for: unlimited
              probes:
                - {name: ping, keep: true, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
                   warm-up-packets: 1, pace: flood, observe: none, drain: 0s, stall-timeout: 2s}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    private final List<Outage> outages = new ArrayList<>();
    private @Nullable LagbenchProcess monitor;
    private @Nullable LagbenchProcess receiver;
    private List<Value> before = List.of();

    private enum Victim {
        MONITOR,
        RECEIVER,
        CABLE_HERE,
        CABLE_THERE
    }

    /** A time in which no packet was exchanged, in ns since the epoch. */
    private record Outage(Victim victim, long fromNs, long untilNs) {
        boolean contains(long atNs) {
            return fromNs < atNs && atNs < untilNs;
        }
    }

    @Test
    void neitherLosesNorAddsValues() throws Exception {
        long seed = Long.getLong("lagbench.seed", System.nanoTime());
        Random random = new Random(seed);
        try (TwoHosts hosts = TwoHosts.create("outage")) {
            startReceiver(hosts);
            startMonitor(hosts);
            for (int i = 0; i < Integer.getInteger("lagbench.outages", 0); i++) {
                Victim victim = Victim.values()[random.nextInt(Victim.values().length)];
                String name = "outage " + i + " of the seed " + seed + ": " + victim;
                awaitNewValue(name);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MS));
                interrupt(victim, random.nextInt(LONGEST_MS), hosts);
                checkNothingIsLost(name);
            }
            awaitNewValue("the end");
            checkRecords();
        } finally {
            close(monitor);
            close(receiver);
        }
    }

    private void interrupt(Victim victim, int lengthMs, TwoHosts hosts) throws Exception {
        String host = victim == Victim.CABLE_HERE ? hosts.here() : hosts.there();
        boolean isCable = victim == Victim.CABLE_HERE || victim == Victim.CABLE_THERE;
        if (isCable) {
            TwoHosts.setCable(host, false);
        } else {
            close(victim == Victim.MONITOR ? monitor : receiver);
        }
        long fromNs = RealtimeClock.nowNs();
        TimeUnit.MILLISECONDS.sleep(lengthMs);
        outages.add(new Outage(victim, fromNs, RealtimeClock.nowNs()));
        if (isCable) {
            TwoHosts.setCable(host, true);
        } else if (victim == Victim.MONITOR) {
            startMonitor(hosts);
        } else {
            startReceiver(hosts);
        }
    }

    private void startReceiver(TwoHosts hosts) throws IOException {
        receiver = LagbenchProcess.startBy(
                TwoHosts.on(hosts.there(), KEY), directory, "serve", "--chrony", NO_CHRONY, "--directory", "kept");
    }

    private void startMonitor(TwoHosts hosts) throws IOException {
        Path file = Files.writeString(directory.resolve("weather.yaml"), EXPERIMENT);
        monitor = LagbenchProcess.startBy(
                TwoHosts.on(hosts.here(), KEY), directory, "monitor", file.toString(), "--resume", "weather");
    }

    /** Kills a process and its children with SIGKILL. */
    private static void close(@Nullable LagbenchProcess process) {
        if (process != null) {
            process.close();
        }
    }

    private Path session() {
        return directory.resolve("weather");
    }

    /** Waits for the value of a probe that is due after this call. */
    private void awaitNewValue(String name) {
        long nowNs = RealtimeClock.nowNs();
        await().atMost(PATIENCE)
                .failFast("the monitor has ended; " + name, () -> monitor == null || monitor.hasEnded())
                .until(() -> RecordedValues.of(session(), SERIES).stream()
                        .anyMatch(value -> value.isMeasured() && value.atNs() > nowNs));
    }

    private String err() {
        return (monitor == null ? "" : monitor.err()) + (receiver == null ? "" : receiver.err());
    }

    private void checkNothingIsLost(String name) throws IOException {
        List<Value> after = RecordedValues.of(session(), SERIES);
        assertThat(after).as(name).hasSizeGreaterThanOrEqualTo(before.size());
        assertThat(after.subList(0, before.size())).as(name).isEqualTo(before);
        assertThat(err()).as(name).doesNotContain("\tat ").doesNotContain("Exception");
        before = after;
    }

    private void checkRecords() throws IOException, LagbenchException {
        List<Value> values = RecordedValues.of(session(), SERIES);
        long startNs = SeriesIndex.read(session()).startNs();
        for (int round = 0; round < values.size(); round++) {
            Value value = values.get(round);
            assertThat(value.atNs()).as("round " + round).isEqualTo(startNs + round * S);
            assertThat(Double.isFinite(value.value())).as(value.toString()).isEqualTo(value.isMeasured());
            if (value.isMeasured()) {
                checkMeasured(value);
            }
            for (Outage outage : outages) {
                if (outage.contains(value.atNs()) && outage.contains(value.atNs() + S)) {
                    checkGap(value, outage);
                }
            }
        }
        System.out.println(outages.size() + " outages; " + values.size() + " rounds, "
                + values.stream().filter(Value::isMeasured).count() + " with a value, "
                + values.stream()
                        .filter(value -> value.state() == SeriesState.MISSED)
                        .count()
                + " missed.");
    }

    /** Checks that a value equals that of its capture, and that the reply arrived outside all outages. */
    private void checkMeasured(Value value) throws LagbenchException {
        Path run = session().resolve("runs").resolve("ping.java-" + value.atNs() / S);
        long sentNs = stamp(run.resolve(SenderCapture.FILE_NAME), "sent_ns");
        long answeredNs = stamp(run.resolve(ReceiverCapture.REPLIES_FILE_NAME), "answered_ns");
        assertThat(value.value()).as(run.toString()).isEqualTo((answeredNs - sentNs) / NS_PER_US);
        assertThat(sentNs).as(run.toString()).isGreaterThanOrEqualTo(value.atNs());
        assertThat(outages).as(run.toString()).noneMatch(outage -> outage.contains(answeredNs));
    }

    /** Checks that a round within an outage of the monitor or of the receiver has no value. */
    private static void checkGap(Value value, Outage outage) {
        if (outage.victim() == Victim.MONITOR) {
            assertThat(value.state()).as(outage + " " + value).isEqualTo(SeriesState.MISSED);
        } else if (outage.victim() == Victim.RECEIVER) {
            assertThat(value.state()).as(outage + " " + value).isNotZero();
        }
    }

    private static long stamp(Path capture, String field) throws LagbenchException {
        try (CaptureReader reader = CaptureReader.open(capture)) {
            assertThat(reader.records()).as(capture.toString()).isEqualTo(1);
            return reader.value(0, reader.field(field));
        }
    }
}
