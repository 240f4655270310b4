package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.run.Objective;

class TuneReaderTest {
    private static final String ONE_POINT = "transports: tcp\npacket-bytes: 992\n";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    private Experiment read(String yaml) throws Exception {
        Path file = Files.writeString(directory.resolve("tune.yaml"), yaml);
        return new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL).read(file);
    }

    @Test
    void writesEqualTune() throws Exception {
        Experiment experiment = read(
                ONE_POINT
                        + """
                lab: ethernet-100
                tune:
                  objective: lag.median
                  require: [receiveDelay.q99 <= 2 ms, receiveRate >= 8 Mbit/s]
                  loss: 0.1%
                  goodput: 90%
                  indifference: 5%
                  budget: 200 runs
                  knobs:
                    send-buffer: {from: 4KiB, to: 1MiB}
                    no-delay: [true, false]
                """);

        Tuning tuning = experiment.tune();
        assertThat(tuning.objective()).isEqualTo("lag.median");
        assertThat(tuning.require())
                .containsExactly(
                        new Limit("receiveDelay.q99", "<=", "2 ms"), new Limit("receiveRate", ">=", "8 Mbit/s"));
        assertThat(tuning.maximumLossPpm()).isEqualTo(1_000);
        assertThat(tuning.goodput()).isEqualTo(new Tuning.GoodputFloor(900_000, 0));
        assertThat(tuning.goodput().bitsPerS(100_000_000)).isEqualTo(90e6);
        assertThat(tuning.indifferencePpm()).isEqualTo(50_000);
        assertThat(tuning.budget()).isEqualTo(new Tuning.TuneBudget(null, 200));
        assertThat(tuning.knobs())
                .containsExactlyInAnyOrder(
                        Tuning.Knob.range("send-buffer", 4_096, 1 << 20),
                        Tuning.Knob.list("no-delay", List.of("true", "false")));
        assertThat(read(experiment.toYaml())).isEqualTo(experiment);
    }

    @ParameterizedTest
    @CsvSource({
        "lag.q95, lag.q95",
        "lag.mean, lag.mean",
        "lag.maximum, lag.maximum",
        "receiveRate, receiveRate",
        "roundTrip.q99, roundTrip.q99",
        "send-buffer, send-buffer"
    })
    void acceptsAnyMetricOrNumericSetting(String objective, String id) throws Exception {
        Tuning tuning =
                read(ONE_POINT + "tune: {objective: " + objective + "}\n").tune();

        assertThat(Objective.of(tuning).id()).isEqualTo(id);
    }

    @Test
    void hasDefaults() throws Exception {
        Tuning tuning = read(ONE_POINT + "tune: {}\n").tune();

        assertThat(tuning.objective()).isEqualTo("lag.q99");
        assertThat(tuning.maximumLossPpm()).isNull();
        assertThat(tuning.goodput()).isNull();
        assertThat(tuning.budget()).isEqualTo(new Tuning.TuneBudget(Duration.ofMinutes(10), 0));
        assertThat(tuning.knobs()).extracting(Tuning.Knob::name).containsExactly("send-buffer", "receive-buffer");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            {objective: lagg.q99} | 3:19: tune.objective: There is no metric "lagg.q99"; did
            {objective: no-delay, knobs: {no-delay: [true]}} | tune.objective: no-delay cannot be minimized, because
            {require: [lag.q99 = 2 ms]}               | tune.require: "lag.q99 = 2 ms" is not accepted
            {require: [lag.q99 <= 2 Mbit/s]}          | 3:17: tune.require: 2 Mbit/s is not a valid limit of lag.q99
            {los: 1%}                                 | 3:8: tune.los: there is no such key; did you mean tune.loss?
            {goodput: 90%}                            | tune.goodput: a share refers to the rate of the lab's link
            {budget: 0 runs}                          | tune.budget: "0 runs" is not accepted
            {knobs: {send-buffer: {from: 8KiB}}}      | tune.knobs.send-buffer.to: it is missing
            {knobs: {send-buffer: {from: 8KiB, to: 4KiB}}} | tune.knobs.send-buffer.to: a range begins above 0
            {knobs: {sendbuffer: [1KiB]}}             | tune.knobs.sendbuffer: there is no such key
            """)
    void locatesMistakes(String tune, String message) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> read(ONE_POINT + "tune: " + tune + "\n"))
                .withMessageContaining(message);
    }

    @Test
    void requiresOnePoint() {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> read("transports: tcp\npacket-bytes: [24, 992]\ntune: {}\n"))
                .withMessageContaining("a tune is of one transport, one packet size, one pace and one program");
    }
}
