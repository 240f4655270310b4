package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.LagLedgers;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.LedgerTotal;
import org.lagbench.analysis.cause.LedgerTotal.PartTotal;
import org.lagbench.analysis.cause.LossCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.StampCounts;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.MetricRegistry;
import tools.jackson.databind.JsonNode;

class SummaryDocumentTest {
    private final Path directory;

    SummaryDocumentTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void writesAndRewritesBothFiles() throws Exception {
        Files.writeString(directory.resolve(SummaryDocument.CSV), "old");
        SummaryDocument.write(directory, PaperSummary.whole());
        String csv = Files.readString(directory.resolve(SummaryDocument.CSV));
        assertThat(csv)
                .startsWith("level,name,repeat,state,reason,spoiledBy,transport,")
                .contains("\npooled,,,,,,tcp,TCP/IP,,,992,one-way,,flood,");
        String json = Files.readString(directory.resolve(SummaryDocument.JSON));
        assertThat(json).contains("\"format\" : \"lagbench-summary-2\"");
        SummaryDocument.write(directory, PaperSummary.whole());
        assertThat(Files.readString(directory.resolve(SummaryDocument.CSV))).isEqualTo(csv);
        assertThat(Files.readString(directory.resolve(SummaryDocument.JSON))).isEqualTo(json);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(SummaryDocument.CSV, SummaryDocument.JSON);
        }
    }

    @Test
    void hasEachMetricOfAPointAndARunByItsIdAndUnit() {
        JsonNode root = TableFormat.tree(PaperSummary.corrected());
        PointSummary point = PaperSummary.corrected().points().get(0);
        Map<String, Double> expected = new LinkedHashMap<>();
        point.pooled().forEach(point.point(), (metric, value) -> {
            expected.put(metric.id(), value);
            assertThat(root.at("/units/" + metric.id()).asString()).isEqualTo(metric.unit());
        });
        assertThat(expected).containsKeys("lag.q99", "corrected.hull.lag.median", "loss", "packets.sent");
        for (String place : List.of("/points/0/metrics", "/points/0/runs/0/metrics")) {
            Map<String, Double> found = new LinkedHashMap<>();
            root.at(place).forEachEntry((id, number) -> found.put(id, number.doubleValue()));
            assertThat(found).isEqualTo(expected);
        }
        assertThat(root.at("/points/0/metrics/packets.sent").isIntegralNumber()).isTrue();
    }

    @Test
    void idsAndColumnsAreDistinct() {
        assertThat(MetricRegistry.all()).extracting(Metric::id).doesNotHaveDuplicates();
        assertThat(MetricRegistry.all()).extracting(MetricNames::column).doesNotHaveDuplicates();
    }

    @Test
    void addsProgramsOfOneCause() {
        PointSummary point = PaperSummary.whole().points().get(0);
        Map<SideCause, PartTotal> parts =
                Map.of(runQueue(null), part(1_000), runQueue("kdamond.0"), part(500), runQueue("a: b"), part(2_000));
        LedgerTotal tail = new LedgerTotal(1, parts, PartTotal.NONE, Map.of());
        LedgerMetrics ledger = new LedgerMetrics(
                Tail.Q99,
                new LagLedgers(tail, LedgerTotal.NONE, tail),
                null,
                new LossCauses(0, 0, 0, Map.of()),
                0,
                new StampCounts(1, 1, 0, 0));
        Metrics metrics = point.pooled().with(CauseGroups.LEDGER, ledger);
        Summary summary =
                new Summary("a", false, List.of(new PointSummary(point.point(), metrics, List.of())), List.of());
        JsonNode root = TableFormat.tree(summary);
        assertThat(root.at("/points/0/metrics/ledger.lag.tail.parts.receiver.run-queue:a: b.time")
                        .asDouble())
                .isEqualTo(2);
        String[] csv = TableFormat.CSV.text(summary).split("\n", -1);
        int column = List.of(csv[0].split(",", -1)).indexOf("ledger_lag_tail_parts_receiver_run-queue_time_us");
        assertThat(csv[1].split(",", -1)[column]).isEqualTo("3.5");
    }

    private static SideCause runQueue(@Nullable String program) {
        return new SideCause(SideCause.Role.RECEIVER, Cause.RUN_QUEUE, program);
    }

    private static PartTotal part(long ns) {
        return new PartTotal(ns, 0, 0);
    }

    @Test
    void namesFileThatCannotBeWritten() throws IOException {
        Path inTheWay =
                Files.createDirectories(directory.resolve(SummaryDocument.CSV).resolve("full"));
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> SummaryDocument.write(directory, PaperSummary.whole()))
                .withMessageContaining(directory.resolve(SummaryDocument.CSV).toString())
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
        assertThat(inTheWay).isDirectory();
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve(SummaryDocument.CSV));
        }
    }
}
