package org.lagbench.analysis.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.statistics.LongBlocks.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Series computed together have the same statistics as computed alone, and the values that are not excluded have the
 * right quantile.
 */
class SeriesComputationTest {
    private final Random random = new Random(5);

    @Test
    void computesSeriesThatNeedDifferentNumbersOfPasses() throws LagbenchException {
        List<LongBlocks> series = List.of(
                new Parts(random.longs(20_000, 0, 1_000).toArray()),
                new Parts(random.longs(20_000, -50_000, 5_000_000).toArray()),
                new Parts(random.longs(20_000).toArray()),
                new Parts());
        List<SeriesComputation> together =
                series.stream().map(SeriesComputation::new).toList();
        SeriesComputation.computeAll(together);
        for (int i = 0; i < series.size(); i++) {
            assertThat(together.get(i).statistics()).isEqualTo(SeriesStatistics.of(series.get(i)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 300_000, 5_000_000_000L})
    void computesTheQuantileWithoutExcludedValues(long bound) throws LagbenchException {
        long[] values = random.longs(30_000, 0, bound).toArray();
        for (int first = 0; first < 1_000; first++) {
            values[first] += bound / 2; // the first values are greater, as in a run without warm-up
        }
        long[] firstValues = Arrays.copyOf(values, 1_000);
        SeriesComputation computation = new SeriesComputation(new Parts(values), 99, firstValues);
        SeriesComputation.computeAll(List.of(computation));
        double[] rest =
                Arrays.stream(values, 1_000, values.length).asDoubleStream().toArray();
        double expected =
                new Percentile().withEstimationType(EstimationType.R_7).evaluate(rest, 99);
        assertThat(computation.remainderQuantileNs()).isCloseTo(expected, within(expected * 1e-12));
        assertThat(computation.statistics()).isEqualTo(SeriesStatistics.of(new Parts(values)));
    }

    @Test
    void findsNoQuantileIfAllValuesAreExcluded() throws LagbenchException {
        SeriesComputation computation = new SeriesComputation(new Parts(3, 1, 2), 99, 1, 2, 3);
        SeriesComputation.computeAll(List.of(computation));
        assertThat(computation.remainderQuantileNs()).isNaN();
        assertThat(computation.statistics().n()).isEqualTo(3);
    }

    /** Values in two partitions of three parts, each in blocks of up to 4,096. */
    private static final class Parts implements LongBlocks {
        private static final int PARTITIONS = 2;
        private static final int PARTS = 3;

        private final long[] values;

        Parts(long... values) {
            this.values = values;
        }

        @Override
        public int partitions() {
            return PARTITIONS;
        }

        @Override
        public int parts(int partition) {
            return PARTS;
        }

        @Override
        public void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException {
            int piece = partition * PARTS + part;
            int from = values.length * piece / (PARTITIONS * PARTS);
            int until = values.length * (piece + 1) / (PARTITIONS * PARTS);
            LongBlocks.of(each -> LongStream.range(from, until)
                            .map(i -> values[(int) i])
                            .forEach(each))
                    .forEach(0, 0, consumer);
        }
    }
}
