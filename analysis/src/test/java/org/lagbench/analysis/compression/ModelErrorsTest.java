package org.lagbench.analysis.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests errors and turning points with runs of known times. */
class ModelErrorsTest {
    private static final double MS = 1e6;

    private static CompressionFigures figures(long chunks, double ratio, double totalNs, double compressNs) {
        double bytes = chunks * 16_384.0;
        return new CompressionFigures(
                1, chunks, ratio, 1, 1, totalNs, compressNs, totalNs - compressNs, 0, 0, bytes / ratio, 0);
    }

    /** A prediction with the given totals; a transfer without a codec lasts 100. */
    private static Prediction prediction(double measured, double simple, double overlap) {
        return new Prediction(1, 100, measured, simple, overlap, overlap);
    }

    @Test
    void comparesEachModelWithTheMeasuredTotal() {
        List<Prediction> runs = List.of(
                prediction(50, 75, 55), prediction(80, 120, 84), prediction(40, 60, 38), prediction(110, 90, 110));

        ModelErrors simple = ModelErrors.of(ModelErrors.Model.SIMPLE, runs);
        ModelErrors overlap = ModelErrors.of(ModelErrors.Model.OVERLAP, runs);

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

    @Test
    void predictsStagesFromOtherRuns() {
        CompressionFigures none = figures(100, 1, 1_000 * MS, 0);
        CompressionFigures run = figures(100, 2, 700 * MS, 200 * MS);
        CompressionFigures other = figures(50, 4, 300 * MS, 150 * MS);

        StagePrediction predicted = StagePrediction.of(run, none, List.of(other));

        assertThat(predicted.compressNs()).as("3 ms a chunk").isCloseTo(300 * MS, within(1.0));
        assertThat(predicted.encodedBytes()).isCloseTo(100 * 16_384 / 4.0, within(1e-6));
        assertThat(predicted.sendNs()).isCloseTo(250 * MS, within(1.0));
        assertThat(predicted.total().simpleNs()).isCloseTo(550 * MS, within(1.0));
        assertThat(predicted.measuredSendNs()).isCloseTo(500 * MS, within(1.0));
    }

    /** Total times of n = 100 chunks, with ts = 20 ms, tb = 1 ms and noise of ± 0.5 %. */
    @Test
    void findsTheTurningPointOfABrokenLine() {
        SplittableRandom random = new SplittableRandom(14);
        List<List<CompressionFigures>> points = new ArrayList<>();
        for (double computeMs : new double[] {2, 6, 10, 14, 18, 22, 26, 30}) {
            List<CompressionFigures> runs = new ArrayList<>();
            for (int repeat = 0; repeat < 3; repeat++) {
                double total = computeMs < 19 ? computeMs + 100 * 20 : 100 * computeMs + 99 * 1 + 20;
                double noise = 1 + (random.nextDouble() - .5) / 100;
                runs.add(figures(100, 1, total * noise * MS, 100 * computeMs * MS));
            }
            points.add(runs);
        }

        TurningPoint found = Objects.requireNonNull(TurningPoint.of(points));

        assertThat(found.transmitNs().value() / MS).isCloseTo(20, within(.1));
        assertThat(found.turningNs().value() / MS).isCloseTo(19, within(.2));
        assertThat(width(found.transmitNs()) / MS).isBetween(.005, .1);
        assertThat(width(found.turningNs()) / MS).isBetween(.02, .3);
        assertThat(found.transmitNs().value()).isCloseTo(20 * MS, within(width(found.transmitNs())));
        assertThat(found.turningNs().value()).isCloseTo(19 * MS, within(width(found.turningNs())));
        assertThat(found.bitsPerS().value()).isCloseTo(16_384 * 8 / .02, within(40_000.0));
    }

    private static double width(Resampling interval) {
        return interval.high() - interval.low();
    }

    @Test
    void findsNoTurningPointOnAStraightLine() {
        List<List<CompressionFigures>> points = new ArrayList<>();
        for (int computeMs = 1; computeMs <= 6; computeMs++) {
            points.add(List.of(figures(100, 1, 100 * computeMs * MS, 100 * computeMs * MS)));
        }
        assertThat(TurningPoint.of(points)).isNull();
    }

    @Test
    void countsChunksWithTheFasterChoice() {
        CompressionFigures none = figures(100, 1, 1_000, 0);
        CompressionFigures gzip = figures(100, 2, 600, 100);
        CompressionFigures policy = new CompressionFigures(1, 100, 1.8, .5, .9, 660, 90, 0, 0, 0, 1, 0);

        assertThat(PolicyChoice.of(policy, none, gzip)).isEqualTo(new PolicyChoice(true, .9, 1.1));
        PolicyChoice slowCodec = PolicyChoice.of(policy, none, figures(100, 2, 2_000, 1_800));
        assertThat(slowCodec.right()).isCloseTo(.1, within(1e-12));
        assertThat(slowCodec.slowdown()).isCloseTo(.66, within(1e-12));
    }
}
