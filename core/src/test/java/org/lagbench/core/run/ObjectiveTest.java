package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.model.Tuning.Knob;

class ObjectiveTest {
    private static final Parameter<?> PATIENCE =
            Parameter.time("patience", 1_000, 1_000_000_000L).asText().orWord(Parameter.NONE);

    private static Objective of(String... values) throws LagbenchException {
        Knob knob = new Knob(PATIENCE.name(), 0, 0, List.of(values), PATIENCE.isTime());
        return Objective.of(
                new Tuning(knob.name(), List.of(), null, null, 0, new Tuning.TuneBudget(null, 10), List.of(knob)));
    }

    @Test
    void readsDurationsOfSettingThatAlsoAcceptsWord() throws Exception {
        assertThat(PATIENCE.isTime()).isTrue();
        assertThat(of("20us", "1.5ms").knob().number("1.5ms")).isEqualTo(1_500_000);
    }

    @Test
    void refusesToMinimizeListWithWord() {
        assertThatThrownBy(() -> of("none", "20us"))
                .hasMessageContaining("patience cannot be minimized, because its values are not numbers.");
    }

    @Test
    void refusesWordAsDuration() {
        assertThat(Parameter.choice("mode", List.of("1s", "2s")).isTime()).isFalse();
    }
}
