package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.run.RunRecord.State;

/** Validates summaries against the schema. */
class SummarySchemaTest {
    private final Schema schema;

    SummarySchemaTest() throws IOException {
        schema = schema();
    }

    @Test
    void summariesMatchSchema(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "tcp", 992)
                .sent(0, 10, 20)
                .received(new long[] {0, 5}, new long[] {1, 4})
                .write();
        session.run("nothing-came", "udp", 24)
                .scheduled(1_000, 0, 1_000)
                .sent(0, 1_000)
                .clock(null)
                .write();
        session.run("corrected", "udp", 992)
                .sent(0, 1_000)
                .received(new long[] {0, 5}, new long[] {1, 4})
                .clock(SessionFixture.accepted(7L, ClockBound.Basis.TWO_WAY, "The clocks are poor."))
                .twoWay(List.of(new TwoWayExchange(10, 20, 30, 40)))
                .write();
        session.run("broken", "udp", 24).sent(0).ended(State.BROKEN, "it broke").write();
        session.run("unended", "udp", 24).sent(0).captures();
        Summary summary = Summaries.of(Session.open(session.path()), new SummaryOptions(false, true));
        assertThat(summary.points()).hasSize(3);
        assertThat(summary.points())
                .anySatisfy(point -> assertThat(point.pooled().require(MetricGroup.CORRECTED))
                        .hasSize(2));
        assertThat(summary.excluded()).hasSize(2);
        assertThat(schema.validate(json(summary), InputFormat.JSON)).isEmpty();
        for (View view : Views.load().all()) {
            if (view.isComparison()) {
                continue;
            }
            String ofView = TableView.of(view).result(summary).text(TableFormat.JSON);
            assertThat(schema.validate(ofView, InputFormat.JSON))
                    .as(view.name())
                    .isEmpty();
        }
        Requirement requirement = Requirement.parse("lag.median <= 2 ms");
        String judged = new RequirementReport(
                        summary, requirement.judge(summary, Judgment.Basis.INTERVAL), RequirementReport.POINT, false)
                .addTo(TableFormat.JSON.result(summary))
                .text(TableFormat.JSON);
        assertThat(schema.validate(judged, InputFormat.JSON)).isEmpty();
        assertThat(schema.validate(json(summary).replace("\"packets.sent\"", "\"packets.gone\""), InputFormat.JSON))
                .as("a count has another name")
                .isNotEmpty();
    }

    @Test
    void pageMatchesTheDeclarations() throws Exception {
        String made = SummarySchema.text(SummarySchema.read());
        if (Boolean.getBoolean("lagbench.write-reference")) {
            Files.writeString(SummarySchema.PAGE, made);
        }
        assertThat(SummarySchema.PAGE).content().isEqualTo(made);
    }

    @Test
    void schemaRejectsUnknownKeys(@TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "tcp", 992).sent(0).received(new long[] {0, 5}).write();
        String json = json(Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT));
        assertThat(schema.validate(json, InputFormat.JSON)).isEmpty();
        assertThat(schema.validate(json.replace("\"lag.median\"", "\"lag.middle\""), InputFormat.JSON))
                .isNotEmpty();
    }

    private static String json(Summary summary) {
        return TableFormat.JSON.text(summary);
    }

    private static Schema schema() throws IOException {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SummarySchema.read().toString(), InputFormat.JSON);
    }
}
