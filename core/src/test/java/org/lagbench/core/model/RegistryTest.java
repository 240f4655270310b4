package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class RegistryTest {
    private record Entry(String name, int order) implements Registry.Named {}

    private record OtherEntry(String name) implements Registry.Named {}

    @Test
    void ordersEntriesAsDeclaredThenByName() throws LagbenchException {
        Registry<Entry> registry =
                new Registry<>("color", List.of(new Entry("white", 1), new Entry("red", 1), new Entry("zinc", 0)));
        assertThat(registry.names()).containsExactly("zinc", "red", "white");
        assertThat(registry.named("red")).isEqualTo(new Entry("red", 1));
        assertThatThrownBy(() -> registry.named("blue"))
                .hasMessage("There is no color \"blue\"; there are zinc, red, white.")
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
    }

    @Test
    void namesBothProvidersOfOneName() {
        List<Registry.Named> entries = List.of(new Entry("red", 0), new OtherEntry("blue"), new OtherEntry("red"));
        assertThatThrownBy(() -> new Registry<>("color", entries))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The color \"red\" is registered twice:"
                        + " Entry[name=red, order=0] and OtherEntry[name=red].");
    }
}
