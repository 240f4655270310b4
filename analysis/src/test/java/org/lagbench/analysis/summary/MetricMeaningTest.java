package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Traffic;

class MetricMeaningTest {
    @TempDir
    private Path directory;

    @Test
    void everyDeclarationNamesMetrics() {
        List<String> ids = MetricRegistry.all().stream().map(Metric::id).toList();
        assertThat(MetricRegistry.meanings()).allSatisfy(meaning -> assertThat(ids)
                .anyMatch(id -> id.equals(meaning.quantity()) || id.startsWith(meaning.quantity() + ".")));
    }

    @Test
    void everyMetricHasMeaningForSomeTraffic() {
        assertThat(MetricRegistry.all())
                .extracting(Metric::id)
                .filteredOn(id -> MetricMeaning.find(id)
                        .filter(meaning -> !meaning.meanings().isEmpty())
                        .isEmpty())
                .isEmpty();
    }

    /** The runs have no values of metrics that are undefined for their traffic. */
    @Test
    void oneWayRunsHaveOnlyMetricsOfTheirTraffic() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, 10, 20)
                .received(new long[] {0, 5}, new long[] {1, 15}, new long[] {2, 25})
                .write();
        assertOnlyDefined(session, Traffic.ONE_WAY);
    }

    @Test
    void roundTripsHaveOnlyMetricsOfTheirTraffic() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, 10)
                .received(new long[] {0, 5, 6}, new long[] {1, 15, 16})
                .answered(1_000_000, new long[] {0, 9, 6}, new long[] {1, 19, 16})
                .write();
        assertOnlyDefined(session, Traffic.ROUND_TRIP);
    }

    private static void assertOnlyDefined(SessionFixture session, Traffic traffic) throws Exception {
        PointSummary point = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)
                .points()
                .get(0);
        assertThat(MetricRegistry.all().stream()
                        .filter(metric -> !Double.isNaN(point.value(metric)))
                        .map(Metric::id))
                .contains("lag.median", "loss")
                .allSatisfy(id -> assertThat(MetricMeaning.find(id))
                        .hasValueSatisfying(
                                meaning -> assertThat(meaning.meanings()).containsKey(traffic)));
    }
}
