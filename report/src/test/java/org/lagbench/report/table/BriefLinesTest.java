package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.timeseries.ReceivedInterval;

/** Compares lines of text with the metrics that they show. */
public class BriefLinesTest {
    public static final RunSpec RUN = new RunSpec(
            "0001-udp-992-r1",
            new Point(
                    "udp",
                    992,
                    50_000,
                    100,
                    new Pace(Pace.Mode.HYBRID, 125_000),
                    TrafficSpec.ONE_WAY,
                    Settings.of(List.of(), Map.of()),
                    new EngineSpec("java", JvmOptions.NONE),
                    Set.of(),
                    RunConditions.of(Duration.ZERO, Duration.ofSeconds(30))),
            1,
            null);

    @Test
    void hasMainMetricsOfEachPoint(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(0, 1_000_000, 2_000_000, 3_000_000)
                .received(new long[] {0, 5_000}, new long[] {1, 1_007_000})
                .write();
        assertThat(BriefLines.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)))
                .singleElement()
                .asString()
                .startsWith("UDP/IP, 24 bytes: transmit lag median 6.00 µs, Q99 6.98 µs, loss 50.0 %")
                .endsWith(", 1 run");
    }

    @Test
    void hasIntervalsOverRuns(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (int run = 1; run <= 6; run++) {
            session.run("udp-24-r" + run, "udp", 24)
                    .sent(0)
                    .received(new long[] {0, 5_000 + 1_000L * run})
                    .write();
        }
        assertThat(BriefLines.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)))
                .singleElement()
                .asString()
                .contains("transmit lag median 8.50 µs (6.00 µs to 11.0 µs), Q99 ")
                .containsPattern(", loss 0 % \\(0 % to [1-9][0-9.]* %\\)")
                .doesNotContain("runs");
    }

    @ParameterizedTest
    @CsvSource({"30000, loss 0 %", "29999, loss <0.01 %"})
    void showsEveryLoss(int received, String loss, @TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 24)
                .sent(IntStream.range(0, 30_000).mapToLong(i -> 1_000L * i).toArray())
                .received(IntStream.range(0, received)
                        .mapToObj(i -> new long[] {i, 1_000L * i + 5_000})
                        .toArray(long[][]::new))
                .write();
        assertThat(BriefLines.of(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)))
                .singleElement()
                .asString()
                .contains(loss);
    }

    @Test
    void formatsMetricsOfSecondAsLine() {
        assertThat(BriefLines.of(second(7_900, 100, 3, 14_200), RUN.point(), Integer.MAX_VALUE))
                .isEqualTo("3.0 s  lag 14.2 µs, Q99 28.4 µs  lost 100 (1.25 %), late 3"
                        + "  received 7,900/s 62.7 Mbit/s  sent 8,000/s 63.5 Mbit/s");
        assertThat(BriefLines.of(second(0, 0, 0, Double.NaN), RUN.point(), Integer.MAX_VALUE))
                .isEqualTo("3.0 s  lag unknown, Q99 unknown  lost 0"
                        + "  received 0/s 0.0 Mbit/s  sent 8,000/s 63.5 Mbit/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "80; 3.0 s  lag 14.2 µs, Q99 28.4 µs  lost 100 (1.25 %)  received 7,900/s 62.7 Mbit/s",
                "79; 3.0 s  lag 14.2 µs, Q99 28.4 µs  lost 100 (1.25 %)  received 7,900/s",
                "40; 3.0 s  lag 14.2 µs, Q99 28.4 µs"
            })
    void omitsMetricsThatExceedTerminal(int columns, String line) {
        assertThat(BriefLines.of(second(7_900, 100, 0, 14_200), RUN.point(), columns))
                .isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource({"49_999, false", "50_000, true"})
    void finishesWhenAllPacketsAreSent(String allSent, boolean isFinishing) {
        LiveInterval second = new LiveInterval(
                992,
                3,
                4,
                0,
                0,
                Long.parseLong(allSent.replace("_", "")),
                new ReceivedInterval(1_000_000_000, 0, 0, 0, 0, false, List.of()),
                0,
                false,
                0,
                Double.NaN,
                Double.NaN);
        assertThat(second.isFinishing(RUN.point().packets())).isEqualTo(isFinishing);
        assertThat(BriefLines.of(second, RUN.point(), Integer.MAX_VALUE).equals("4.0 s  finishing"))
                .isEqualTo(isFinishing);
    }

    @Test
    void repeatsHeadWhenColumnsChange(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 992)
                .sent(0, 10)
                .received(new long[] {0, 5_000}, new long[] {1, 4_510})
                .write();
        session.run("b", "udp", 992)
                .sent(0, 10)
                .received(new long[] {0, 123_456_789}, new long[] {1, 123_456_799})
                .write();
        Summary first = summary(session, "a");
        RunRows rows = new RunRows(List.of(first.points().get(0).point()));
        List<String> lines = rows.add(first);
        assertThat(lines)
                .hasSizeGreaterThan(3)
                .contains("UDP/IP")
                .last()
                .asString()
                .contains(" 4.75");
        assertThat(rows.add(summary(session, "b")))
                .hasSize(lines.size())
                .last()
                .asString()
                .contains(" 123 ");
    }

    private static Summary summary(SessionFixture session, String run) throws Exception {
        return Summaries.of(Session.open(session.path().resolve("runs").resolve(run)), RunRows.OPTIONS);
    }

    /** Returns the third second at 8,000 packets/s. */
    public static LiveInterval second(long received, long lost, long late, double medianNs) {
        return new LiveInterval(
                992,
                2,
                3,
                8_000,
                8_000,
                24_000,
                new ReceivedInterval(1_000_000_000, received, 8_000, lost, late, false, List.of()),
                (double) received,
                false,
                received,
                medianNs,
                2 * medianNs);
    }
}
