package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.Parts;
import org.lagbench.analysis.cause.TailEvent;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.report.table.ExplanationTable.RunEvent;

/** Tests wide tables with the 80 columns that the build sets for tests. */
class TextWriterTest {
    private static final String RUN = "0002-ieee1394-992-engine-java-nio-pace-r3";

    @Test
    void repeatsRunPacketAndCauseInEachContinuation() {
        List<RunEvent> events = Stream.of(4_711L, 4_712L)
                .map(packet -> new Ledger(packet, 1_234_567_891, null, new Parts(List.of())))
                .map(slowest -> new RunEvent(RUN, new TailEvent(slowest, null, 3, 4_711, 4_713), false))
                .toList();
        List<String> lines = ExplanationTable.slowest(events)
                .text(TableFormat.TEXT)
                .lines()
                .filter(line -> line.startsWith(RUN))
                .toList();
        assertThat(lines).hasSizeGreaterThan(2).allSatisfy(line -> assertThat(line)
                .containsPattern("r3 +4,71[12] +Not explained")
                .hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void repeatsSizeOfStreamInEachContinuation() throws Exception {
        PairedRatio ratio = new PairedRatio(87_346_000, 434_000, 0.005, 0.004, 0.006);
        List<PointSummary> points = PaperSummary.whole().points().subList(0, 2);
        points.forEach(point ->
                point.pooled().with(MetricGroup.STREAMS, new StreamEffect(point.point(), 6, 1, ratio, ratio, 0, 0)));
        Summary summary = new Summary("streams", false, points, List.of());
        List<String> lines =
                TableView.STREAMS.result(summary).text(TableFormat.TEXT).lines().toList();
        for (PointSummary point : points) {
            String size = "^ *" + Numbers.grouped(point.point().packetBytes()) + " ";
            assertThat(lines)
                    .filteredOn(line -> line.matches(size + ".*"))
                    .hasSizeGreaterThan(1)
                    .anyMatch(line -> line.matches(".* 0\\.005 +0\\.004–0\\.006.*"))
                    .anyMatch(line -> line.endsWith(" 6"));
        }
    }

    @Test
    void statesThatPacketsOfWindowsAreNotInTheLagTable() {
        Ledger ledger = new Ledger(4_711, 1_234_567_891, null, new Parts(List.of()));
        for (boolean hasWindows : List.of(true, false)) {
            RunEvent packet = new RunEvent(RUN, new TailEvent(ledger, null, 1, 4_711, 4_711), hasWindows);
            for (Result result :
                    List.of(ExplanationTable.timeline(packet), ExplanationTable.slowest(List.of(packet)))) {
                assertThat(result.text(TableFormat.TEXT).contains("Observed in windows: " + RUN))
                        .isEqualTo(hasWindows);
            }
        }
    }
}
