package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.json.JsonMapper;

class SideFactsTest {
    private static final JsonMapper JSON = StrictJson.builder().build();

    /** Returns entries as a reader of {@code run.json} has them, whose small numbers are no longs. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> stored(Map<String, Object> entries) {
        return JSON.readValue(JSON.writeValueAsString(entries), Map.class);
    }

    @Test
    void readsRecordsThatWereWrittenTogether() {
        RetransmissionFacts counted = new RetransmissionFacts(3, null, null, null, "none");
        QuotaFacts other = new QuotaFacts(0.5, 7);

        Map<String, Object> entries = SideFacts.entries(List.of(counted, other));

        assertThat(entries)
                .containsOnlyKeys("retransmittedSegments", "retransmissionTimes", "cpuQuota", "cpuQuotaThrottledNs");
        for (Map<String, Object> read : List.of(entries, stored(entries))) {
            assertThat(SideFacts.read(read, RetransmissionFacts.class)).isEqualTo(counted);
            assertThat(SideFacts.read(read, QuotaFacts.class)).isEqualTo(other);
        }
    }

    @Test
    void readsNoRecordOfSideThatRecordedOnlyAPartOfIt() {
        assertThat(SideFacts.read(Map.of(), RetransmissionFacts.class)).isNull();
        assertThat(SideFacts.read(Map.of("retransmittedBytes", 1), RetransmissionFacts.class))
                .isNull();
        assertThat(SideFacts.read(Map.of("unrelated", 1), RetransmissionFacts.class))
                .isNull();
    }

    @Test
    void readsNoRecordWithValueOfAnotherType() {
        assertThat(SideFacts.read(Map.of("retransmittedSegments", "3"), RetransmissionFacts.class))
                .isNull();
        assertThat(SideFacts.read(
                        Map.of("retransmittedSegments", 3, "retransmittedBytes", Map.of()), RetransmissionFacts.class))
                .isNull();
    }
}
