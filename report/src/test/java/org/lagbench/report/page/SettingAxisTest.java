package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingAxisTest {
    @Test
    void positionsBufferSizesInKibibytes() {
        SettingAxis sizes = SettingAxis.of("receive-buffer", List.of("8192", "25600", "1048576"));
        assertThat(sizes.axis().label()).isEqualTo("receive buffer (KiB)");
        assertThat(sizes.places()).containsExactly(8.0, 25.0, 1024.0);
        assertThat(sizes.axis().from()).isBetween(5.0, 7.9);
        assertThat(sizes.axis().to()).isBetween(1025.0, 1500.0);
    }

    @Test
    void positionsDurationsInUnitOfFirst() {
        SettingAxis durations = SettingAxis.of("buffer", List.of("80ms", "500 ms", "1s"));
        assertThat(durations.axis().label()).isEqualTo("buffer (ms)");
        assertThat(durations.places()).containsExactly(80.0, 500.0, 1000.0);
    }

    @Test
    void positionsNumbersAtEvenDistances() {
        SettingAxis numbers = SettingAxis.of("writes", List.of("1", "2", "3"));
        assertThat(numbers.axis().label()).isEqualTo("writes");
        assertThat(numbers.axis().from()).isBetween(0.5, 0.95);
        assertThat(numbers.places()).containsExactly(1.0, 2.0, 3.0);
    }

    @Test
    void keepsCategoriesIfOneIsWord() {
        assertThat(SettingAxis.of("no-delay", List.of("true", "false")).axis().categories())
                .containsExactly("true", "false");
        assertThat(SettingAxis.of("latency", List.of("auto", "80ms")).axis().categories())
                .containsExactly("auto", "80ms");
    }
}
