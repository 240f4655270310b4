package org.lagbench.core.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatienceTest {
    @ParameterizedTest
    @CsvSource({"0, 0.2, 10", "0.5, 0.2, 20", "0.5, 4, 40", "0.99, 1, 100", "0, 50, 100"})
    void growsTimeLimitsWithPressure(double waiting, double tasksPerCpu, int limitS) {
        assertThat(Patience.of(Duration.ofSeconds(10), waiting, tasksPerCpu)).isEqualTo(Duration.ofSeconds(limitS));
    }
}
