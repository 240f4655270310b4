package org.lagbench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.TableFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares metrics of summary.json with those of an independent Python script from the same captures. */
@Tag("one-java")
class IndependentComputationTest {
    private static final String SUMMARY = "lagbench_validation.oracles.summarize";
    private static final String MEDIA = "lagbench_validation.oracles.media";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final double RELATIVE = 1e-9;

    private final Random random = new Random(20261120);

    @BeforeAll
    static void requiresPython() {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assumeTrue(there, "python3 is not installed");
    }

    @Test
    void metricsOfRunsAndPointsAgreeWithPython(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (int repeat = 1; repeat <= 3; repeat++) {
            randomRun(session.run("paced-r" + repeat, "udp", 24), 1_501, 2_000_000);
            randomRun(session.run("flood-r" + repeat, "tcp", 992), 1_993, 0);
        }
        randomRun(session.run("tiny-r1", "ieee1394", 396), 3, 0);
        Summary summary = Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
        JsonNode points = JSON.readTree(TableFormat.JSON.text(summary)).get("points");
        assertThat(points.size()).isEqualTo(3);
        for (int i = 0; i < points.size(); i++) {
            PointSummary point = summary.points().get(i);
            boolean scheduled = point.point().hasSchedule();
            List<Path> all = new ArrayList<>();
            for (int k = 0; k < point.runs().size(); k++) {
                Path run = session.path()
                        .resolve("runs")
                        .resolve(point.runs().get(k).name());
                all.add(run);
                agree(points.get(i).get("runs").get(k).get("metrics"), computed(scheduled, List.of(run)));
            }
            agree(points.get(i).get("metrics"), computed(scheduled, all));
            agree(
                    points.get(i).get("metrics"),
                    printed(MEDIA, List.of(Long.toString(point.point().paceIntervalNs())), all));
        }
    }

    /** Compares all metrics that the script printed, by their ids; null is one that has no value. */
    private static void agree(JsonNode ours, JsonNode theirs) {
        theirs.forEachEntry((id, expected) -> {
            assertThat(ours.has(id)).as(id).isNotEqualTo(expected.isNull());
            if (expected.isNumber()) {
                assertThat(ours.get(id).asDouble())
                        .as(id)
                        .isCloseTo(expected.asDouble(), within(1e-6 + Math.abs(expected.asDouble()) * RELATIVE));
            }
        });
    }

    /** Writes lags of about 100 µs with a long tail and ties, some negative, with losses, copies and reordering. */
    private void randomRun(RunFixture run, int packets, long interval) throws IOException, LagbenchException {
        long[] scheduled = new long[packets];
        long[] sent = new long[packets];
        List<long[]> arrivals = new ArrayList<>();
        for (int i = 0; i < packets; i++) {
            scheduled[i] = i * Math.max(interval, 125_000);
            sent[i] = scheduled[i] + random.nextInt(40) * 1_000L;
            long lag = random.nextInt(50) == 0
                    ? (long) (1e9 * Math.pow(random.nextDouble(), 3))
                    : 20_000 + random.nextInt(100) * 1_000L - (random.nextInt(20) == 0 ? 60_000 : 0);
            if (random.nextInt(30) > 0) {
                arrivals.add(new long[] {i, sent[i] + lag});
            }
            if (random.nextInt(40) == 0) {
                arrivals.add(new long[] {i, sent[i] + lag + 200_000});
            }
        }
        arrivals.sort((a, b) -> Long.compare(a[1], b[1]));
        if (interval > 0) {
            run.scheduled(interval, scheduled);
        }
        run.sent(sent).received(arrivals.toArray(long[][]::new)).write();
    }

    private static JsonNode computed(boolean scheduled, List<Path> runs) throws Exception {
        return printed(SUMMARY, scheduled ? List.of("--scheduled") : List.of(), runs);
    }

    private static JsonNode printed(String module, List<String> options, List<Path> runs) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", "-B", "-m", module));
        command.addAll(options);
        runs.forEach(run -> command.add(run.toString()));
        Process process = new ProcessBuilder(command)
                .directory(new File("../validation"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return JSON.readTree(printed);
    }
}
