package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Tuning;

class TuneBudgetTest {
    private static final Tuning.TuneBudget FIVE_MINUTES = new Tuning.TuneBudget(Duration.ofMinutes(5), 0);

    /** Runs took 8 s; the next begins with 20 s left. */
    @Test
    void endsARunThatTakesMuchLongerThanOthers() {
        TuneBudget budget = new TuneBudget(FIVE_MINUTES, 4, 0, Duration.ZERO);
        for (int run = 1; run <= 35; run++) {
            budget = budget.after(Duration.ofSeconds(8));
        }
        assertThat(budget.runsLeft()).isEqualTo(2);
        assertThat(budget.runs()).isEqualTo(37);
        assertThat(budget.limit()).isEqualTo(Duration.ofSeconds(28));
        assertThat(budget.after(Duration.ofSeconds(28)).runsLeft()).isZero();
    }

    @Test
    void beginsNoRunThatIsLongerThanTheBudget() {
        assertThat(new TuneBudget(FIVE_MINUTES, 301, 0, Duration.ZERO).runsLeft())
                .isZero();
        assertThat(new TuneBudget(FIVE_MINUTES, 299, 0, Duration.ZERO).runsLeft())
                .isEqualTo(1);
    }

    @Test
    void numberOfRunsLimitsNoTime() {
        TuneBudget budget = new TuneBudget(new Tuning.TuneBudget(null, 2), 4, 0, Duration.ZERO);
        assertThat(budget.limit()).isNull();
        assertThat(budget.after(Duration.ofDays(100)).runsLeft()).isEqualTo(1);
        assertThat(budget.after(Duration.ofDays(100))
                        .after(Duration.ofDays(100))
                        .runsLeft())
                .isZero();
    }
}
