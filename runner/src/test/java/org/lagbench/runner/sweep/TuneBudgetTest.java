package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.Tuning;

class TuneBudgetTest {
    private static final Tuning.TuneBudget FIVE_MINUTES = new Tuning.TuneBudget(Duration.ofMinutes(5), 0);

    private long nowS;

    private TuneBudget budget(Tuning.TuneBudget whole, double firstRunS) {
        return new TuneBudget(whole, firstRunS, () -> nowS * 1_000_000_000);
    }

    /** Runs took 8 s, until one takes 210 s that begins with 20 s left. */
    @Test
    void endsARunThatTakesMuchLongerThanOthers() {
        TuneBudget budget = budget(FIVE_MINUTES, 4);
        for (nowS = 8; nowS <= 280; nowS += 8) {
            budget.runMade();
        }
        nowS = 280;
        assertThat(budget.runsLeft()).isEqualTo(2);
        assertThat(budget.limit()).isEqualTo(Duration.ofSeconds(28));
        assertThat(budget.isOver()).isFalse();
        nowS += budget.limit().toSeconds();
        assertThat(budget.isOver()).isTrue();
        assertThat(budget.runsLeft()).isZero();
    }

    @Test
    void beginsNoRunThatIsLongerThanTheBudget() {
        assertThat(budget(FIVE_MINUTES, 301).runsLeft()).isZero();
        assertThat(budget(FIVE_MINUTES, 299).runsLeft()).isEqualTo(1);
    }

    @Test
    void numberOfRunsLimitsNoTime() {
        TuneBudget budget = budget(new Tuning.TuneBudget(null, 2), 4);
        nowS = 1_000_000;
        assertThat(budget.isOver()).isFalse();
        assertThat(budget.limit()).isGreaterThan(Duration.ofDays(1));
        budget.runMade();
        budget.runMade();
        assertThat(budget.runsLeft()).isZero();
    }
}
