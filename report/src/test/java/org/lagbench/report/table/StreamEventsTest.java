package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.series.ReceivedInterval;

/** Validates events against the schema, and compares lines of text with the metrics that they show. */
class StreamEventsTest {
    private static final RunSpec RUN = new RunSpec(
            "0001-udp-992-r1",
            new Point(
                    "udp",
                    992,
                    50_000,
                    100,
                    new Pace(Pace.Mode.HYBRID, 125_000),
                    TrafficSpec.ONE_WAY,
                    Settings.of(List.of(), Map.of()),
                    new Program("java", JvmOptions.NONE),
                    Set.of(),
                    new RunConditions(Duration.ZERO, Duration.ofSeconds(30))),
            1,
            null);

    private final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(StreamEvents.class.getResourceAsStream("/org/lagbench/report/stream.schema.json"));

    @Test
    void eventsMatchSchema(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 992)
                .sent(0, 10, 20)
                .received(new long[] {0, 5}, new long[] {1, 14})
                .write();
        session.run("nothing-came", "udp", 992).sent(0, 1_000).clock(null).write();
        session.run("broken", "udp", 992)
                .sent(0)
                .ended(State.BROKEN, "it broke")
                .write();
        List<String> events = List.of(
                StreamEvents.start("name", "results/name-1", 2, 12.5),
                StreamEvents.runStart(RUN),
                StreamEvents.interval(RUN, second(7_900, 100, 3, 14_200)),
                StreamEvents.interval(RUN, second(0, 0, 0, Double.NaN)),
                StreamEvents.runEnd(RUN, "left out", 0, 6),
                StreamEvents.figures(RUN, summary(session, "a")),
                StreamEvents.figures(RUN, summary(session, "nothing-came")),
                StreamEvents.figures(RUN, summary(session, "broken")),
                StreamEvents.note("waiting"),
                StreamEvents.error("It failed."),
                StreamEvents.end(6, 1, 2));
        assertThat(events).allSatisfy(event -> {
            assertThat(event).doesNotContain("\n");
            assertThat(schema.validate(event, InputFormat.JSON)).isEmpty();
        });
        assertThat(events.get(5))
                .contains("\"lost\":1", "\"lagMedianUs\":0.0045", "\"lagMaximumUs\":0.005", "\"clockBoundNs\":1");
        assertThat(events.get(7)).contains("broke off: it broke");
    }

    @Test
    void schemaRejectsOtherEvents() {
        for (String event : List.of(
                StreamEvents.interval(RUN, second(8_000, 0, 0, 14_200)).replace("\"lost\":0", "\"lost\":-1"),
                StreamEvents.interval(RUN, second(8_000, 0, 0, 14_200)).replace("lagMedianUs", "lagMedianMs"),
                StreamEvents.end(0, 1, 1).replace("\"end\"", "\"start\""),
                "{\"event\":\"figures\",\"data\":{\"run\":\"a\",\"excluded\":null}}",
                "{\"event\":\"other\",\"data\":{}}")) {
            assertThat(schema.validate(event, InputFormat.JSON)).as(event).isNotEmpty();
        }
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
        assertThat(rows.add(summary(session, "b"))).singleElement().asString().contains(" 123,457");
    }

    private static Summary summary(SessionFixture session, String run) throws Exception {
        return Summaries.of(Session.open(session.path().resolve("runs").resolve(run)), RunRows.OPTIONS);
    }

    /** Returns the third second at 8,000 packets/s. */
    private static LiveInterval second(long received, long lost, long late, double medianNs) {
        return new LiveInterval(
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
