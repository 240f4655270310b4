package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.transfer.CompressionMetrics.PolicyChoice;
import org.lagbench.analysis.transfer.StagePrediction.TransferStage;

/** Tests the errors of models with runs of known times. */
class ModelErrorsTest {
    private static final double MS = 1e6;

    private static CompressionMetrics metrics(long chunks, double ratio, double totalNs, double compressNs) {
        double bytes = chunks * 16_384.0;
        return new CompressionMetrics(
                1, chunks, ratio, 1, 1, totalNs, compressNs, totalNs - compressNs, 0, 0, bytes / ratio, 0);
    }

    /** A prediction with the given totals; a transfer without a codec lasts 100. */
    private static Prediction prediction(double measured, double simple, double overlap) {
        return new Prediction(1, 100, measured, simple, overlap, overlap);
    }

    @Test
    void comparesEachModelWithTheMeasuredTotal() {
        List<List<Prediction>> points = List.of(
                List.of(prediction(50, 75, 55)),
                List.of(prediction(80, 120, 84)),
                List.of(prediction(40, 60, 38)),
                List.of(prediction(110, 90, 110)));

        ModelErrors simple = ModelErrors.of(ModelErrors.Model.SIMPLE, points);
        ModelErrors overlap = ModelErrors.of(ModelErrors.Model.OVERLAP, points);

        assertThat(simple.error().value()).isCloseTo((.5 + .5 + .5 + 20 / 110.0) / 4, within(1e-12));
        assertThat(simple.right())
                .as("120 > 100 > 80 and 90 < 100 < 110 are wrong")
                .isEqualTo(2);
        assertThat(overlap.error().value()).isCloseTo((.1 + .05 + .05 + 0) / 4, within(1e-12));
        assertThat(overlap.right()).isEqualTo(4);
        assertThat(overlap.lessThanSimple().low()).isPositive();
        assertThat(overlap.lessThanSimple().value())
                .isCloseTo(simple.error().value() - overlap.error().value(), within(1e-12))
                .isBetween(
                        overlap.lessThanSimple().low(), overlap.lessThanSimple().high());
    }

    /** Three points of equal runs. The intervals are Student's t of the three points: t = 4.302653 for 2 degrees. */
    @Test
    void equalRunsOfPointsDoNotNarrowTheInterval() {
        for (int runs : new int[] {1, 20}) {
            List<List<Prediction>> points = List.of(
                    Collections.nCopies(runs, prediction(100, 118, 101)),
                    Collections.nCopies(runs, prediction(100, 120, 98)),
                    Collections.nCopies(runs, prediction(100, 122, 106)));

            ModelErrors simple = ModelErrors.of(ModelErrors.Model.SIMPLE, points);
            assertThat(simple.error().low()).isCloseTo(.20 - 4.302653 * .02 / Math.sqrt(3), within(1e-6));
            assertThat(simple.error().high()).isCloseTo(.20 + 4.302653 * .02 / Math.sqrt(3), within(1e-6));
            ModelErrors overlap = ModelErrors.of(ModelErrors.Model.OVERLAP, points);
            assertThat(overlap.error().low()).as("below 0 without a limit").isZero();
            assertThat(overlap.lessThanSimple().low()).isCloseTo(.17 - 4.302653 * .01 / Math.sqrt(3), within(1e-6));
            assertThat(overlap.lessThanSimple().high()).isCloseTo(.17 + 4.302653 * .01 / Math.sqrt(3), within(1e-6));
        }
    }

    @Test
    void hasNoIntervalForOnePoint() {
        ModelErrors errors = ModelErrors.of(
                ModelErrors.Model.SIMPLE, List.of(List.of(prediction(100, 118, 101), prediction(100, 122, 101))));
        assertThat(errors.error().value()).isCloseTo(.2, within(1e-12));
        assertThat(errors.error().low()).isNaN();
        assertThat(errors.lessThanSimple().high()).isNaN();
    }

    @Test
    void predictsStagesFromOtherRuns() {
        CompressionMetrics none = metrics(100, 1, 1_000 * MS, 0);
        CompressionMetrics run = metrics(100, 2, 700 * MS, 200 * MS);
        CompressionMetrics other = metrics(50, 4, 300 * MS, 150 * MS);

        StagePrediction predicted = StagePrediction.of(run, none, List.of(other));

        assertThat(TransferStage.COMPRESSION.predicted(predicted))
                .as("3 ms a chunk")
                .isCloseTo(300 * MS, within(1.0));
        assertThat(TransferStage.SIZE.predicted(predicted)).isCloseTo(100 * 16_384 / 4.0, within(1e-6));
        assertThat(TransferStage.SENDING.predicted(predicted)).isCloseTo(250 * MS, within(1.0));
        assertThat(predicted.total().simpleNs()).isCloseTo(550 * MS, within(1.0));
        assertThat(TransferStage.SENDING.measured(predicted)).isCloseTo(500 * MS, within(1.0));
    }

    @Test
    void countsChunksWithTheFasterChoice() {
        CompressionMetrics none = metrics(100, 1, 1_000, 0);
        CompressionMetrics gzip = metrics(100, 2, 600, 100);
        CompressionMetrics policy = new CompressionMetrics(1, 100, 1.8, .5, .9, 660, 90, 0, 0, 0, 1, 0);

        assertThat(PolicyChoice.of(policy, none, gzip)).isEqualTo(new PolicyChoice(true, .9, 1.1));
        PolicyChoice slowCodec = PolicyChoice.of(policy, none, metrics(100, 2, 2_000, 1_800));
        assertThat(slowCodec.right()).isCloseTo(.1, within(1e-12));
        assertThat(slowCodec.slowdown()).isCloseTo(.66, within(1e-12));
    }
}
