package org.lagbench.analysis.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.summary.Included;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;

@Tag("one-java")
class SeriesRequirementsTest {
    private static final long NOON_NS = 1_790_000_000_000_000_000L;
    private static final long EVERY_NS = 1_000_000_000L;
    private static final SeriesInfo LAG =
            new SeriesInfo("udp.992.lag", "lag", "ms", EVERY_NS, SeriesInfo.Domain.ANY, null);
    private static final SeriesInfo LOSS =
            new SeriesInfo("udp.992.loss", "loss", "%", EVERY_NS, SeriesInfo.Domain.PERCENT, null);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path session;

    @BeforeEach
    void begin() throws Exception {
        new SeriesIndex(NOON_NS, List.of(LAG, LOSS)).write(session);
    }

    /** Records lags of about 2 ms, each close to the one before it, and every tenth value is missing. */
    private void record(int values, double correlation) throws Exception {
        Random random = new Random(7);
        double state = 0;
        try (SeriesStore store = new SeriesStore(session, List.of(LAG, LOSS))) {
            for (int i = 0; i < values; i++) {
                long atNs = NOON_NS + i * EVERY_NS;
                state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
                boolean isMissing = i % 10 == 9;
                store.record(
                        LAG,
                        atNs,
                        isMissing ? Double.NaN : 2 + state,
                        isMissing ? SeriesState.NO_VALUE : SeriesState.OK);
                store.record(LOSS, atNs, 0, SeriesState.OK);
            }
        }
    }

    private Judgment judge(String text) throws LagbenchException {
        return judge(text, .1);
    }

    private Judgment judge(String text, double acceptedMissing) throws LagbenchException {
        List<Judgment> judgments = SeriesRequirements.judge(
                session, List.of(Requirement.parse(text)), new Judgment.Basis(false, acceptedMissing));
        assertThat(judgments).hasSize(1);
        return judgments.get(0);
    }

    @Test
    void missingValuesAreNotMet() throws Exception {
        record(600, 0);
        Judgment judgment = judge("lag <= 3 ms", .09);
        assertThat(judgment.verdict()).isEqualTo(Judgment.Outcome.UNDECIDED);
        assertThat(judgment.doubt()).isEqualTo(Verdict.Doubt.INCOMPLETE);
        assertThat(judgment.subject()).isNotNull().satisfies(subject -> assertThat(subject.included())
                .isEqualTo(new Included(540, 600)));
        assertThat(judge("lag <= 1 ms", 0).verdict()).isEqualTo(Judgment.Outcome.MISSED);
    }

    @Test
    void judgesSeriesByTheirLastParts() throws Exception {
        record(600, 0);
        assertThat(judge("lag <= 3 ms").verdict()).isEqualTo(Judgment.Outcome.MET);
        assertThat(judge("992.lag <= 1000 us").verdict()).isEqualTo(Judgment.Outcome.MISSED);
        assertThat(judge("udp.992.lag <= 2.05 ms").verdict()).isEqualTo(Judgment.Outcome.UNDECIDED);
        assertThat(judge("loss <= 0 %").verdict()).isEqualTo(Judgment.Outcome.MET);
        assertThat(judge("loss <= 0.7 %").verdict()).isEqualTo(Judgment.Outcome.MET);
        assertThat(judge("loss <= 0.6 %").verdict()).isEqualTo(Judgment.Outcome.UNDECIDED);
    }

    @Test
    void correlatedValuesAreFewerRepeats() throws Exception {
        record(600, .9);
        Judgment judgment = judge("lag <= 10 ms");
        assertThat(judgment.doubt()).isEqualTo(Verdict.Doubt.REPEATS);
        assertThat(judgment.subject()).isNotNull().satisfies(subject -> assertThat(subject.repeats())
                .isBetween(1, 19));
        assertThat(judge("loss <= 1 %").subject()).isNotNull().satisfies(subject -> assertThat(subject.repeats())
                .isEqualTo(120));
    }

    @Test
    void firstProbeOfLoadNeedsNoValue() throws Exception {
        try (SeriesStore store = new SeriesStore(session, List.of(LAG, LOSS))) {
            for (int i = 0; i <= 600; i++) {
                boolean isFirst = i == 0;
                double value = isFirst ? Double.NaN : 20;
                store.record(LOSS, NOON_NS + i * EVERY_NS, value, isFirst ? SeriesState.NO_VALUE : SeriesState.OK);
            }
        }
        assertThat(judge("loss <= 30 %", 0).verdict()).isEqualTo(Judgment.Outcome.MET);
    }

    @Test
    void isUndecidedWithoutValues() throws Exception {
        record(0, 0);
        assertThat(judge("lag <= 3 ms").doubt()).isEqualTo(Verdict.Doubt.MISSING);
    }

    @Test
    void namesMistakes() throws Exception {
        record(1, 0);
        assertThatThrownBy(() -> judge("udp.992.log <= 2 ms")).hasMessageContaining("did you mean udp.992.lag?");
        assertThatThrownBy(() -> judge("lag <= 2 %"))
                .hasMessageContaining("2 % is not a valid limit of lag; write one such as 2 ms.");
        assertThatThrownBy(() -> judge("lag <= 2 ms at size=992")).hasMessageContaining("a series has no axes");
    }
}
