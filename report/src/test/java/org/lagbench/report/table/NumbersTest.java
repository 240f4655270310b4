package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "999 | ± 999 ns",
                "60000 | ± 60.0 µs",
                "9999999999 | ± 10,000,000 µs",
                "10000000000 | ± 10 s",
                "1795664335000022000 | ± 1,795,664,336 s"
            })
    void showsLargeBoundsInSeconds(long boundNs, String text) {
        assertThat(Numbers.plusMinus(boundNs)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.00",
        "0.00192, 0.0019",
        "0.05, 0.050",
        "0.282, 0.282",
        "0.9996, 1.00",
        "1, 1.00",
        "63.5, 63.5",
        "NaN, –"
    })
    void showsSmallRatesWithSignificantDigits(double rate, String text) {
        assertThat(Numbers.rate(3, rate)).isEqualTo(text);
    }
}
