package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.json.JsonMapper;

class SideFactsTest {
    private static final JsonMapper JSON = StrictJson.builder().build();

    private record Counted(long packets, @Nullable Long lost, @Nullable String reason) {}

    private record Other(double share) {}

    /** Returns entries as a reader of {@code run.json} has them, whose small numbers are no longs. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> stored(Map<String, Object> entries) {
        return JSON.readValue(JSON.writeValueAsString(entries), Map.class);
    }

    @Test
    void readsRecordsThatWereWrittenTogether() {
        Counted counted = new Counted(3, null, "none");
        Other other = new Other(0.5);

        Map<String, Object> entries = SideFacts.entries(List.of(counted, other));

        assertThat(entries).containsOnlyKeys("packets", "reason", "share");
        for (Map<String, Object> read : List.of(entries, stored(entries))) {
            assertThat(SideFacts.read(read, Counted.class)).isEqualTo(counted);
            assertThat(SideFacts.read(read, Other.class)).isEqualTo(other);
        }
    }

    @Test
    void readsNoRecordOfSideThatRecordedOnlyAPartOfIt() {
        assertThat(SideFacts.read(Map.of(), Counted.class)).isNull();
        assertThat(SideFacts.read(Map.of("lost", 1), Counted.class)).isNull();
        assertThat(SideFacts.read(Map.of("unrelated", 1), Counted.class)).isNull();
    }

    @Test
    void readsNoRecordWithValueOfAnotherType() {
        assertThat(SideFacts.read(Map.of("packets", "3"), Counted.class)).isNull();
        assertThat(SideFacts.read(Map.of("packets", 3, "lost", Map.of()), Counted.class))
                .isNull();
    }
}
