package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lagbench.report.table.BriefLinesTest.RUN;
import static org.lagbench.report.table.BriefLinesTest.second;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.report.table.RunRows;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.sweep.Progress;
import tools.jackson.databind.json.JsonMapper;

/** Validates events against the schema. */
class EventProgressTest {
    private static final RunGroup GROUP = new RunGroup(RUN.name(), List.of(RUN));

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<String> events = new ArrayList<>();
    private final EventProgress progress =
            new EventProgress(Progress.lines(new PrintWriter(Writer.nullWriter()), true), events::add, events::add);

    private final Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(ResultMapper.class.getResourceAsStream("/org/lagbench/report/stream.schema.json"));

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
        progress.begin("name", "results/name-1", 2, Duration.ofMillis(12_500));
        progress.started(GROUP);
        progress.interval(RUN, second(7_900, 100, 3, 14_200));
        progress.interval(RUN, second(0, 0, 0, Double.NaN));
        progress.ended(GROUP, "left out", Duration.ZERO, Duration.ofSeconds(6));
        progress.metrics(RUN, summary(session, "a"));
        progress.metrics(RUN, summary(session, "nothing-came"));
        progress.metrics(RUN, summary(session, "broken"));
        progress.note("waiting");
        progress.error("It failed.");
        progress.finished(ExitCode.BROKEN, 1, 2);
        assertThat(events).hasSize(11);
        assertThat(events).allSatisfy(event -> {
            assertThat(event).doesNotContain("\n");
            assertThat(schema.validate(event, InputFormat.JSON)).isEmpty();
        });
        assertThat(events.get(5))
                .contains(
                        "\"packets.lost\":1",
                        "\"lag.median\":0.0045",
                        "\"lag.maximum\":0.005",
                        "\"clock.bound\":0.001");
        assertThat(events.get(7)).contains("broke off: it broke");
        assertThat(JSON.readTree(events.get(5)).at("/data/metrics"))
                .isEqualTo(JSON.readTree(TableFormat.JSON.text(summary(session, "a")))
                        .at("/points/0/metrics"));
    }

    @Test
    void schemaRejectsOtherEvents() {
        progress.interval(RUN, second(8_000, 0, 0, 14_200));
        progress.finished(ExitCode.OK, 1, 1);
        for (String event : List.of(
                events.get(0).replace("\"packets.lost\":0", "\"packets.lost\":-1"),
                events.get(0).replace("lag.median", "lag.middle"),
                events.get(1).replace("\"end\"", "\"start\""),
                "{\"event\":\"metrics\",\"data\":{\"run\":\"a\",\"excluded\":null}}",
                "{\"event\":\"other\",\"data\":{}}")) {
            assertThat(schema.validate(event, InputFormat.JSON)).as(event).isNotEmpty();
        }
    }

    private static Summary summary(SessionFixture session, String run) throws Exception {
        return Summaries.of(Session.open(session.path().resolve("runs").resolve(run)), RunRows.OPTIONS);
    }
}
