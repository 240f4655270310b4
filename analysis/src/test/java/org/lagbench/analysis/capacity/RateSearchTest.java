package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.capacity.RateSearch.Bounds;

class RateSearchTest {
    private static final double MIN = 1e4;
    private static final double MAX = 1e10;
    private static final int TRAINS_MAX = 40;

    @ParameterizedTest
    @ValueSource(doubles = {3e4, 9e5, 1e6, 6.2e7, 9.4e8})
    void findsKnownRate(double truth) {
        RateSearch search = search();
        int trains = run(search, truth, -1);
        assertThat(trains).isLessThan(20);
        assertThat(search.bounds().low()).isLessThanOrEqualTo(truth);
        assertThat(search.bounds().high()).isBetween(truth, search.bounds().low() * RateSearch.RESOLUTION * 1.0001);
    }

    /** In each search, another train has the wrong result. */
    @Test
    void containsRateDespiteOneWrongTrain() {
        double truth = 6.2e7;
        for (int wrong = 0; wrong < 12; wrong++) {
            RateSearch search = search();
            run(search, truth, wrong);
            Bounds bounds = search.bounds();
            assertThat(bounds.low()).as("train %d is wrong", wrong).isLessThanOrEqualTo(truth * 1.06);
            assertThat(bounds.high()).as("train %d is wrong", wrong).isGreaterThanOrEqualTo(truth / 1.06);
        }
    }

    @Test
    void endsAtMaxAndMinRate() {
        RateSearch fast = search();
        run(fast, 1e12, -1);
        assertThat(fast.bounds()).isEqualTo(new Bounds(MAX, Double.POSITIVE_INFINITY));
        assertThat(fast.bounds().isClosed()).isFalse();
        RateSearch slow = search();
        run(slow, 1, -1);
        assertThat(slow.bounds()).isEqualTo(new Bounds(0, MIN));
    }

    /** Runs a search, and returns the number of trains. Train number {@code wrong} has the wrong result. */
    private static int run(RateSearch search, double truth, int wrong) {
        int trains = 0;
        for (OptionalDouble rate = search.next(); rate.isPresent() && trains < TRAINS_MAX; rate = search.next()) {
            boolean isTooHigh = rate.getAsDouble() > truth;
            search.add(rate.getAsDouble(), (trains == wrong) != isTooHigh);
            trains++;
        }
        assertThat(trains).isLessThan(TRAINS_MAX);
        return trains;
    }

    private static RateSearch search() {
        return new RateSearch(1e6, MIN, MAX);
    }
}
