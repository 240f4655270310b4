package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesState;
import org.lagbench.core.series.SeriesWriter;

class SeriesFollowerTest {
    private static final SeriesInfo RTT = new SeriesInfo("rtt", "rtt", "ms", 1_000_000_000);
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path session;

    private final List<Long> received = new CopyOnWriteArrayList<>();
    private final List<LagbenchException> failures = new CopyOnWriteArrayList<>();

    @Test
    void passesRecordsOfAnotherWriterOnce() throws Exception {
        try (SeriesWriter writer = SeriesWriter.open(session, "rtt")) {
            writer.append(DAY_NS - 2, 1, SeriesState.OK);
            try (SeriesFollower follower = SeriesFollower.open(session, List.of(RTT), failures::add)) {
                writer.append(DAY_NS - 1, 2, SeriesState.OK);
                follower.addListener((series, atNs, value, state) -> received.add(atNs));
                await().atMost(PATIENCE).until(() -> received.size() == 1);
                writer.append(DAY_NS, 3, SeriesState.OK); // in the next day's file
                writer.append(DAY_NS + 1, Double.NaN, SeriesState.MISSED);
                await().atMost(PATIENCE).until(() -> received.size() >= 3);
            }
        }
        assertThat(received).containsExactly(DAY_NS - 1, DAY_NS, DAY_NS + 1);
        assertThat(failures).isEmpty();
    }

    @Test
    void reportsFileThatIsNoSeries() throws Exception {
        try (SeriesFollower follower = SeriesFollower.open(session, List.of(RTT), failures::add)) {
            Path directory = Files.createDirectories(session.resolve("series"));
            Files.writeString(directory.resolve("rtt.2026-01-01.npy"), "x".repeat(1_000));
            follower.addListener((series, atNs, value, state) -> received.add(atNs));
            await().atMost(PATIENCE).until(() -> !failures.isEmpty());
        }
        assertThat(failures).hasSize(1);
        assertThat(failures.get(0).sentence()).contains("rtt.2026-01-01.npy is not the file of a series");
        assertThat(received).isEmpty();
    }
}
