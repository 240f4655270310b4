package org.lagbench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisTest {
    /** From 2⁵³ on, a double plus 1 is the same double. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 7, -7, 0x1p53, 1e17, -1e17, 1e99})
    void axisOfOneValueHasLengthAndTicks(double value) {
        Axis axis = Axis.linear("errors", value, value);
        assertThat(axis.to()).isGreaterThan(axis.from());
        assertThat(axis.ticks(200, 20)).isNotEmpty().allSatisfy(tick -> assertThat(axis.place(tick.value()))
                .isBetween(-.02, 1.02));
    }
}
