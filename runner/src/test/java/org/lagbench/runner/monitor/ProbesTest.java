package org.lagbench.runner.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.receiver.LoopbackReceiver;

/** Tests probes with a receiver in this process, over loopback. */
@Tag("one-java")
class ProbesTest {
    private static final ExperimentReader READER = new ExperimentReader(Transports.load(), Engines.load());

    @TempDir
    Path session;

    @TempDir
    Path received;

    private LoopbackReceiver receiver;
    private long atNs = 1_769_860_800_000_000_000L;

    @BeforeEach
    void start() throws Exception {
        receiver = new LoopbackReceiver(received, 0);
    }

    @AfterEach
    void stop() throws Exception {
        receiver.close();
    }

    private List<Turn> turns(String monitor, Endpoint... receivers) throws LagbenchException {
        return turns(List.of("monitor=" + monitor), receivers);
    }

    private List<Turn> turns(List<String> keys, Endpoint... receivers) throws LagbenchException {
        return turns(keys, access(null, false), receivers);
    }

    private List<Turn> turns(List<String> keys, Turn.Access access, Endpoint... receivers) throws LagbenchException {
        Experiment experiment = READER.build("weather", keys);
        return Turn.of(experiment, Objects.requireNonNull(experiment.monitor()), session, List.of(receivers), access);
    }

    private static Turn.Access access(@Nullable String dataHost, boolean isInLab) {
        return new Turn.Access(null, dataHost, LocalEnd.ANY, isInLab, new ShutdownCoordinator());
    }

    private Map<String, Probe.Measured> measure(List<Turn> turns) throws LagbenchException {
        Map<String, Probe.Measured> values = new LinkedHashMap<>();
        for (Turn turn : turns) {
            for (Probe probe : turn.probes()) {
                atNs += 1_000_000_000;
                List<Probe.Measured> measured = probe.measure(atNs);
                for (int i = 0; i < measured.size(); i++) {
                    values.put(probe.series().get(i).name(), measured.get(i));
                }
            }
        }
        return values;
    }

    private static List<Path> filesIn(Path directory) throws Exception {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void lagsByOneClockAreNotNegative() throws Exception {
        Turn.Access outside = access(null, false);
        assertThat(domainsOfLags(outside, new Endpoint("127.0.0.1", 5394), new Endpoint("::1", 5394)))
                .containsExactly(SeriesInfo.Domain.NOT_NEGATIVE, SeriesInfo.Domain.NOT_NEGATIVE);
        assertThat(domainsOfLags(outside, new Endpoint("192.0.2.7", 5394))).containsExactly(SeriesInfo.Domain.ANY);
        assertThat(domainsOfLags(access("192.0.2.7", false), new Endpoint("127.0.0.1", 5394)))
                .containsExactly(SeriesInfo.Domain.ANY);
        assertThat(domainsOfLags(access("10.139.0.2", true), new Endpoint("10.139.1.2", 5394)))
                .containsExactly(SeriesInfo.Domain.NOT_NEGATIVE);
    }

    private List<SeriesInfo.Domain> domainsOfLags(Turn.Access access, Endpoint... receivers) throws LagbenchException {
        return Turn.series(turns(List.of("monitor={}"), access, receivers)).stream()
                .filter(series -> series.name().endsWith(".lag.median"))
                .map(SeriesInfo::domain)
                .toList();
    }

    @Test
    void measuresPapersProbesAndKeepsNoFiles() throws Exception {
        List<Turn> turns = turns("{}", receiver.endpoint());
        measure(turns);
        Map<String, Probe.Measured> values = measure(turns);

        assertThat(Turn.series(turns))
                .extracting(SeriesInfo::name)
                .containsExactly(
                        "round-trip.java.roundTrip.median",
                        "round-trip-nagle.java.roundTrip.median",
                        "transfer.java.throughput.elapsed",
                        "burst.java.lag.median",
                        "burst.java.loss",
                        "burst.java.scheduleKept",
                        "host.cpuLoad",
                        "host.runQueue");
        assertThat(values.get("round-trip.java.roundTrip.median").value()).isBetween(1.0, 1e7);
        assertThat(values.get("transfer.java.throughput.elapsed").value()).isBetween(0.01, 1e6);
        assertThat(values.get("burst.java.loss").state()).isEqualTo(SeriesState.OK);
        assertThat(values.get("burst.java.loss").value()).isBetween(0.0, 100.0);
        assertThat(values.get("burst.java.scheduleKept").value()).isBetween(0.001, 100.0);
        assertThat(values.get("host.cpuLoad").value()).isBetween(0.0, 100.0);
        await().untilAsserted(() ->
                assertThat(filesIn(received)).as("deleted after the connection").isEmpty());
        assertThat(filesIn(session)).isEmpty();
    }

    @Test
    void recordsLossOfRoundTripsThatMayBeLost() throws Exception {
        List<Turn> turns = turns(
                "{probes: [{name: ping, transports: udp, traffic: round-trip, packet-bytes: 24, packets: 2,"
                        + " warm-up-packets: 1, pace: flood, observe: none}]}",
                receiver.endpoint());

        assertThat(measure(turns).keySet()).startsWith("ping.java.roundTrip.median", "ping.java.loss");
    }

    @Test
    void keepsCapturesOnRequest() throws Exception {
        measure(turns(
                "{probes: [{name: ping, keep: true, transports: tcp, traffic: round-trip, packet-bytes: 24, packets: 2,"
                        + " warm-up-packets: 1, pace: flood, observe: none}]}",
                receiver.endpoint()));

        assertThat(filesIn(session.resolve("runs")))
                .extracting(file -> file.getFileName().toString())
                .contains("sender.npy", "receiver.npy", "run.json");
    }

    @Test
    void survivesRestartOfReceiver() throws Exception {
        List<Turn> turns = turns(
                "{probes: [{name: ping, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,"
                        + " warm-up-packets: 1, pace: flood, observe: none}]}",
                receiver.endpoint());
        Probe ping = turns.get(0).probes().get(0);
        assertThat(ping.measure(1).get(0).state()).isEqualTo(SeriesState.OK);
        int port = receiver.endpoint().port();

        receiver.close();
        assertThatThrownBy(() -> ping.measure(2))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.PEER));
        receiver = new LoopbackReceiver(received, port);

        assertThat(ping.measure(3).get(0).state()).isEqualTo(SeriesState.OK);
        assertThat(filesIn(session)).isEmpty();
    }

    @Test
    void recordsNoValueIfClockWasStepped() {
        ClockHistory steady = new ClockHistory(List.of(), List.of());
        ClockHistory stepped = new ClockHistory(List.of(), List.of(new ClockHistory.ClockStep(1, -7)));
        for (RunRecord.Clock clock : List.of(clock(steady, stepped), clock(stepped, steady))) {
            for (Metric<?> metric : List.of(MainMetrics.LAG, MainMetrics.ROUND_TRIP, MainMetrics.THROUGHPUT)) {
                assertThat(RunProbe.measured(metric, 1.5, clock).state()).isEqualTo(SeriesState.CLOCK_STEP);
            }
            assertThat(RunProbe.measured(MainMetrics.LOSS, 1.5, clock).value()).isEqualTo(1.5);
        }
        assertThat(RunProbe.measured(MainMetrics.LAG, 1.5, clock(steady, steady))
                        .value())
                .isEqualTo(1.5);
    }

    /** A new metric needs nothing here. */
    @Test
    void monitorsEachMetricOfRuns() throws Exception {
        List<Metric<?>> all = MetricRegistry.all().stream()
                .filter(MetricGroups::isOfPoints)
                .<Metric<?>>map(metric -> MetricRegistry.of(metric.id().replace("*", "x")))
                .toList();
        String ids = all.stream().map(Metric::id).collect(Collectors.joining("\", \"", "[\"", "\"]"));
        String keys = "packets: 20, warm-up-packets: 2, observe: none, drain: 200ms";
        Map<String, SeriesInfo> series = Turn.series(turns(
                        "{metrics: " + ids + ", probes: [{name: a, transports: udp, traffic: one-way, packet-bytes: 24,"
                                + " pace: {mode: sleep, interval: 1ms}, " + keys + "}, {name: b, transports: udp,"
                                + " traffic: round-trip, packet-bytes: 24, pace: flood, " + keys + "}, {name: c,"
                                + " transports: tcp, traffic: transfer, transfer-bytes: 64KiB, packet-bytes: 16384,"
                                + " transfers: 1, warm-up-packets: 4, observe: none}]}",
                        receiver.endpoint()))
                .stream()
                .collect(Collectors.toMap(
                        one -> one.name().replaceFirst("^[abc]\\.java\\.", ""), one -> one, (a, b) -> a));

        assertThat(all).allSatisfy(metric -> {
            SeriesInfo one = series.get(metric.id().replaceAll("[^A-Za-z0-9.]+", "-"));
            assertThat(one.unit()).isEqualTo(metric.unit());
            assertThat(one.title()).endsWith(": " + MetricNames.inSentence(metric));
        });
    }

    @Test
    void measuresRequestedMetrics() throws Exception {
        Map<String, Probe.Measured> values = measure(turns(
                "{metrics: [lag.q99, packets.sent, receiveRate], probes: [{name: a, transports: udp, traffic: one-way,"
                        + " packet-bytes: 24, packets: 20, warm-up-packets: 2, pace: {mode: sleep, interval: 1ms},"
                        + " observe: none, drain: 200ms}]}",
                receiver.endpoint()));

        assertThat(values.keySet())
                .startsWith("a.java.lag.q99", "a.java.packets.sent", "a.java.receiveRate", "host.cpuLoad");
        assertThat(values.get("a.java.packets.sent").value()).isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "lag.q98; There is no metric",
                "failedSends.packets.*; failedSends.packets.* is a family of metrics",
                "roundTrip.median; no probe has roundTrip.median, because it is undefined for their traffic"
            })
    void refusesMetricsThatNoProbeHas(String id, String sentence) {
        assertThatThrownBy(() -> turns(
                        "{metrics: \"" + id + "\", probes: [{name: a, transports: udp, traffic: one-way,"
                                + " packet-bytes: 24, pace: {interval: 1ms}, observe: none}]}",
                        receiver.endpoint()))
                .hasMessageContaining(sentence);
    }

    @Test
    void refusesMetricThatIsTooLongForNameOfSeries() throws Exception {
        String probe = "{metrics: [%s], probes: [{name: %s, transports: udp, traffic: one-way, packet-bytes: 24,"
                + " pace: {interval: 1ms}, observe: none}]}";
        String family = "failedSends.packets.";
        String longest = family + "x".repeat(99 - family.length());

        List<SeriesInfo> series = Turn.series(turns(probe.formatted(longest, "p".repeat(95)), receiver.endpoint()));
        assertThat(series.get(0).name()).hasSize(SeriesIndex.MAX_NAME).endsWith(longest);
        assertThat(new SeriesIndex(1, series).series()).isEqualTo(series);
        assertThatThrownBy(() -> turns(probe.formatted(longest + "x", "p"), receiver.endpoint()))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("monitor.metrics: " + longest + "x has 100 characters");
    }

    private static RunRecord.Clock clock(ClockHistory sender, ClockHistory receiver) {
        return new RunRecord.Clock(1L, ClockBound.Basis.NOTHING, false, List.of(), sender, receiver, List.of());
    }

    /** Each probe waits at the receiver until those of the other monitors have ended. */
    @Test
    void receiverServesSeveralMonitorsInTurn() throws Exception {
        String monitor = "{probes: [{name: %s, transports: tcp, traffic: round-trip, packet-bytes: 24, packets: 200,"
                + " warm-up-packets: 10, pace: {mode: sleep, interval: 1ms}, observe: none}]}";
        List<CompletableFuture<Probe.Measured>> monitors = Stream.of("a", "b", "c")
                .map(name -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return turns(monitor.formatted(name), receiver.endpoint())
                                        .get(0)
                                        .probes()
                                        .get(0)
                                        .measure(1)
                                        .get(0);
                            } catch (LagbenchException e) {
                                throw new IllegalStateException(e.sentence(), e);
                            }
                        },
                        task -> new Thread(task, name).start()))
                .toList();

        for (CompletableFuture<Probe.Measured> one : monitors) {
            assertThat(Uninterruptibly.get(one).state()).isEqualTo(SeriesState.OK);
        }
    }

    @Test
    void probesWithEachEngineOfExperiment() throws Exception {
        List<Turn> turns = turns(List.of("engine=[c, java]", "monitor={}"), receiver.endpoint());

        assertThat(Turn.series(turns))
                .extracting(SeriesInfo::name)
                .contains("transfer.c.throughput.elapsed", "transfer.java.throughput.elapsed");
    }

    @Test
    void refusesJvmOptionsOfProbe() {
        assertThatThrownBy(() -> turns("{probes: [{name: ping, jvm: -Xmx64m}]}", receiver.endpoint()))
                .hasMessageContaining("monitor.probes.jvm: there is no such key");
    }

    @ParameterizedTest
    @CsvSource({"false, 95, 96", "true, 84, 85"})
    void refusesNameTooLongForRun(boolean isKept, int longest, int tooLong) throws Exception {
        String format = "{probes: [{name: %s, keep: %s, transports: tcp, traffic: round-trip, packet-bytes: 24,"
                + " packets: 2, warm-up-packets: 1, pace: flood, observe: none}]}";

        measure(turns(String.format(format, "p".repeat(longest), isKept), receiver.endpoint()));
        assertThatThrownBy(() -> turns(String.format(format, "p".repeat(tooLong), isKept), receiver.endpoint()))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("monitor.probes: the name of a run of the probe p")
                .hasMessageEndingWith("; give the probe a shorter name.");
    }

    @Test
    void namesSeriesOfSeveralTargetsAndEngines() throws Exception {
        List<Turn> turns = turns(
                "{probes: [{name: ping, engine: [java, java-nio], transports: tcp, traffic: round-trip,"
                        + " packet-bytes: 24, pace: flood}]}",
                new Endpoint("192.0.2.7", 5394),
                new Endpoint("::1", 5394));

        assertThat(Turn.series(turns))
                .extracting(SeriesInfo::name)
                .startsWith(
                        "192.0.2.7-5394.ping.java.roundTrip.median",
                        "192.0.2.7-5394.ping.java-nio.roundTrip.median",
                        "192.0.2.7-5394.host.cpuLoad")
                .contains("1-5394.ping.java.roundTrip.median");
        assertThat(turns).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "codec=[off, lz4]; java-codec-off java-codec-lz4",
                "tcp.no-delay=[true, false]; java-no-delay-true java-no-delay-false",
                "drain=[0s, 1s]; java-drain-0s java-drain-1s",
                "pace=[flood, {interval: 1ms}]; java-pace-flood java-pace-hybrid-1ms",
                "transfer-bytes=[64KiB, 128KiB]; java-transfer-bytes-65536 java-transfer-bytes-131072",
                "transports=[udp, tcp] traffic=one-way udp.receive-buffer=[32KiB, 64KiB];"
                        + "java-transport-udp-receive-buffer-32768 java-transport-udp-receive-buffer-65536"
                        + " java-transport-tcp"
            })
    void namesSeriesByEachValueOfPoints(String keys, String names) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("transports=tcp", "traffic=transfer", "packet-bytes=1024", "monitor={probes: points}"));
        all.addAll(List.of(keys.split(" (?=[a-z.-]+=)")));

        assertThat(Turn.series(turns(all, receiver.endpoint())))
                .filteredOn(one -> one.name().matches(".*\\.(median|elapsed)"))
                .extracting(one -> one.name().replaceAll("^weather\\.|\\.(lag\\.median|throughput\\.elapsed)$", ""))
                .startsWith(names.split(" "));
    }

    @Test
    void refusesEqualNamesOfSeries() {
        Endpoint target = new Endpoint("192.0.2.7", 5394);

        assertThatThrownBy(() -> turns("{probes: points}", target, target))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("Two series of this monitor are named 192.0.2.7-5394.weather.java");
    }

    @ParameterizedTest
    @ValueSource(strings = {"parallel=2", "direction=backward", "direction=both", "jvm=-Xmx64m"})
    void refusesPointsThatMonitorDoesNotSend(String key) {
        assertThatThrownBy(() -> turns(List.of(key, "transports=udp", "monitor={probes: points}"), receiver.endpoint()))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("Leave out streams, parallel, direction, jvm, or name probes instead of points.");
    }
}
