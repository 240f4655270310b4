package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsFileTest {
    @Test
    void readsHowRepeatsCombine() {
        Metric metric =
                MetricsFile.metric("a.share | a.share * 100 | A | Share | % | lower | pooled of b.c - d.e | none");
        assertThat(metric.combination()).isEqualTo(new Combination(Combination.Kind.POOLED, List.of("b.c", "-d.e")));
        assertThat(metric.isZeroIfAbsent()).isTrue();
        assertThat(MetricsFile.metric("a | a | A | Count | packets | lower | sum")
                        .combination())
                .isEqualTo(new Combination(Combination.Kind.SUM, List.of()));
    }

    /** There is no default: it would be the median, which hides one bad run of twenty. */
    @ParameterizedTest
    @ValueSource(strings = {"", " | ", " | mean", " | main", " | sum of packets.sent"})
    void refusesMetricThatDoesNotSayHowRepeatsCombine(String column) {
        assertThatThrownBy(() -> MetricsFile.metric("a | a | A | Count | packets | lower" + column))
                .hasMessageContaining("how repeats combine");
    }
}
