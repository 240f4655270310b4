package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrictJsonTest {
    /** A section to which a version has added a parameter, with its default. */
    public record Conditions(Duration drain, long settleNs) {
        public static final Conditions DEFAULT = new Conditions(Duration.ofMillis(500), 7);
    }

    /** A record without defaults. */
    public record Run(String name, Conditions conditions, @Nullable String failure) {}

    @Test
    void readsMissingMemberAsDefaultOfItsRecord() {
        Run run = StrictJson.read("{\"name\": \"a\", \"conditions\": {\"drain\": \"PT1S\"}}", Run.class);

        assertThat(run).isEqualTo(new Run("a", new Conditions(Duration.ofSeconds(1), 7), null));
    }

    @Test
    void readsMissingSectionAsItsDefault() {
        assertThat(StrictJson.read("{\"name\": \"a\"}", Run.class)).isEqualTo(new Run("a", Conditions.DEFAULT, null));
    }

    @Test
    void refusesMissingMemberWithoutDefault() {
        assertThatThrownBy(() -> StrictJson.read("{\"conditions\": {}}", Run.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: is missing");
    }

    @Test
    void refusesNullOfMemberWithDefault() {
        assertThatThrownBy(() -> StrictJson.read("{\"name\": \"a\", \"conditions\": null}", Run.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("conditions: is null");
    }
}
