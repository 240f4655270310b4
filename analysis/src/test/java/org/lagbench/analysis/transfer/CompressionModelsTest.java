package org.lagbench.analysis.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionModelsTest {
    private static final double BITS_PER_BYTE = 8;

    @ParameterizedTest
    @CsvSource({"25, 2.619", "19, 2.019", "10, 2.010"})
    void computesFormula6(double compressMs, double totalS) {
        assertThat(CompressionModels.overlap(100, compressMs, 1, 20) / 1e3).isCloseTo(totalS, within(1e-9));
    }

    /** Table 1: speed in MB/s, ratio, and the two crossovers in Mb/s, rounded to two decimal places. */
    @ParameterizedTest
    @CsvSource({
        "TXT, .84569, 4.0676, 5.10, 6.77",
        "PS, .77839, 3.8816, 4.62, 6.23",
        "Binary, .65497, 2.0746, 2.71, 5.24",
        "PDF, .87562, 1.1856, 1.10, 7.01",
        "JPG, .83335, 1.0075, .05, 6.67"
    })
    void computesTheCrossoversOfTable1(String type, double speed, double ratio, double simple, double overlap) {
        assertThat(BITS_PER_BYTE * CompressionModels.simpleCrossover(speed, ratio))
                .as(type)
                .isCloseTo(simple, within(.006));
        double crossover = CompressionModels.overlapCrossover(speed, ratio);
        assertThat(BITS_PER_BYTE * crossover).as(type).isCloseTo(overlap, within(.006));
        assertThat(overlapPerUncompressed(speed, ratio, .99 * crossover))
                .as(type)
                .isLessThan(1);
        assertThat(overlapPerUncompressed(speed, ratio, 1.01 * crossover))
                .as(type)
                .isGreaterThan(1);
    }

    /** Returns the time of a million chunks by formula (6), relative to the time without compression. */
    private static double overlapPerUncompressed(double speed, double ratio, double bandwidth) {
        return CompressionModels.overlap(1e6, 1 / speed, 0, 1 / ratio / bandwidth) / (1e6 / bandwidth);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, .99})
    void dataThatDoesNotShrinkHasNoCrossover(double ratio) {
        assertThat(CompressionModels.simpleCrossover(1, ratio)).isZero();
        assertThat(CompressionModels.overlapCrossover(1, ratio)).isZero();
        assertThat(overlapPerUncompressed(1, ratio, .01)).isGreaterThan(1);
    }

    @Test
    void formula6EqualsLargerBranchAndTwoStageModel() {
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < 10_000; i++) {
            double n = 1 + random.nextInt(1_000);
            double tc = random.nextDouble() * 30;
            double ts = random.nextDouble() * 30;
            double tb = random.nextDouble() * ts;
            assertThat(CompressionModels.overlap(n, tc, tb, ts))
                    .as("n %s tc %s tb %s ts %s", n, tc, tb, ts)
                    .isCloseTo(Math.max(n * tc + (n - 1) * tb + ts, tc + n * ts), within(1e-9 * n * 60))
                    .isCloseTo(CompressionModels.threeStages(n, tc, tb, ts, 0), within(1e-9 * n * 60));
        }
    }

    @Test
    void simpleModelsAreEqualAtTheCrossover() {
        double bandwidth = CompressionModels.simpleCrossover(.65497, 2.0746);
        assertThat(CompressionModels.simple(20, .65497, 2.0746, bandwidth)).isCloseTo(20 / bandwidth, within(1e-9));
        assertThat(CompressionModels.simple(20, .65497, 2.0746, bandwidth * 1.01))
                .isGreaterThan(20 / (bandwidth * 1.01));
    }

    /**
     * The times of 3 chunks, with transmission, decompression and compression as the slowest stage. The expected times
     * come from diagrams drawn by hand.
     */
    @Test
    void addsDecompressionAsAStage() {
        assertThat(CompressionModels.threeStages(3, 2, 0, 5, 4)).isCloseTo(2 + 3 * 5 + 4, within(1e-9));
        assertThat(CompressionModels.threeStages(3, 2, 0, 4, 5)).isCloseTo(2 + 4 + 3 * 5, within(1e-9));
        assertThat(CompressionModels.threeStages(3, 6, 1, 4, 5)).isCloseTo(3 * 6 + 2 + 4 + 5, within(1e-9));
    }
}
