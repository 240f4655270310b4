package org.lagbench.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LagBinsTest {
    private final List<List<Long>> passedOn = new ArrayList<>();
    private final LagBins bins =
            new LagBins((run, bin, count, sum, squares) -> passedOn.add(List.of(run, bin, count, sum, squares)));

    @Test
    void addsUpOffsetsFromStartOfBin() throws Exception {
        bins.start(7);
        for (long lagNs : new long[] {0, 3, 4_095, 4_096, -1, -4_096, -4_097}) {
            bins.add(lagNs);
        }
        bins.flush();
        assertThat(passedOn)
                .containsExactlyInAnyOrder(
                        List.of(7L, 0L, 3L, 4_098L, 9L + 4_095 * 4_095),
                        List.of(7L, 1L, 1L, 0L, 0L),
                        List.of(7L, -1L, 2L, 4_095L, 4_095L * 4_095),
                        List.of(7L, -2L, 1L, 4_095L, 4_095L * 4_095));
    }

    @Test
    void passesBinOnWhenAnotherNeedsItsPlace() throws Exception {
        bins.start(7);
        bins.add(5);
        bins.add(1L << 40);
        bins.add(6);
        assertThat(passedOn).containsExactly(List.of(7L, 0L, 1L, 5L, 25L), List.of(7L, 1L << 28, 1L, 0L, 0L));
        bins.flush();
        assertThat(passedOn).hasSize(3).endsWith(List.of(7L, 0L, 1L, 6L, 36L));
    }

    @Test
    void separatesRuns() throws Exception {
        bins.start(1);
        bins.add(5);
        bins.start(2);
        bins.add(5);
        bins.flush();
        bins.flush();
        assertThat(passedOn).containsExactly(List.of(1L, 0L, 1L, 5L, 25L), List.of(2L, 0L, 1L, 5L, 25L));
    }
}
