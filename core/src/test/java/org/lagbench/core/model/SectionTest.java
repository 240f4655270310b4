package org.lagbench.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SectionTest {
    private static final Parameter<Long> SIZE =
            Parameter.bytes("size", 1, 1 << 20).byDefault(64L);
    private static final Parameter<Optional<Duration>> LIMIT =
            Parameter.duration("limit", Duration.ZERO, Duration.ofSeconds(1)).or("unlimited");
    private static final Section<Load> SECTION = Section.of(Load.class, SIZE, LIMIT);

    /** A record with a component that may be null. */
    record Load(long size, @Nullable Duration limit) {}

    @Test
    void bindsParametersToComponents() {
        Load load = SECTION.create(List.of(4L, Optional.of(Duration.ofMillis(5))));

        assertThat(load).isEqualTo(new Load(4, Duration.ofMillis(5)));
        assertThat(SECTION.create(SECTION.values(load))).isEqualTo(load);
        assertThat(SECTION.createDefault()).isEqualTo(new Load(64, null));
        assertThat(SECTION.with(load, Map.of(LIMIT, Optional.empty()))).isEqualTo(new Load(4, null));
        assertThat(SECTION.names()).containsExactly("size", "limit");
    }

    @Test
    void refusesWrongNumberOfParameters() {
        assertThatThrownBy(() -> Section.of(Load.class, SIZE)).hasMessageContaining("not [size]");
    }

    @Test
    void bindsByNameInAnyOrder() {
        Section<Load> reverse = Section.of(Load.class, LIMIT, SIZE);

        assertThat(reverse.create(List.of(Optional.of(Duration.ofMillis(5)), 4L)))
                .isEqualTo(new Load(4, Duration.ofMillis(5)));
        assertThat(reverse.values(new Load(4, null))).containsExactly(Optional.empty(), 4L);
        assertThat(reverse.names()).containsExactly("limit", "size");
    }

    @Test
    void bindsComponentsOfRecordWithoutParameter() {
        record NamedLoad(String name, Load load) {}
        Parameter<String> name = RunParameters.NAME.byDefault("a");
        Section<NamedLoad> section = Section.of(NamedLoad.class, LIMIT, name, SIZE);
        NamedLoad named = new NamedLoad("b", new Load(4, null));

        assertThat(section.create(List.of(Optional.empty(), "b", 4L))).isEqualTo(named);
        assertThat(section.values(named)).containsExactly(Optional.empty(), "b", 4L);
        assertThat(section.keysOf(Load.class)).containsExactly(LIMIT, SIZE);
        assertThat(section.with(named, Map.of(SIZE, 5L))).isEqualTo(new NamedLoad("b", new Load(5, null)));
        assertThatThrownBy(() -> Section.of(NamedLoad.class, name, SIZE)).hasMessageContaining("not [name, size]");
    }

    @Test
    void combinesValues() {
        assertThat(SECTION.combinations(
                        List.of(List.of(4L, 5L), List.of(Optional.empty(), Optional.of(Duration.ZERO)))))
                .containsExactly(
                        new Load(4, null), new Load(4, Duration.ZERO), new Load(5, null), new Load(5, Duration.ZERO));
    }

    @Test
    void refusesParameterOfNoComponent() {
        assertThatThrownBy(() -> Section.of(Load.class, SIZE.named("bytes"), LIMIT))
                .hasMessageContaining("bytes: must belong to one component, not to []");
        assertThatThrownBy(() -> Section.of(Load.class, SIZE, SIZE)).hasMessageContaining("not [size, size]");
    }

    @Test
    void validatesExternalValues() {
        assertThat(SIZE.check(1L)).isEqualTo(1);
        assertThatThrownBy(() -> SIZE.check(0L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("size: 0 is not accepted; it takes " + SIZE.accepted());
        assertThatThrownBy(() -> LIMIT.check(Optional.of(Duration.ofDays(1_000_000))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("limit: ");
    }
}
