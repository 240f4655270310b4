package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "125us, 125000",
        "125 us, 125000",
        "125µs, 125000",
        "1.5ms, 1500000",
        "0.000000001s, 1",
        "30s, 30000000000",
        "0s, 0",
        "7ns, 7",
        "999999999s, 999999999000000000"
    })
    void readsNumberWithUnit(String text, long nanoseconds) {
        assertThat(Durations.parseNs(text)).isEqualTo(nanoseconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"125", "us", "", "-1us", "1e3us", "1m", "1US", "0.1ns", "999999999999s", "1 2us", ".5s"})
    void refusesInvalidLengthOfTime(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Durations.parseNs(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0s", "1, 1ns", "1000, 1us", "125000, 125us", "1500000, 1500us", "60000000000, 60s"})
    void writesLargestUnitWithoutFraction(long nanoseconds, String text) {
        assertThat(Durations.format(nanoseconds)).isEqualTo(text);
        assertThat(Durations.parseNs(text)).isEqualTo(nanoseconds);
    }
}
